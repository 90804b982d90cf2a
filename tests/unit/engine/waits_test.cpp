// Why jobs wait: a job's wait by cause, and the GPU time that is fragmented meanwhile.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

#include <map>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;
using Causes = std::map<WaitCause, Duration>;

/// The causes of a job that are not zero.
Causes waits(const TestRun& result, const std::string& id) {
  Causes causes;
  for (std::size_t c = 0; c < kWaitCauses; ++c)
    if (const Duration part = result[id].wait[c]; part != 0s)
      causes[static_cast<WaitCause>(c)] = part;
  return causes;
}

TEST(Waits, JobThatStartsAtOnceHasNone) {
  EXPECT_EQ(waits(run("1x1", {{"a", 0s, 1, 10s}}, "fifo"), "a"), Causes{});
}

TEST(Waits, TooFewFreeGpusAreCapacity) {
  const TestRun result = run("1x4", {{"a", 0s, 3, 100s}, {"b", 1s, 2, 10s}}, "fifo");
  EXPECT_EQ(waits(result, "b"), (Causes{{WaitCause::capacity, 99s}}));
}

// c would fit beside a, but b comes first: order, until both start.
TEST(Waits, JobThatWouldFitWaitsForItsTurn) {
  const TestRun result =
      run("1x4", {{"a", 0s, 3, 100s}, {"b", 1s, 2, 10s}, {"c", 2s, 1, 10s}}, "fifo");
  EXPECT_EQ(waits(result, "c"), (Causes{{WaitCause::order, 98s}}));
}

// Two nodes of two. From 6 s on each has one GPU free: enough for d, but in no node. b ends at
// 100 s.
TEST(Waits, EnoughGpusInTheWrongPlacesAreFragmented) {
  const TestRun result =
      run("2x2", {{"a", 0s, 2, 5s}, {"b", 0s, 1, 100s}, {"c", 6s, 1, 200s}, {"d", 7s, 2, 10s}},
          "fifo", "first-fit");
  EXPECT_EQ(result.start("d"), 100s);
  EXPECT_EQ(waits(result, "d"), (Causes{{WaitCause::fragmented, 93s}}));
  EXPECT_EQ(result.totals.at_end.fragmented, GpuTime::Wide{2 * 93'000'000});
}

// The same, but where GPUs are only counted d starts at once.
TEST(Waits, NothingIsFragmentedWhereGpusAreOnlyCounted) {
  const TestRun result =
      run("2x2", {{"a", 0s, 2, 5s}, {"b", 0s, 1, 100s}, {"c", 6s, 1, 200s}, {"d", 7s, 2, 10s}},
          "fifo", "count");
  EXPECT_EQ(result.start("d"), 7s);
  EXPECT_EQ(result.totals.at_end.fragmented, 0);
}

// Nodes a, b and x, c. d lacks GPUs until a and x end at 20 s; then one is free on each node, until
// b ends at 100 s.
TEST(Waits, CausesFollowEachOtherAndSumToTheWait) {
  const TestRun result = run("2x2",
                             {{"a", 0s, 1, 20s},
                              {"b", 0s, 1, 100s},
                              {"c", 0s, 1, 200s},
                              {"x", 0s, 1, 20s},
                              {"d", 1s, 2, 10s}},
                             "fifo", "first-fit");
  EXPECT_EQ(result.start("d"), 100s);
  EXPECT_EQ(waits(result, "d"), (Causes{{WaitCause::capacity, 19s}, {WaitCause::fragmented, 80s}}));
  EXPECT_EQ(result["d"].total_wait(), 99s);
}

// Under rounds the policy is asked at multiples of 60 s only: a, which came at 10 s, waits for
// that.
TEST(Waits, WaitingForTheRoundIsOrder) {
  SimOptions options;
  options.round = 60s;
  const TestRun result = run("1x1", {{"a", 10s, 1, 5s}}, "fifo", "count", options);
  EXPECT_EQ(result.start("a"), 60s);
  EXPECT_EQ(waits(result, "a"), (Causes{{WaitCause::order, 50s}}));
}

// Before its first start a job waits for its class; after a preemption for that, whatever its class
// does.
TEST(Waits, TimeAfterAPreemptionIsItsOwnCause) {
  const TestRun result =
      run("1x1", {{"first", 0s, 1, 5s}, {"a", 1s, 1, 100s}, {"b", 50s, 1, 10s}}, "srtf");
  EXPECT_EQ(result.start("a"), 5s);
  EXPECT_EQ(waits(result, "a"), (Causes{{WaitCause::capacity, 4s}, {WaitCause::preempted, 10s}}));
}

// A job of another size in the same pool has its own state: b (4) lacks GPUs while c (1) only waits
// its turn.
TEST(Waits, EachGangSizeHasItsOwnState) {
  const TestRun result =
      run("1x4", {{"a", 0s, 2, 30s}, {"b", 1s, 4, 10s}, {"c", 1s, 1, 10s}}, "fifo");
  EXPECT_EQ(waits(result, "b"), (Causes{{WaitCause::capacity, 29s}}));
  // c: order to 30 s beside two free GPUs, capacity to 40 s while b holds all.
  EXPECT_EQ(waits(result, "c"), (Causes{{WaitCause::order, 29s}, {WaitCause::capacity, 10s}}));
}

// What waits when the run ends has its wait up to there.
TEST(Waits, AreBookedUpToTheHorizon) {
  SimOptions options;
  options.until = at(50s);
  const TestRun result =
      run("1x1", {{"a", 0s, 1, 100s}, {"b", 10s, 1, 10s}}, "fifo", "count", options);
  EXPECT_EQ(result["b"].status, JobStatus::unfinished);
  EXPECT_EQ(waits(result, "b"), (Causes{{WaitCause::capacity, 40s}}));
}

}  // namespace
}  // namespace orrery::test
