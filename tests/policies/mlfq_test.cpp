// Multi-level feedback queues by time held (mlfq) or GPU time held (mlfq2d), first come, first
// served inside a level.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

// Limits 10 s and 30 s. a runs to 10 s and sinks to level 1; b (level 0) runs to 20 s and sinks; a,
// the earlier, runs on from 10 to 30 s held, to 40 s, and sinks to level 2; b runs to 60 s and
// sinks; a runs its last 20 s to 80 s, then b.
TEST(Mlfq, JobSinksALevelAtEachLimit) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 50s}, {"b", 0s, 1, 50s}}, "mlfq:limits=10s/30s");
  EXPECT_EQ(result.start("b"), 10s);
  EXPECT_EQ(result.end("a"), 80s);
  EXPECT_EQ(result.end("b"), 100s);
  EXPECT_EQ(result["a"].preemptions, 2U);  // at 10 and 40 s
  EXPECT_EQ(result["b"].preemptions, 2U);  // at 20 and 60 s
}

// A job of at most the first limit is never overtaken by later ones: first come, first served.
TEST(Mlfq, InsideALevelTheEarlierJobGoesFirst) {
  const TestRun result =
      run("1x1", {{"a", 0s, 1, 10s}, {"b", 1s, 1, 9s}, {"c", 1s, 1, 1s}}, "mlfq:limits=10s");
  EXPECT_EQ(result.end("a"), 10s);
  EXPECT_EQ(result.end("b"), 19s);  // b before c, the longer before the shorter: by id
  EXPECT_EQ(result.end("c"), 20s);
  EXPECT_EQ(result.totals.preemptions, 0U);
}

