// Shortest remaining time first (srtf) and shortest remaining service first (srsf), preemptive.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

Duration waited(const TestRun& result, const std::string& id, WaitCause cause) {
  return result[id].wait[static_cast<std::size_t>(cause)];
}

// b (10 s) takes the GPU of a (100 s) at 5 s and gives it back at 15 s: a ends at 100 + 10.
TEST(Srtf, ShorterJobTakesTheGpuOfALongerOne) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 100s}, {"b", 5s, 1, 10s}}, "srtf");
  EXPECT_EQ(result.start("b"), 5s);
  EXPECT_EQ(result.end("a"), 110s);
  EXPECT_EQ(result["a"].preemptions, 1U);
  EXPECT_EQ(result["a"].run, 100s);  // its progress is kept
  EXPECT_EQ(waited(result, "a", WaitCause::preempted), 10s);
}

// At 95 s a has 5 s left, less than the 10 s of b, although it is the longer job.
TEST(Srtf, WhatIsLeftCountsAndNotTheWhole) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 100s}, {"b", 95s, 1, 10s}}, "srtf");
  EXPECT_EQ(result.start("b"), 100s);
  EXPECT_EQ(result.totals.preemptions, 0U);
}

// At 90 s a has 10 s left, as much as b: the earlier one goes first. A microsecond earlier a has
// more left and loses its GPU.
TEST(Srtf, TieGoesToTheEarlierJob) {
  const TestRun tie = run("1x1", {{"a", 0s, 1, 100s}, {"b", 90s, 1, 10s}}, "srtf");
  EXPECT_EQ(tie.start("b"), 100s);
  const TestRun before = run("1x1", {{"a", 0s, 1, 100s}, {"b", 90s - 1us, 1, 10s}}, "srtf");
  EXPECT_EQ(before.start("b"), 90s - 1us);
  EXPECT_EQ(before.end("a"), 110s);
}

// Four jobs have 90 s left at 10 s; equal, so the latest ids are the latest in the order. A gang of
// 3 takes the GPUs of 4, 3 and 2; these come back at 30 s and end at 30 + 90.
TEST(Srtf, LatestInTheOrderGiveWayFirst) {
  const TestRun result = run("1x4",
                             {{"1", 0s, 1, 100s},
                              {"2", 0s, 1, 100s},
                              {"3", 0s, 1, 100s},
                              {"4", 0s, 1, 100s},
                              {"gang", 10s, 3, 20s}},
                             "srtf");
  EXPECT_EQ(result.start("gang"), 10s);
  EXPECT_EQ(result.end("1"), 100s);
  for (const char* id : {"2", "3", "4"}) EXPECT_EQ(result.end(id), 120s) << id;
  EXPECT_EQ(result.totals.preemptions, 3U);
}

// x holds 3 GPUs (49 s left), y one (59 s left); w wants 3. The latest, y, is not enough; with x
// there are 4, and then y is not needed: only x loses its GPUs.
TEST(Srtf, NobodyIsPreemptedInVain) {
  const TestRun result =
      run("1x4", {{"x", 0s, 3, 50s}, {"y", 0s, 1, 60s}, {"w", 1s, 3, 5s}}, "srtf");
  EXPECT_EQ(result.start("w"), 1s);
  EXPECT_EQ(result.end("x"), 55s);
  EXPECT_EQ(result.end("y"), 60s);
  EXPECT_EQ(result["x"].preemptions, 1U);
  EXPECT_EQ(result["y"].preemptions, 0U);
}

// Two GPUs, the whole of which w wants. x has less left than w and y more: what y holds is not
// enough, so y keeps it.
TEST(Srtf, NobodyIsPreemptedWhereThatIsNotEnough) {
  const TestRun result =
      run("1x2", {{"x", 0s, 1, 10s}, {"y", 0s, 1, 60s}, {"w", 1s, 2, 20s}}, "srtf");
  EXPECT_EQ(result["y"].preemptions, 1U);  // at 10 s, when x has ended: 50 s left against 20 s
  EXPECT_EQ(result.start("w"), 10s);
  EXPECT_EQ(result.end("y"), 80s);  // 30 + 50
}

// b (2 GPUs, 20 s) cannot take the GPU of a, which has 9 s left; c (30 s) passes it. When a ends, b
// has less than the 22 s that c has left and takes both GPUs.
TEST(Srtf, JobThatDoesNotFitIsPassedOver) {
  const TestRun result =
      run("1x2", {{"a", 0s, 1, 10s}, {"b", 1s, 2, 20s}, {"c", 2s, 1, 30s}}, "srtf");
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("b"), 10s);
  EXPECT_EQ(result.end("c"), 52s);  // 30 + 22
}

