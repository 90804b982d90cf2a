// Tiresias (Gu et al., NSDI 2019): discretised two-dimensional least attained service; inside a
// queue, running jobs go first.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

// Queues end at 10 and 30 GPU-seconds. a runs to 10 s and sinks; b (queue 0) runs to 10 GPU-seconds
// at 20 s and sinks beside a, but it runs and keeps the GPU to 30 GPU-seconds, at 40 s; a (queue 1)
// runs from 40 to 60 s, sinks beside b, runs on and ends at 80 s; b ends at 100 s. Each lost the
// GPU once: with first come, first served inside a queue (mlfq2d) it is twice.
TEST(Tiresias, RunningJobKeepsItsGpusInsideAQueue) {
  const std::vector<TestJob> jobs{{"a", 0s, 1, 50s}, {"b", 0s, 1, 50s}};
  const TestRun result = run("1x1", jobs, "tiresias:limits=10s/30s");
  EXPECT_EQ(result.start("b"), 10s);
  EXPECT_EQ(result.end("a"), 80s);
  EXPECT_EQ(result.end("b"), 100s);
  EXPECT_EQ(result["a"].preemptions, 1U);
  EXPECT_EQ(result["b"].preemptions, 1U);
  const TestRun fifo_inside = run("1x1", jobs, "mlfq2d:limits=10s/30s");
  EXPECT_EQ(fifo_inside["a"].preemptions, 2U);
  EXPECT_EQ(fifo_inside["b"].preemptions, 2U);
}

// The defaults are 3250 and 7200 GPU-seconds: a gang of 4 leaves the first queue after 812.5 s, one
// of 1 after 3250 s.
TEST(Tiresias, FirstQueueEndsAt3250GpuSeconds) {
  EXPECT_EQ(run("1x4", {{"a", 0s, 4, 9000s}, {"b", 0s, 4, 1s}}, "tiresias").start("b"), 812'500ms);
  EXPECT_EQ(run("1x1", {{"a", 0s, 1, 9000s}, {"b", 0s, 1, 1s}}, "tiresias").start("b"), 3250s);
}

// Gangs of 4: a leaves the first queue at 812.5 s, b at 1625 s; b runs on to 1800 s held (7200
// GPU-seconds), at 2612.5 s, where a, still in the second queue, takes over. In the last queue,
// from 1800 s held on, a runs on to its end, and b then.
TEST(Tiresias, SecondQueueEndsAt7200GpuSeconds) {
  const TestRun result = run("1x4", {{"a", 0s, 4, 9000s}, {"b", 0s, 4, 9000s}}, "tiresias");
  EXPECT_EQ(result["a"].preemptions, 1U);
  EXPECT_EQ(result["b"].preemptions, 1U);
  EXPECT_EQ(result.end("a"), 10'800s);  // 2612.5 + 9000 - 812.5
  EXPECT_EQ(result.end("b"), 18'000s);
}

// A new job comes into the first queue and takes the GPU of one that has sunk.
TEST(Tiresias, NewJobTakesTheGpuOfOneThatHasSunk) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 100s}, {"b", 50s, 1, 5s}}, "tiresias:limits=10s");
  EXPECT_EQ(result.start("b"), 50s);
  EXPECT_EQ(result.end("a"), 105s);
}

// No job is preempted by one of its own queue: b, c wait for a in queue 0 until it has sunk.
TEST(Tiresias, NewJobWaitsForARunningOneOfItsQueue) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 8s}, {"b", 1s, 1, 1s}}, "tiresias:limits=10s");
  EXPECT_EQ(result.start("b"), 8s);
  EXPECT_EQ(result.totals.preemptions, 0U);
}

// Waiting jobs of one queue go by submit time, then id: b before c before d.
TEST(Tiresias, TiesAmongWaitingJobsGoBySubmitTimeThenId) {
  const TestRun result =
      run("1x1", {{"a", 0s, 1, 9s}, {"d", 2s, 1, 1s}, {"c", 2s, 1, 2s}, {"b", 1s, 1, 3s}},
          "tiresias:limits=10s");
  EXPECT_EQ(result.start("b"), 9s);
  EXPECT_EQ(result.start("c"), 12s);
  EXPECT_EQ(result.start("d"), 14s);
}

// Of two running jobs that both have sunk the one that came later gives way: c's one GPU comes from
// b. When c ends b comes back.
TEST(Tiresias, LatestRunningJobOfTheLowestQueueGivesWay) {
  const TestRun result = run("1x2", {{"a", 0s, 1, 100s}, {"b", 0s, 1, 100s}, {"c", 50s, 1, 5s}},
                             "tiresias:limits=10s");
  EXPECT_EQ(result.start("c"), 50s);
  EXPECT_EQ(result.end("a"), 100s);
  EXPECT_EQ(result.end("b"), 105s);
}

// The promote knob is off: an old job waits in the last queue for as long as new ones come.
TEST(Tiresias, OldJobIsStarvedByAStreamOfNewOnes) {
  std::vector<TestJob> jobs{{"old", 0s, 1, 100s}};
  for (int i = 0; i < 20; ++i) jobs.push_back({"new" + std::to_string(i), 10s + 5s * i, 1, 5s});
  const TestRun result = run("1x1", jobs, "tiresias:limits=10s");
  EXPECT_EQ(result.end("old"), 200s);  // 110 + 90
  EXPECT_EQ(result["old"].preemptions, 1U);
}

// b (2 GPUs) cannot take the GPU of a, which runs in the same queue: c passes it. At 10 s both a
// and c have sunk, and b takes both GPUs.
TEST(Tiresias, JobThatDoesNotFitIsPassedOver) {
  const TestRun result =
      run("1x2", {{"a", 0s, 1, 50s}, {"b", 0s, 2, 5s}, {"c", 0s, 1, 50s}}, "tiresias:limits=10s");
  EXPECT_EQ(result.start("c"), 0s);
  EXPECT_EQ(result.start("b"), 10s);
  EXPECT_EQ(result.end("a"), 55s);
  EXPECT_EQ(result.end("c"), 55s);
}

}  // namespace
}  // namespace orrery::test
