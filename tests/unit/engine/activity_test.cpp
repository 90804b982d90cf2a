// Work at a rate that may change at any event: exact, and the end rounded up once.
#include "orrery/engine/activity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;

TEST(Activity, AtFullRateWorkTakesItsLength) {
  Activity activity{10s};
  EXPECT_EQ(activity.done_at(), kNever);  // nobody works yet
  activity.set_rate(at(5s), kFullRate);
  EXPECT_EQ(activity.done_at(), at(15s));
  EXPECT_EQ(activity.progress(at(8s)).whole, 3'000'000);
}

// Half the rate from 5 s to 9 s: 2 s are done, 8 s are left at full rate.
TEST(Activity, HalvedRateDoesHalfTheWork) {
  Activity activity{10s};
  activity.set_rate(at(5s), kFullRate / 2);
  EXPECT_EQ(activity.done_at(), at(25s));
  activity.set_rate(at(9s), kFullRate);
  EXPECT_EQ(activity.done_at(), at(17s));
}

TEST(Activity, StandsStillAtRateZero) {
  Activity activity{10s};
  activity.set_rate(at(0s), kFullRate);
  activity.set_rate(at(4s), 0);
  EXPECT_EQ(activity.done_at(), kNever);
  EXPECT_EQ(activity.progress(at(1000s)).whole, 4'000'000);
  activity.set_rate(at(20s), kFullRate);
  EXPECT_EQ(activity.done_at(), at(26s));
}

// One microsecond of work at a third of the rate: 2^20 / 349525 = 3.0000029 us, rounded up to 4.
TEST(Activity, EndIsRoundedUpToAMicrosecond) {
  Activity activity{1us};
  activity.set_rate(at(0us), kFullRate / 3);
  EXPECT_EQ(activity.done_at(), at(4us));
  EXPECT_EQ(activity.progress(at(3us)).whole, 0);
  EXPECT_EQ(activity.progress(at(4us)).whole, 1);
}

TEST(Activity, NoWorkIsDoneWhenItIsGivenARate) {
  Activity activity{0s};
  activity.set_rate(at(7s), kFullRate);
  EXPECT_EQ(activity.done_at(), at(7s));
}

// The slowest rate on the longest work does not overflow: 2^38 us of work at 2^-20 take 2^58 us.
TEST(Activity, IsExactAtTheEndsOfTheRange) {
  Activity activity{Duration{std::int64_t{1} << 38}};
  activity.set_rate(at(0us), 1);
  EXPECT_EQ(activity.done_at(), at(kLongestTime));
  EXPECT_EQ(activity.progress(at(kLongestTime - 1us)).whole, (std::int64_t{1} << 38) - 1);
}

// Against the sum of rate times time in 2^-20 us: progress is exactly that, and the end the first
// microsecond at which it covers the work.
TEST(Activity, ProgressIsTheExactSum) {
  EXPECT_TRUE(rc::check("sum", [] {
    const auto work = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
    Activity activity{Duration{work}};
    __int128 done = 0;  // in 2^-20 us
    std::int64_t now = 0;
    const auto changes = *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
        rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, 100'000),
                      rc::gen::inRange<std::uint32_t>(0, 2 * kFullRate)));
    Rate rate = 0;
    for (const auto& [step, next_rate] : changes) {
      done += static_cast<__int128>(rate) * step;
      now += step;
      activity.set_rate(at(Duration{now}), next_rate);
      rate = next_rate;
      const Progress progress = activity.progress(at(Duration{now}));
      RC_ASSERT((static_cast<__int128>(progress.whole) << 20) + progress.part == done);
      const __int128 needed = static_cast<__int128>(work) << 20;
      if (done >= needed) {
        RC_ASSERT(activity.done_at() == at(Duration{now}));
      } else if (rate == 0) {
        RC_ASSERT(activity.done_at() == kNever);
      } else {
        const std::int64_t left = micros(activity.done_at()) - now;
        RC_ASSERT(done + static_cast<__int128>(rate) * left >= needed);
        RC_ASSERT(done + static_cast<__int128>(rate) * (left - 1) < needed);
      }
    }
  }));
}

// Setting the rate that it has, at any instants before the end, never moves the end.
TEST(Activity, ReRatingNeverChangesTheEnd) {
  EXPECT_TRUE(rc::check("re-rating", [] {
    const auto rate = *rc::gen::inRange<Rate>(1, 2 * kFullRate);
    Activity activity{Duration{*rc::gen::inRange<std::int64_t>(1, 1'000'000'000)}};
    activity.set_rate(at(3us), rate);
    const SimTime end = activity.done_at();
    SimTime now = at(3us);
    for (const auto step : *rc::gen::container<std::vector<std::uint32_t>>(
             rc::gen::inRange<std::uint32_t>(0, 1'000'000))) {
      now += Duration{step};
      if (now >= end) break;
      activity.set_rate(now, rate);
      RC_ASSERT(activity.done_at() == end);
    }
  }));
}

}  // namespace
}  // namespace orrery