// Jobs of 10 s follow each other from 10 s to 60 s; the job of 100 s loses its GPU once, to the
// first of them, and gets it back after the last.
TEST(Srtf, LongJobIsStarvedByAStreamOfShortOnes) {
  std::vector<TestJob> jobs{{"long", 0s, 1, 100s}};
  for (int i = 1; i <= 5; ++i) jobs.push_back({"short" + std::to_string(i), 10s * i, 1, 10s});
  const TestRun result = run("1x1", jobs, "srtf");
  EXPECT_EQ(result.end("long"), 150s);  // 60 + 90
  EXPECT_EQ(result["long"].preemptions, 1U);
  EXPECT_EQ(waited(result, "long", WaitCause::preempted), 50s);
}

// u has no walltime, so nobody knows what is left of it: v takes its GPU at 1 s. Two such jobs are
// ordered by submit time, and the earlier one keeps the GPU.
TEST(Srtf, UnknownDurationSortsLast) {
  SimOptions walltimes;
  walltimes.durations.kind = DurationKnowledge::Kind::walltime;
  for (const char* policy : {"srtf", "srsf"}) {
    const TestRun result = run("1x1", {{"u", 0s, 1, 5s}, {"v", 1s, 1, 50s, 500s}, {"w", 2s, 1, 1s}},
                               policy, "count", walltimes);
    EXPECT_EQ(result.start("v"), 1s) << policy;
    EXPECT_EQ(result.end("u"), 55s) << policy;    // 51 + 4
    EXPECT_EQ(result.start("w"), 55s) << policy;  // behind u
  }
}

// a holds 4 GPUs and has 20 s left at 10 s: 80 GPU-seconds. b wants one GPU for 50 s: 50
// GPU-seconds. By service b goes first and a waits for all four; by time a does.
TEST(Srsf, GpusWeighWhatIsLeft) {
  const std::vector<TestJob> jobs{{"a", 0s, 4, 30s}, {"b", 10s, 1, 50s}};
  const TestRun by_service = run("1x4", jobs, "srsf");
  EXPECT_EQ(by_service.start("b"), 10s);
  EXPECT_EQ(by_service.end("a"), 80s);  // 60 + 20
  const TestRun by_time = run("1x4", jobs, "srtf");
  EXPECT_EQ(by_time.end("a"), 30s);
  EXPECT_EQ(by_time.start("b"), 30s);
}

// What is left falls at different speeds and crosses. wide (3 GPUs, 100 s) starts with 300
// GPU-seconds, narrow (one GPU, 200 s) with 200. At 10 s they have 270 and 190 left, and w (one
// GPU, 20 s) takes a GPU of wide, the later; at 60 s they have 120 and 140, and it takes that of
// narrow.
TEST(Srsf, OrderOfRunningJobsChangesWhileTheyRun) {
  const auto with_w_at = [](Duration submit) {
    return run("1x4", {{"wide", 0s, 3, 100s}, {"narrow", 0s, 1, 200s}, {"w", submit, 1, 20s}},
               "srsf");
  };
  const TestRun early = with_w_at(10s);
  EXPECT_EQ(early.end("wide"), 120s);
  EXPECT_EQ(early["narrow"].preemptions, 0U);
  const TestRun late = with_w_at(60s);
  EXPECT_EQ(late["wide"].preemptions, 0U);
  EXPECT_EQ(late.end("narrow"), 220s);
}

// 4 GPUs for 20 s more and 2 GPUs for 40 s are both 80 GPU-seconds: the earlier job keeps its GPUs.
TEST(Srsf, TieGoesToTheEarlierJob) {
  const TestRun result = run("1x4", {{"a", 0s, 4, 30s}, {"b", 10s, 2, 40s}}, "srsf");
  EXPECT_EQ(result.end("a"), 30s);
  EXPECT_EQ(result.start("b"), 30s);
}

// A gang of 4 with 400 GPU-seconds waits while single jobs of 10 s follow each other to 60 s.
TEST(Srsf, WideJobIsStarvedByAStreamOfSmallOnes) {
  std::vector<TestJob> jobs{{"wide", 0s, 4, 100s}};
  for (int i = 1; i <= 5; ++i) jobs.push_back({"small" + std::to_string(i), 10s * i, 1, 10s});
  const TestRun result = run("1x4", jobs, "srsf");
  EXPECT_EQ(result.end("wide"), 150s);  // 60 + 90
  EXPECT_EQ(result["wide"].preemptions, 1U);
}

}  // namespace
}  // namespace orrery::test
