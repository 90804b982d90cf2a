// EASY backfilling (Lifka, JSSPP 1995): the head of the queue has a reservation that later jobs
// must not delay.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

SimOptions oracle() {
  SimOptions options;
  options.durations.kind = DurationKnowledge::Kind::oracle;
  return options;
}

// b is promised 100 s. c ends at 92 s and fills the gap; d would end at 101 s and has to wait until
// b has run. JCTs 100, 109, 90 and 205, a mean of 126. Passing b over (fifo-skip) lets d in at 92 s
// and delays b to 190 s: JCTs 100, 199, 90 and 187, a mean of 144.
TEST(Easy, FillsTheGapAndNeverDelaysTheHeadOfTheQueue) {
  const std::vector<TestJob> jobs{
      {"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, 90s}, {"d", 3s, 1, 98s}};
  for (const char* placement : {"count", "first-fit", "best-fit", "consolidated", "spread"}) {
    const TestRun result = run("1x4", jobs, "easy", placement, oracle());
    EXPECT_EQ(result.start("b"), 100s) << placement;
    EXPECT_EQ(result.start("c"), 2s) << placement;
    EXPECT_EQ(result.start("d"), 110s) << placement;
    EXPECT_EQ(result.totals.preemptions, 0U) << placement;
  }
  const TestRun greedy = run("1x4", jobs, "fifo-skip");
  EXPECT_EQ(greedy.start("d"), 92s);
  EXPECT_EQ(greedy.start("b"), 190s);
}

// A job that ends in the very instant of the reservation may go ahead; one microsecond more and it
// may not.
TEST(Easy, JobMayEndInTheReservedInstant) {
  const auto with_run_time = [](Duration run_time) {
    return run("1x4", {{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, run_time}}, "easy",
               "count", oracle());
  };
  EXPECT_EQ(with_run_time(98s).start("c"), 2s);
  EXPECT_EQ(with_run_time(98s).start("b"), 100s);
  EXPECT_EQ(with_run_time(98s + 1us).start("c"), 110s);
  EXPECT_EQ(with_run_time(98s + 1us).start("b"), 100s);
}

// Five GPUs. At 100 s all are free and b takes 4: one is left over. c, however long, may have one
// GPU; d then may not, though a second one is free.
TEST(Easy, LongJobMayUseWhatTheHeadLeavesOver) {
  const TestRun result =
      run("1x5", {{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, 1000s}, {"d", 3s, 1, 1000s}},
          "easy", "count", oracle());
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("b"), 100s);
  EXPECT_EQ(result.start("d"), 110s);
}

// Nodes of two. b is reserved both GPUs of node 0 or 1 at 50 s; on equal nodes the lower: node 0,
// where one GPU is free now. A long job must not take it, but where GPUs are only counted two are
// left over at 50 s, and it may.
TEST(Easy, GpusOfTheHeadAreFixedOnItsNodes) {
  const std::vector<TestJob> jobs{{"a1", 0s, 1, 50s},
                                  {"a2", 0s, 2, 50s},
                                  {"a3", 0s, 2, 100s},
                                  {"b", 1s, 2, 10s},
                                  {"c", 2s, 1, 1000s}};
  const TestRun nodes = run("3x2", jobs, "easy", "best-fit", oracle());
  EXPECT_EQ(nodes.start("b"), 50s);
  EXPECT_EQ(nodes.start("c"), 50s);  // on node 1
  const TestRun count = run("3x2", jobs, "easy", "count", oracle());
  EXPECT_EQ(count.start("c"), 2s);
  EXPECT_EQ(count.start("b"), 50s);
}

// b is reserved node 1, where a2 ends first. The free GPU of node 0 is not its business.
TEST(Easy, GpusOfOtherNodesAreFreeForLongJobs) {
  const TestRun result =
      run("2x2", {{"a1", 0s, 1, 100s}, {"a2", 0s, 2, 50s}, {"b", 1s, 2, 10s}, {"c", 2s, 1, 1000s}},
          "easy", "best-fit", oracle());
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("b"), 50s);
}

// Only the head has a reservation. h (3 of 4) is promised 100 s and leaves one GPU over; d takes it
// for 1000 s, and w, the second in the queue, which wants all four, waits for d.
TEST(Easy, SecondInTheQueueHasNoReservation) {
  const TestRun result =
      run("1x4", {{"a", 0s, 2, 100s}, {"h", 1s, 3, 10s}, {"w", 2s, 4, 50s}, {"d", 3s, 1, 1000s}},
          "easy", "count", oracle());
  EXPECT_EQ(result.start("h"), 100s);
  EXPECT_EQ(result.start("d"), 3s);
  EXPECT_EQ(result.start("w"), 1003s);
}

// c (1000 s) and d (50 s) come together. c, the first, would delay b; that says nothing of d, which
// ends in time.
TEST(Easy, LongJobThatIsRefusedDoesNotStopAShortOneBehindIt) {
  const TestRun result =
      run("1x4", {{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, 1000s}, {"d", 2s, 1, 50s}},
          "easy", "count", oracle());
  EXPECT_EQ(result.start("d"), 2s);
  EXPECT_EQ(result.start("b"), 100s);
  EXPECT_EQ(result.start("c"), 110s);
}

