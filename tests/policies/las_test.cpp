// Least attained time (las) and least attained service (las2d) first, looked at again at every
// multiple of the quantum.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

// Two jobs of 100 s on one GPU take turns of 10 s: at 10, 30, ... b has held less, at 20, 40, ...
// both have held the same and a, the earlier, goes first. a's tenth turn is 180 to 190 s, b's is
// 190 to 200 s; each lost the GPU nine times.
TEST(Las, EqualJobsTakeTurnsOfAQuantum) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 100s}, {"b", 0s, 1, 100s}}, "las:quantum=10s");
  EXPECT_EQ(result.start("b"), 10s);
  EXPECT_EQ(result.end("a"), 190s);
  EXPECT_EQ(result.end("b"), 200s);
  EXPECT_EQ(result["a"].preemptions, 9U);
  EXPECT_EQ(result["b"].preemptions, 9U);
}

// Eight jobs of 100 s on four GPUs with a quantum of 50 s: four run to 50 s, the other four to
// 100 s, the first four to their end at 150 s, the others to 200 s. Mean JCT 175.
TEST(Las, EightJobsOnFourGpusShareInTwoTurns) {
  std::vector<TestJob> jobs;
  for (int i = 1; i <= 8; ++i) jobs.push_back({std::to_string(i), 0s, 1, 100s});
  const TestRun result = run("1x4", jobs, "las:quantum=50s");
  for (int i = 1; i <= 4; ++i) EXPECT_EQ(result.end(std::to_string(i)), 150s) << i;
  for (int i = 5; i <= 8; ++i) EXPECT_EQ(result.end(std::to_string(i)), 200s) << i;
}

// Six minutes is the default.
TEST(Las, DefaultQuantumIsSixMinutes) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 1000s}, {"b", 0s, 1, 1000s}}, "las");
  EXPECT_EQ(result.start("b"), 360s);
}

// A new job has held nothing: it takes the GPU when it comes, not at the next quantum.
TEST(Las, NewJobStartsAtOnce) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 100s}, {"b", 30s, 1, 10s}}, "las");
  EXPECT_EQ(result.start("b"), 30s);
  EXPECT_EQ(result.end("a"), 110s);
}

// Every event is an occasion. At 40 s b ends; c takes its GPU, and d, which has held nothing, that
// of a, which has held 40 s. c ends at 90 s and gives a its GPU back; nobody waits at the quantum
// of 100 s.
TEST(Las, EndOfAJobIsAnOccasionToo) {
  const TestRun result =
      run("1x2", {{"a", 0s, 1, 100s}, {"b", 0s, 1, 40s}, {"c", 0s, 1, 50s}, {"d", 0s, 1, 60s}},
          "las:quantum=100s");
  EXPECT_EQ(result.start("c"), 40s);
  EXPECT_EQ(result.start("d"), 40s);
  EXPECT_EQ(result.end("c"), 90s);
  EXPECT_EQ(result.end("d"), 100s);
  EXPECT_EQ(result.end("a"), 150s);  // 90 + 60
  EXPECT_EQ(result["a"].preemptions, 1U);
}

// Quanta fall at multiples of 10 s from the origin, not from a start: a starts at 3 s and gives way
// to b at 10 s, after 7 s.
TEST(Las, QuantaFallAtMultiplesFromTheOrigin) {
  const TestRun result = run("1x1", {{"a", 3s, 1, 100s}, {"b", 3s, 1, 100s}}, "las:quantum=10s");
  EXPECT_EQ(result.start("b"), 10s);
}

// a has held 50 s when a stream of new jobs of 10 s comes: it waits for all of them.
TEST(Las, OldJobIsStarvedByAStreamOfNewOnes) {
  for (const char* policy : {"las", "las2d"}) {
    std::vector<TestJob> jobs{{"old", 0s, 1, 100s}};
    for (int i = 5; i < 10; ++i) jobs.push_back({"new" + std::to_string(i), 10s * i, 1, 10s});
    const TestRun result = run("1x1", jobs, policy);
    EXPECT_EQ(result.end("old"), 150s) << policy;  // 100 + 50
    EXPECT_EQ(result["old"].preemptions, 1U) << policy;
  }
}

// Behind a gang of 4 that has to wait, single jobs run on what is free. At 10 s gang has held
// nothing and takes all.
TEST(Las, JobThatDoesNotFitIsPassedOverUntilItIsFirst) {
  const TestRun result =
      run("1x4", {{"a", 0s, 2, 100s}, {"b", 0s, 4, 5s}, {"c", 0s, 1, 100s}}, "las:quantum=10s");
  EXPECT_EQ(result.start("c"), 0s);
  EXPECT_EQ(result.start("b"), 10s);
  EXPECT_EQ(result.end("b"), 15s);
  EXPECT_EQ(result.end("a"), 105s);
  EXPECT_EQ(result.end("c"), 105s);
}

// a (4 GPUs) has 40 GPU-seconds after 10 s; b (one GPU) catches up at 50 s, and the tie goes to a.
// So a holds from 0, 50 and 100 s for 10 s each, b from 10, 60 and 110 s; b has its 100 s at 130 s,
// and a needs 10 s more.
TEST(Las2d, GpusWeighTheTimeHeld) {
  const TestRun result = run("1x4", {{"a", 0s, 4, 40s}, {"b", 0s, 1, 100s}}, "las2d:quantum=10s");
  EXPECT_EQ(result.start("b"), 10s);
  EXPECT_EQ(result.end("b"), 130s);  // 40 + 40 + 20 s in three stretches
  EXPECT_EQ(result.end("a"), 140s);
  EXPECT_EQ(result["a"].preemptions, 3U);
  EXPECT_EQ(result["b"].preemptions, 2U);
}

// By time alone a and b would take turns of 10 s: a from 0, 20, 40, 60 s ends at 70 s.
TEST(Las, GpusDoNotWeighTheTimeHeld) {
  const TestRun result = run("1x4", {{"a", 0s, 4, 40s}, {"b", 0s, 1, 100s}}, "las:quantum=10s");
  EXPECT_EQ(result.end("a"), 70s);
  EXPECT_EQ(result.end("b"), 140s);  // 40 s of turns of a, then its own 100 s
}

// Equal in service at every even turn: the earlier job goes first, as with las.
TEST(Las2d, TieGoesToTheEarlierJob) {
  const TestRun result = run("1x2", {{"a", 0s, 2, 20s}, {"b", 0s, 2, 20s}}, "las2d:quantum=10s");
  EXPECT_EQ(result.end("a"), 30s);  // 0 to 10 and 20 to 30
  EXPECT_EQ(result.end("b"), 40s);
}

}  // namespace
}  // namespace orrery::test
