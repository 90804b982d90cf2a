// First come, first served: fifo stops at the first job that does not fit, fifo-skip passes it
// over.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

// Eight GPUs, three gangs of eight: 100 s, 1000 s and 10 s long. The last waits for both before it.
TEST(Fifo, ShortJobWaitsForTheLongOneBeforeIt) {
  const TestRun result =
      run("1x8", {{"J0", 0s, 8, 100s}, {"J1", 1s, 8, 1000s}, {"J2", 2s, 8, 10s}}, "fifo");
  EXPECT_EQ(result.end("J0"), 100s);
  EXPECT_EQ(result.end("J1"), 1100s);  // 100 + 1000, a JCT of 1099
  EXPECT_EQ(result.end("J2"), 1110s);  // 1100 + 10, a JCT of 1108
}

// a holds 3 of 4 GPUs to 100 s. b wants 2 and waits; behind it c and d wait too, although one GPU
// is free: head-of-line blocking. From 100 s on b (2) and c, d (1 each) fit together.
TEST(Fifo, JobThatDoesNotFitStopsEveryLaterOne) {
  const TestRun result = run(
      "1x4", {{"a", 0s, 3, 100s}, {"b", 1s, 2, 10s}, {"c", 2s, 1, 10s}, {"d", 3s, 1, 5s}}, "fifo");
  EXPECT_EQ(result.start("b"), 100s);
  EXPECT_EQ(result.start("c"), 100s);
  EXPECT_EQ(result.start("d"), 100s);
}

// Three jobs of the same submit time on one GPU go by id, and 2 is less than 10, whatever their
// rows: 1 from 0 s, 2 from 10 s, 10 from 20 s.
TEST(Fifo, TiesGoByIdAsANumber) {
  const TestRun result =
      run("1x1", {{"10", 0s, 1, 10s}, {"2", 0s, 1, 10s}, {"1", 0s, 1, 10s}}, "fifo");
  EXPECT_EQ(result.start("1"), 0s);
  EXPECT_EQ(result.start("2"), 10s);
  EXPECT_EQ(result.start("10"), 20s);
}

// Ten jobs of one GPU and 10 s, one every 5 s from 0 s on, and at 1 s a gang of both GPUs.
std::vector<TestJob> stream_and_a_gang() {
  std::vector<TestJob> jobs{{"gang", 1s, 2, 10s}};
  for (int i = 0; i < 10; ++i) jobs.push_back({"small" + std::to_string(i), 5s * i, 1, 10s});
  return jobs;
}

// Nobody starves: the gang is next when small0 ends at 10 s, and small1 (5 s) waits behind it.
TEST(Fifo, GangIsNotStarvedByAStreamOfSmallJobs) {
  const TestRun result = run("1x2", stream_and_a_gang(), "fifo");
  EXPECT_EQ(result.start("gang"), 10s);
  EXPECT_EQ(result.start("small1"), 20s);
}

// The same with skipping: from 5 s on two small jobs always overlap. The last of them comes at 45 s
// and ends at 55 s: only then are both GPUs free.
TEST(FifoSkip, GangIsStarvedByAStreamOfSmallJobs) {
  const TestRun result = run("1x2", stream_and_a_gang(), "fifo-skip");
  EXPECT_EQ(result.start("small1"), 5s);
  EXPECT_EQ(result.start("small9"), 45s);
  EXPECT_EQ(result.start("gang"), 55s);
}

// One GPU of four is free. b (2) and c (3) do not fit; d (1) passes both; e (1) finds nothing and
// is first to take the GPU of d at 8 s: b is tried first then, in its place, and still does not
// fit.
TEST(FifoSkip, JobThatDoesNotFitIsPassedOverAndKeepsItsPlace) {
  const TestRun result = run("1x4",
                             {{"a", 0s, 3, 100s},
                              {"b", 1s, 2, 10s},
                              {"c", 2s, 3, 10s},
                              {"d", 3s, 1, 5s},
                              {"e", 4s, 1, 92s}},
                             "fifo-skip");
  EXPECT_EQ(result.start("d"), 3s);
  EXPECT_EQ(result.start("e"), 8s);    // 3 + 5; it ends at 100 s, with a
  EXPECT_EQ(result.start("b"), 100s);  // of four free GPUs it takes two,
  EXPECT_EQ(result.start("c"), 110s);  // which leaves too few for c until b ends
}

// Two jobs of the same submit time want the one GPU that is free: the lower id gets it.
TEST(FifoSkip, TiesGoById) {
  const TestRun result =
      run("1x2", {{"a", 0s, 1, 100s}, {"c", 1s, 1, 10s}, {"b", 1s, 1, 10s}}, "fifo-skip");
  EXPECT_EQ(result.start("b"), 1s);
  EXPECT_EQ(result.start("c"), 11s);
}

// A short job that comes while a long one runs takes nothing from it.
TEST(Fifo, NeverPreempts) {
  for (const char* policy : {"fifo", "fifo-skip"}) {
    const TestRun result = run("1x1", {{"a", 0s, 1, 1000s}, {"b", 1s, 1, 1s}}, policy);
    EXPECT_EQ(result.end("a"), 1000s) << policy;
    EXPECT_EQ(result.start("b"), 1000s) << policy;
    EXPECT_EQ(result.totals.preemptions, 0U) << policy;
  }
}

}  // namespace
}  // namespace orrery::test
