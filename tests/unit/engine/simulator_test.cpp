#include "support/scenario.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

// One node of four GPUs. a holds all of them from 0 s to 100 s; b arrives at 10 s and has to wait
// for it.
TEST(Simulator, SecondGangWaitsUntilTheFirstFreesItsGpus) {
  const TestRun result = run("1x4", {{"a", 0s, 4, 100s}, {"b", 10s, 2, 50s}}, "fifo", "best-fit");
  EXPECT_EQ(result.start("b"), 100s);
  EXPECT_EQ(result.end("b"), 150s);
  EXPECT_EQ(result["b"].wait[static_cast<std::size_t>(WaitCause::capacity)], 90s);  // 100 - 10
  EXPECT_EQ(result.totals.events, 4U);
}

// Strict order: c (1 GPU) could start at 2 beside a, but b (2 GPUs) waits before it. Skipping lets
// it.
TEST(Simulator, StrictOrderBlocksAtTheHeadAndSkippingDoesNot) {
  const std::vector<TestJob> jobs{{"a", 0s, 3, 100s}, {"b", 1s, 2, 10s}, {"c", 2s, 1, 10s}};
  const TestRun strict = run("1x4", jobs, "fifo");
  EXPECT_EQ(strict.start("b"), 100s);
  EXPECT_EQ(strict.start("c"), 100s);
  const TestRun skipping = run("1x4", jobs, "fifo-skip");
  EXPECT_EQ(skipping.start("b"), 100s);
  EXPECT_EQ(skipping.start("c"), 2s);
}

// Zero-length jobs start and end in one instant, in order: 1 at 0, then 2 runs to 10, then 3 at 10.
TEST(Simulator, ZeroLengthJobsEndInTheInstantTheyStart) {
  const TestRun result =
      run("1x1", {{"1", 0s, 1, 0s}, {"2", 0s, 1, 10s}, {"3", 0s, 1, 0s}}, "fifo");
  EXPECT_EQ(result.end("1"), 0s);
  EXPECT_EQ(result.end("2"), 10s);
  EXPECT_EQ(result.end("3"), 10s);
}

// EASY: b is promised 100; c ends at 92 and fits the gap; d would end at 101 and must wait until b
// has run, 110.
TEST(Simulator, EasyFillsTheGapAndNeverDelaysTheHead) {
  SimOptions options;
  options.durations.kind = DurationKnowledge::Kind::oracle;
  for (const char* placement : {"count", "best-fit"}) {
    const TestRun result =
        run("1x4", {{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, 90s}, {"d", 3s, 1, 98s}},
            "easy", placement, options);
    EXPECT_EQ(result.start("b"), 100s);
    EXPECT_EQ(result.start("c"), 2s);
    EXPECT_EQ(result.start("d"), 110s);
  }
}

// srtf on one GPU: b (10 s) preempts a (100 s) at 5 and a resumes at 15 with 95 s left.
TEST(Simulator, PreemptedJobKeepsItsProgress) {
  for (const char* placement : {"count", "best-fit", "consolidated:relax=any"}) {
    const TestRun result = run("1x1", {{"a", 0s, 1, 100s}, {"b", 5s, 1, 10s}}, "srtf", placement);
    EXPECT_EQ(result.end("b"), 15s);
    EXPECT_EQ(result.end("a"), 110s);
    EXPECT_EQ(result["a"].preemptions, 1U);
    EXPECT_EQ(result["a"].wait[static_cast<std::size_t>(WaitCause::preempted)], 10s);
  }
}

// The same with a cost of 3 s: a holds its GPU from 15 on, makes progress from 18 on and ends at
// 113.
TEST(Simulator, RestartAfterAPreemptionHoldsGpusForTheCostFirst) {
  SimOptions options;
  options.preempt_cost = 3s;
  const TestRun result =
      run("1x1", {{"a", 0s, 1, 100s}, {"b", 5s, 1, 10s}}, "srtf", "best-fit", options);
  EXPECT_EQ(result.end("a"), 113s);
  EXPECT_EQ(result["a"].overhead, 3s);
  EXPECT_EQ(result["a"].run, 100s);
}

// A job that no state of the cluster can hold is rejected at its arrival; the others run.
TEST(Simulator, JobLargerThanTheClusterIsRejectedWithTheLimit) {
  const TestRun result =
      run("1x4", {{"1", 0s, 8, 10s}, {"2", 0s, 1, 10s}, {"3", 5s, 4, 10s}}, "fifo");
  EXPECT_EQ(result["1"].status, JobStatus::rejected);
  EXPECT_EQ(result.end("2"), 10s);
  EXPECT_EQ(result.end("3"), 20s);
  ASSERT_EQ(result.rejections.size(), 1U);
  EXPECT_EQ(result.rejections.front().first, "8 GPUs, but the cluster has 4");
}

