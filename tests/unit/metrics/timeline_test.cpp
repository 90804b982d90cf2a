// Exact means over equal steps.
#include "orrery/metrics/timeline.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

ClusterState held(SimTime time, std::int64_t busy) {
  return {.time = time, .gpus_total = 4, .gpus_busy = busy, .jobs_running = busy > 0 ? 1 : 0};
}

// 3 GPUs from 5 s to 12 s: 15 GPU-seconds in [0, 10), 6 in [10, 20).
TEST(Timeline, SplitsStretchesAtTheEdgesOfSteps) {
  Timeline timeline{10s};
  timeline.state(held(at(5s), 3));
  timeline.state(held(at(12s), 0));
  timeline.finish(at(12s));
  ASSERT_EQ(timeline.steps().size(), 2U);
  EXPECT_EQ(timeline.steps()[0].from, at(0s));
  EXPECT_EQ(timeline.steps()[0].gpus_busy, GpuTime::Wide{15'000'000});
  EXPECT_EQ(timeline.steps()[1].gpus_busy, GpuTime::Wide{6'000'000});
  EXPECT_EQ(timeline.steps()[1].gpus_total, GpuTime::Wide{40'000'000});  // the last step is whole
}

TEST(Timeline, StartsAtTheStepOfTheFirstChange) {
  Timeline timeline{10s};
  timeline.state(held(at(1000s), 1));
  timeline.finish(at(1010s));
  ASSERT_EQ(timeline.steps().size(), 1U);
  EXPECT_EQ(timeline.steps()[0].from, at(1000s));
}

TEST(Timeline, TotalsDoNotDependOnTheStep) {
  for (const Duration step : {1s, 7s, 60s, 1000s}) {
    Timeline timeline{step};
    for (int i = 0; i < 100; ++i) timeline.state(held(at(i * 13s), i % 5));
    timeline.state(held(at(1300s), 0));
    timeline.finish(at(1300s));
    GpuTime::Wide busy = 0;
    for (const Timeline::Step& one : timeline.steps()) busy += one.gpus_busy;
    EXPECT_EQ(busy, GpuTime::Wide{13'000'000} * 200) << step.count();  // 20 rounds of 0+1+2+3+4
  }
}

TEST(Timeline, RefusesStepsThatCannotBe) {
  EXPECT_THROW(Timeline{0s}, UsageError);
  Timeline timeline{1us};
  timeline.state(held(at(0s), 1));
  EXPECT_THROW(timeline.finish(at(1000s)), UsageError);  // a billion steps
}

TEST(Timeline, OfNothingIsEmpty) {
  Timeline timeline{10s};
  timeline.finish(at(0s));
  EXPECT_TRUE(timeline.steps().empty());
}

}  // namespace
}  // namespace orrery::test
