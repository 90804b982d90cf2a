// Shortest job first, not preemptive: sjf stops at the first job that does not fit, sjf-skip passes
// it over.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

SimOptions knowing(DurationKnowledge::Kind kind) {
  SimOptions options;
  options.durations.kind = kind;
  return options;
}

// b (8 s), c (3 s) and d (5 s) wait for a. At 10 s the order is c, d, b.
TEST(Sjf, ShortestWaitingJobIsNext) {
  for (const char* policy : {"sjf", "sjf-skip"}) {
    const TestRun result = run(
        "1x1", {{"a", 0s, 1, 10s}, {"b", 1s, 1, 8s}, {"c", 2s, 1, 3s}, {"d", 3s, 1, 5s}}, policy);
    EXPECT_EQ(result.start("c"), 10s) << policy;
    EXPECT_EQ(result.start("d"), 13s) << policy;  // 10 + 3
    EXPECT_EQ(result.start("b"), 18s) << policy;  // 13 + 5
  }
}

// a needs 1000 s and has begun: b (1 s) waits for it.
TEST(Sjf, NeverPreempts) {
  for (const char* policy : {"sjf", "sjf-skip"}) {
    const TestRun result = run("1x1", {{"a", 0s, 1, 1000s}, {"b", 1s, 1, 1s}}, policy);
    EXPECT_EQ(result.start("b"), 1000s) << policy;
    EXPECT_EQ(result.totals.preemptions, 0U) << policy;
  }
}

// One of two GPUs is free from 0 s to 100 s. b is the shortest, wants both and stops the walk: c
// waits until b has run. With skipping c takes the free GPU at once.
TEST(Sjf, ShortestJobBlocksTheOthersUnlessItIsSkipped) {
  const std::vector<TestJob> jobs{{"a", 0s, 1, 100s}, {"b", 1s, 2, 5s}, {"c", 2s, 1, 50s}};
  const TestRun strict = run("1x2", jobs, "sjf");
  EXPECT_EQ(strict.start("b"), 100s);
  EXPECT_EQ(strict.start("c"), 105s);
  const TestRun skipping = run("1x2", jobs, "sjf-skip");
  EXPECT_EQ(skipping.start("c"), 2s);
  EXPECT_EQ(skipping.start("b"), 100s);
}

// The blocking job is the first in the order, not the first that came: a shorter job than b does
// start on the free GPU.
TEST(Sjf, JobShorterThanTheBlockingOneStarts) {
  const TestRun result =
      run("1x2", {{"a", 0s, 1, 100s}, {"b", 1s, 2, 5s}, {"c", 2s, 1, 4s}}, "sjf");
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("b"), 100s);
}

// b, c and d are equally long: b came first, c and d came together and go by id.
TEST(Sjf, TiesGoBySubmitTimeThenId) {
  for (const char* policy : {"sjf", "sjf-skip"}) {
    const TestRun result = run(
        "1x1", {{"a", 0s, 1, 10s}, {"d", 2s, 1, 7s}, {"c", 2s, 1, 7s}, {"b", 1s, 1, 7s}}, policy);
    EXPECT_EQ(result.start("b"), 10s) << policy;
    EXPECT_EQ(result.start("c"), 17s) << policy;
    EXPECT_EQ(result.start("d"), 24s) << policy;
  }
}

// Five jobs of 10 s come at 5, 15, ... 45 s: whenever the GPU is free, at 10, 20, ... 50 s, one of
// them waits. The job of 100 s from 1 s on gets the GPU when the last of them ends, at 60 s.
TEST(Sjf, LongJobIsStarvedByAStreamOfShortOnes) {
  for (const char* policy : {"sjf", "sjf-skip"}) {
    std::vector<TestJob> jobs{{"first", 0s, 1, 10s}, {"long", 1s, 1, 100s}};
    for (int i = 0; i < 5; ++i) jobs.push_back({"short" + std::to_string(i), 5s + 10s * i, 1, 10s});
    EXPECT_EQ(run("1x1", jobs, policy).start("long"), 60s) << policy;
  }
}

// Two jobs, 100 s and 10 s, queued together. Right knowledge runs the short one first: JCTs 10 and
// 110, mean 60. Knowledge that swaps them runs the long one first: 100 and 110, mean 105.
TEST(Sjf, OrdersByWhatItIsToldAndNotByTheTruth) {
  const std::vector<TestJob> jobs{{"long", 0s, 1, 100s, 10s}, {"short", 0s, 1, 10s, 100s}};
  const TestRun right = run("1x1", jobs, "sjf", "count", knowing(DurationKnowledge::Kind::oracle));
  EXPECT_EQ(right.end("short"), 10s);
  EXPECT_EQ(right.end("long"), 110s);
  const TestRun wrong =
      run("1x1", jobs, "sjf", "count", knowing(DurationKnowledge::Kind::walltime));
  EXPECT_EQ(wrong.end("long"), 100s);
  EXPECT_EQ(wrong.end("short"), 110s);
}

// b has no walltime: it sorts behind c, whose walltime is a year, although b came first and is
// shorter.
TEST(Sjf, UnknownDurationSortsLast) {
  for (const char* policy : {"sjf", "sjf-skip", "svsf", "svsf-skip"}) {
    const TestRun result = run(
        "1x1", {{"a", 0s, 1, 10s, 10s}, {"b", 1s, 1, 1s}, {"c", 2s, 1, 20s, Duration{24h * 365}}},
        policy, "count", knowing(DurationKnowledge::Kind::walltime));
    EXPECT_EQ(result.start("c"), 10s) << policy;
    EXPECT_EQ(result.start("b"), 30s) << policy;
  }
}

}  // namespace
}  // namespace orrery::test