// The instant of the horizon is carried out whole: 2 ended before, 3 starts at 100 on its GPU, 4
// waits.
TEST(Simulator, HorizonCarriesItsInstantOutWhole) {
  SimOptions options;
  options.until = at(100s);
  const TestRun result =
      run("1x2", {{"1", 0s, 1, 150s}, {"2", 0s, 1, 50s}, {"3", 100s, 1, 10s}, {"4", 100s, 1, 10s}},
          "fifo", "count", options);
  EXPECT_EQ(result["2"].status, JobStatus::finished);
  EXPECT_EQ(result["1"].run, 100s);
  EXPECT_EQ(result.start("3"), 100s);
  EXPECT_EQ(result["4"].first_start, kNever);
  EXPECT_EQ(result.totals.at_end.busy, GpuTime::Wide{150'000'000});  // 100 + 50 GPU-seconds of 200
}

// One node of four. At 5 s comes c, which evicts d, the latest holder, and e, which evicts a: of
// a's three GPUs two are left, and d is placed again in the same pass.
TEST(Simulator, JobPlacedAgainInThePassMigratesUnlessGpusHaveNoIdentity) {
  const std::vector<TestJob> jobs{
      {"a", 0s, 3, 55s}, {"c", 5s, 1, 10s}, {"d", 0s, 1, 62s}, {"e", 5s, 1, 20s}};
  SimOptions costly;
  costly.preempt_cost = 2s;
  const TestRun nodes = run("1x4", jobs, "srtf", "best-fit", costly);
  EXPECT_EQ(nodes["d"].migrations, 1U);
  EXPECT_EQ(nodes["d"].preemptions, 0U);
  EXPECT_EQ(nodes.end("d"), 64s);  // 62 and the cost of moving
  const TestRun count = run("1x4", jobs, "srtf", "count", costly);
  EXPECT_EQ(count["d"].migrations, 0U);
  EXPECT_EQ(count.totals.migrations, 0U);
  EXPECT_EQ(count["d"].preemptions, 0U);
  EXPECT_EQ(count.end("d"), 62s);  // it never noticed
}

// a holds its GPU from 0 to 5 s and from 15 s on: its walltime of 50 s is over at 60 s, with half
// of its work undone.
TEST(Simulator, WalltimeIsTimeHeldInAllStretches) {
  SimOptions options;
  options.enforce_walltime = true;
  const TestRun result =
      run("1x1", {{"a", 0s, 1, 100s, 50s}, {"b", 5s, 1, 10s}}, "srtf", "count", options);
  EXPECT_EQ(result["a"].status, JobStatus::timeout);
  EXPECT_EQ(result.end("a"), 60s);
  EXPECT_EQ(result["a"].run, 50s);
}

// Asked at 0 s (a came), 5 s (b came) and 10 s (a ended, b waits); not at 20 s, where nobody waits.
TEST(Simulator, PolicyIsAskedOnlyWhileSomebodyWaits) {
  const TestRun result = run("1x1", {{"a", 0s, 1, 10s}, {"b", 5s, 1, 10s}}, "fifo");
  EXPECT_EQ(result.totals.decisions, 3U);
}

// Under srsf a gang of 2^7 GPUs moves 2^7 along the order in a microsecond: up to 2^54 us, 570
// years, that fits 64 bits with room for its base. A trace that goes on for longer is refused, and
// srtf, which does not weigh GPUs, carries it out.
TEST(Simulator, TimesThatAnOrderCannotHoldAreRefused) {
  const auto run_to = [](Duration end, const char* policy) {
    return run("16x8", {{"a", 0s, 128, end}, {"b", end - 10s, 1, 5s}}, policy, "best-fit");
  };
  const Duration farthest{std::int64_t{1} << 54};
  EXPECT_EQ(run_to(farthest - 5s, "srsf").end("b"), farthest - 10s);
  try {
    run_to(farthest + 20s, "srsf");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "the run reaches 18014398519.481984 s, but with these gangs policy srsf keeps its "
                 "order exactly up to 18014398509.481984 s only");
  }
  EXPECT_EQ(run_to(farthest + 20s, "srtf").end("a"), farthest + 25s);
}

}  // namespace
}  // namespace orrery::test
