#include "engine/gpu_ledger.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

using namespace std::chrono_literals;

GpuTime::Wide gpu_seconds(std::int64_t seconds) {
  return GpuTime::Wide{seconds} * 1'000'000;
}

// Four GPUs. 3 busy from 10 to 30 s, one in overhead from 20 to 25 s and busy to 30 s.
TEST(GpuLedger, BooksTheTimeBetweenChanges) {
  GpuLedger ledger{4, {}};
  ledger.advance(at(10s));
  ledger.change_busy(3);
  ledger.advance(at(20s));
  ledger.change_overhead(1);
  EXPECT_EQ(ledger.held(), 4);
  ledger.advance(at(25s));
  ledger.change_overhead(-1);
  ledger.change_busy(1);
  ledger.advance(at(30s));
  ledger.change_busy(-4);
  ledger.advance(at(100s));
  const GpuTime total = ledger.total();
  EXPECT_EQ(total.capacity, gpu_seconds(400));
  EXPECT_EQ(total.busy, gpu_seconds(65));  // 3 * 20 + 1 * 5
  EXPECT_EQ(total.overhead, gpu_seconds(5));
  EXPECT_EQ(total.idle, gpu_seconds(330));
  EXPECT_EQ(total.down, 0);
  EXPECT_EQ(total.busy + total.overhead + total.idle + total.down, total.capacity);
}

// Free GPUs are fragmented from 10 to 30 s, two of them.
TEST(GpuLedger, BooksFragmentedTimeBesideTheRest) {
  GpuLedger ledger{4, {}};
  ledger.advance(at(10s));
  ledger.change_busy(2);
  ledger.change_fragmented(2);
  ledger.advance(at(30s));
  ledger.change_fragmented(-2);
  ledger.advance(at(50s));
  EXPECT_EQ(ledger.total().fragmented, gpu_seconds(40));
  EXPECT_EQ(ledger.total().idle, gpu_seconds(120));  // 4 * 50 - 2 * 40
}

// Marks at 5, 20 and 20 s fall between changes; 99 s is never reached.
TEST(GpuLedger, TakesTotalsAtItsMarks) {
  GpuLedger ledger{2, {at(5s), at(20s), at(20s), at(99s)}};
  ledger.advance(at(0s));
  ledger.change_busy(1);
  ledger.advance(at(40s));
  ledger.change_busy(1);
  ledger.advance(at(50s));
  ASSERT_EQ(ledger.at_marks().size(), 3U);
  EXPECT_EQ(ledger.at_marks()[0].busy, gpu_seconds(5));
  EXPECT_EQ(ledger.at_marks()[0].capacity, gpu_seconds(10));
  EXPECT_EQ(ledger.at_marks()[1].busy, gpu_seconds(20));
  EXPECT_EQ(ledger.at_marks()[2].busy, gpu_seconds(20));
  EXPECT_EQ(ledger.total().busy, gpu_seconds(60));  // 40 + 2 * 10
}

// A mark at the very instant of a change is taken before it.
TEST(GpuLedger, MarkAtAChangeIsTakenBeforeIt) {
  GpuLedger ledger{2, {at(10s)}};
  ledger.change_busy(2);
  ledger.advance(at(10s));
  ledger.change_busy(-2);
  ledger.advance(at(20s));
  EXPECT_EQ(ledger.at_marks()[0].busy, gpu_seconds(20));
  EXPECT_EQ(ledger.total().busy, gpu_seconds(20));
}

// A run that ends at a mark has reached it.
TEST(GpuLedger, MarkAtTheEndIsTaken) {
  GpuLedger ledger{2, {at(10s)}};
  ledger.change_busy(1);
  ledger.advance(at(10s));
  ASSERT_EQ(ledger.at_marks().size(), 1U);
  EXPECT_EQ(ledger.at_marks()[0].busy, gpu_seconds(10));
}

TEST(GpuLedger, StopsWhenMoreIsHeldThanThereIs) {
  GpuLedger ledger{4, {}};
  ledger.change_busy(5);
  EXPECT_THROW(ledger.advance(at(1s)), Fault);
  GpuLedger below{4, {}};
  below.change_busy(-1);
  EXPECT_THROW(below.advance(at(1s)), Fault);
}

// 100,000 GPUs for 9,000 years are 2.8e22 GPU-microseconds: more than 64 bits hold.
TEST(GpuLedger, HoldsMoreThan64Bits) {
  GpuLedger ledger{100'000, {}};
  ledger.change_busy(100'000);
  ledger.advance(at(kLongestTime));
  EXPECT_EQ(ledger.total().busy, GpuTime::Wide{micros(kLongestTime)} * 100'000);
}

}  // namespace
}  // namespace orrery