// The first default limit is 3250 s, the second 7200 s. a and b leave level 0 at 3250 and 6500 s; a
// runs its level 1, 3950 s long, to 10,450 s, b its own to 14,400 s.
TEST(Mlfq, DefaultLimitsAre3250And7200Seconds) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 10'000s}, {"b", 0s, 1, 10'000s}}, "mlfq");
  EXPECT_EQ(result.start("b"), 3250s);
  EXPECT_EQ(result.end("a"), 17'200s);  // 14,400 + the 2800 s that are left
  EXPECT_EQ(result.end("b"), 20'000s);
  EXPECT_EQ(result["a"].preemptions, 2U);
  EXPECT_EQ(result["b"].preemptions, 2U);
}

// A new job starts in level 0 and takes the GPU of a, which has sunk; before that it would have
// waited.
TEST(Mlfq, NewJobTakesTheGpuOfOneThatHasSunk) {
  const char* policy = "mlfq:limits=10s";
  EXPECT_EQ(run("1x1", {{"a", 0s, 1, 100s}, {"b", 9s, 1, 5s}}, policy).start("b"), 10s);
  EXPECT_EQ(run("1x1", {{"a", 0s, 1, 100s}, {"b", 50s, 1, 5s}}, policy).start("b"), 50s);
}

// With a grain of 4 s the limit of 10 s is reached at 12 s of time held.
TEST(Mlfq, LevelIsLeftAtTheFirstMultipleOfTheGrain) {
  const std::vector<TestJob> jobs{{"a", 0s, 1, 100s}, {"b", 0s, 1, 5s}};
  EXPECT_EQ(run("1x1", jobs, "mlfq:limits=10s,grain=4s").start("b"), 12s);
  EXPECT_EQ(run("1x1", jobs, "mlfq:limits=10s,grain=5s").start("b"), 10s);
}

// Time held in several stretches adds up. a runs to 10 s, b to 20 s, a again to 25 s, when it has
// held 15 s and c comes. From 30 s on it needs 15 s more, not 20, to sink to level 2, where b takes
// the GPU, at 45 s, until it sinks too, at 65 s. a has 10 s left, then b 70 s.
TEST(Mlfq, TimeHeldAddsUpOverStretches) {
  const TestRun result =
      run("1x1", {{"a", 0s, 1, 40s}, {"b", 0s, 1, 100s}, {"c", 25s, 1, 5s}}, "mlfq:limits=10s/30s");
  EXPECT_EQ(result.start("c"), 25s);
  EXPECT_EQ(result.end("a"), 75s);
  EXPECT_EQ(result.end("b"), 145s);
}

// The time that a restart costs, here 4 s, is time held too. 0 to 10 s a; 10 to 15 s b; 15 to 25 s
// d, which sinks to level 1 beside a. a is the earlier: from 25 s on, progress from 29 s on, 30 s
// held at 45 s with 26 s of progress. d from 45 s on, 30 s held at 65 s with 26 s of progress. In
// level 2 a is the earlier again.
TEST(Mlfq, OverheadCountsAsTimeHeld) {
  SimOptions options;
  options.preempt_cost = 4s;
  const TestRun result = run("1x2", {{"a", 0s, 2, 100s}, {"b", 0s, 2, 5s}, {"d", 10s, 2, 30s}},
                             "mlfq:limits=10s/30s", "count", options);
  EXPECT_EQ(result.start("d"), 15s);
  EXPECT_EQ(result["d"].preemptions, 2U);
  EXPECT_EQ(result.end("a"), 143s);  // 65 + 4 + (100 - 26)
  EXPECT_EQ(result.end("d"), 151s);  // 143 + 4 + (30 - 26)
  EXPECT_EQ(result["a"].overhead, 8s);
}

// The old job is in the lowest level; as long as new ones come it waits.
TEST(Mlfq, OldJobIsStarvedByAStreamOfNewOnes) {
  for (const char* policy : {"mlfq:limits=10s", "mlfq2d:limits=10s"}) {
    std::vector<TestJob> jobs{{"old", 0s, 1, 100s}};
    for (int i = 0; i < 4; ++i) jobs.push_back({"new" + std::to_string(i), 10s + 5s * i, 1, 5s});
    const TestRun result = run("1x1", jobs, policy);
    EXPECT_EQ(result.end("old"), 120s) << policy;  // 30 + 90
    EXPECT_EQ(result["old"].preemptions, 1U) << policy;
  }
}

// b (2 GPUs) does not fit beside a, which is earlier in the same level: c passes b.
TEST(Mlfq, JobThatDoesNotFitIsPassedOver) {
  const TestRun result =
      run("1x2", {{"a", 0s, 1, 8s}, {"b", 0s, 2, 5s}, {"c", 0s, 1, 5s}}, "mlfq:limits=10s");
  EXPECT_EQ(result.start("c"), 0s);
  EXPECT_EQ(result.start("b"), 8s);
}

// 10 GPU-seconds are reached by 2 GPUs after 5 s.
TEST(Mlfq2d, GpusWeighTheTimeHeld) {
  const TestRun result = run("1x2", {{"a", 0s, 2, 100s}, {"b", 0s, 1, 3s}}, "mlfq2d:limits=10s");
  EXPECT_EQ(result.start("b"), 5s);
  EXPECT_EQ(run("1x2", {{"a", 0s, 2, 100s}, {"b", 0s, 1, 3s}}, "mlfq:limits=10s").start("b"), 10s);
}

// 10 GPU-seconds on 3 GPUs are 3.333... s held: rounded up to a microsecond, or to the grain.
TEST(Mlfq2d, LimitIsRoundedUpInTimeHeld) {
  const std::vector<TestJob> jobs{{"a", 0s, 3, 100s}, {"b", 0s, 1, 3s}};
  EXPECT_EQ(run("1x3", jobs, "mlfq2d:limits=10s").start("b"), 3'333'334us);
  EXPECT_EQ(run("1x3", jobs, "mlfq2d:limits=10s,grain=1s").start("b"), 4s);
}

// Both are in level 1 from 10 s on: a, the earlier, takes the GPUs of b, although b runs.
TEST(Mlfq2d, TieGoesToTheEarlierJobEvenIfTheOtherRuns) {
  const TestRun result = run("1x2", {{"a", 0s, 2, 20s}, {"b", 0s, 2, 20s}}, "mlfq2d:limits=10s");
  EXPECT_EQ(result.end("a"), 25s);  // 0 to 5 and 10 to 25 s
  EXPECT_EQ(result.end("b"), 40s);
}

}  // namespace
}  // namespace orrery::test