// c and d come together; beside b, which takes 4 of 5 GPUs at 100 s, there is room for one of them.
TEST(Easy, LongJobsOfOneInstantShareWhatTheHeadLeavesOver) {
  const TestRun count =
      run("1x5", {{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, 900s}, {"d", 2s, 1, 900s}},
          "easy", "count", oracle());
  EXPECT_EQ(count.start("c"), 2s);
  EXPECT_EQ(count.start("b"), 100s);
  EXPECT_EQ(count.start("d"), 110s);
  // One node of 8: a holds 5, b wants 7: at 100 s one GPU of the node is left beside it.
  const TestRun node =
      run("1x8", {{"a", 0s, 5, 100s}, {"b", 1s, 7, 10s}, {"c", 2s, 1, 900s}, {"d", 2s, 1, 900s}},
          "easy", "best-fit", oracle());
  EXPECT_EQ(node.start("c"), 2s);
  EXPECT_EQ(node.start("b"), 100s);
  EXPECT_EQ(node.start("d"), 110s);
}

// Two jobs of the same submit time fit the gap, which has room for one: the lower id goes ahead.
TEST(Easy, TiesGoById) {
  const TestRun result =
      run("1x4", {{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"d", 2s, 1, 20s}, {"c", 2s, 1, 20s}},
          "easy", "count", oracle());
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("d"), 22s);
}

// Ten single jobs of 10 s, one every 5 s, would starve a gang of both GPUs if it were passed over
// (fifo-skip: 55 s). Its reservation is the end of small0, and small1 would not be over by then.
TEST(Easy, GangIsNotStarvedByAStreamOfSmallJobs) {
  std::vector<TestJob> jobs{{"gang", 1s, 2, 10s}};
  for (int i = 0; i < 10; ++i) jobs.push_back({"small" + std::to_string(i), 5s * i, 1, 10s});
  EXPECT_EQ(run("1x2", jobs, "easy", "count", oracle()).start("gang"), 10s);
}

// By default it knows walltimes. a ends at 40 s, before its walltime: b starts then, not at 100 s;
// c, whose walltime goes past 100 s, has not been let in before it.
TEST(Easy, ReservationsAreMadeAnewWhenAJobEndsEarly) {
  const TestRun result =
      run("1x4", {{"a", 0s, 3, 40s, 100s}, {"b", 1s, 4, 10s, 10s}, {"c", 2s, 1, 5s, 99s}}, "easy");
  EXPECT_EQ(result.start("b"), 40s);
  EXPECT_EQ(result.start("c"), 50s);
}

// Nodes of two, best fit. At 2 s h (3 GPUs) would get node 0 and one GPU of node 1 at 7 s, and c
// takes a GPU of node 2 beside it. At 3 s the other GPU of node 2 has become the best fit for h's
// third: d, which would hold it for long, has to wait.
TEST(Easy, ReservationsAreMadeAnewWhenAJobStartsBesideTheHead) {
  const TestRun result = run(
      "3x2",
      {{"a", 0s, 2, 7s}, {"b", 0s, 2, 7s}, {"h", 1s, 3, 5s}, {"c", 2s, 1, 10s}, {"d", 3s, 1, 10s}},
      "easy", "best-fit", oracle());
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("h"), 7s);
  EXPECT_EQ(result.start("d"), 7s);  // on node 1
}

// a runs past its walltime of 50 s. From then on its end counts as the next microsecond: c, which
// comes at 60 s, cannot be over by then.
TEST(Easy, EndAlreadyPastCountsAsTheNextMicrosecond) {
  const TestRun result = run(
      "1x4", {{"a", 0s, 3, 100s, 50s}, {"b", 1s, 4, 10s, 10s}, {"c", 60s, 1, 10s, 10s}}, "easy");
  EXPECT_EQ(result.start("b"), 100s);
  EXPECT_EQ(result.start("c"), 110s);
}

// The same: whoever is over by the next microsecond goes ahead, one microsecond more is too much.
TEST(Easy, JobOfOneMicrosecondIsOverByTheNextMicrosecond) {
  const TestRun result = run("1x4",
                             {{"a", 0s, 3, 100s, 50s},
                              {"b", 1s, 4, 10s, 10s},
                              {"c", 60s, 1, 1us, 1us},
                              {"d", 70s, 1, 1us, 2us}},
                             "easy");
  EXPECT_EQ(result.start("c"), 60s);
  EXPECT_EQ(result.start("d"), 110s);
}

// a has no walltime and so never ends: b's instant is "never". c, which is known to end, may go
// ahead; d, which is not, may not, though a GPU is free for it.
TEST(Easy, JobWithoutAWalltimeNeverEnds) {
  const TestRun result = run(
      "1x3", {{"a", 0s, 1, 100s}, {"b", 1s, 3, 10s, 10s}, {"c", 2s, 1, 50s, 50s}, {"d", 3s, 1, 5s}},
      "easy");
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("b"), 100s);
  EXPECT_EQ(result.start("d"), 110s);
}

// Where something else ends, a job without a walltime may still use what the head leaves over: at
// 100 s b takes 4 of 5.
TEST(Easy, JobWithoutAWalltimeMayUseWhatTheHeadLeavesOver) {
  const TestRun result =
      run("1x5", {{"a", 0s, 3, 100s, 100s}, {"b", 1s, 4, 10s, 10s}, {"c", 2s, 1, 1000s}}, "easy");
  EXPECT_EQ(result.start("c"), 2s);
  EXPECT_EQ(result.start("b"), 100s);
}

}  // namespace
}  // namespace orrery::test
