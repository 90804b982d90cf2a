// Smallest service first: run time times GPUs, not preemptive.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

// wide wants 4 GPUs for 10 s, 40 GPU-seconds; narrow one GPU for 30 s, 30 GPU-seconds. Service puts
// narrow first, time puts wide first.
TEST(Svsf, SmallestProductOfTimeAndGpusIsNext) {
  const std::vector<TestJob> jobs{{"a", 0s, 4, 100s}, {"wide", 1s, 4, 10s}, {"narrow", 2s, 1, 30s}};
  for (const char* policy : {"svsf", "svsf-skip"}) {
    const TestRun result = run("1x4", jobs, policy);
    EXPECT_EQ(result.start("narrow"), 100s) << policy;
    EXPECT_EQ(result.start("wide"), 130s) << policy;  // all four GPUs: after narrow
  }
  const TestRun by_time = run("1x4", jobs, "sjf");
  EXPECT_EQ(by_time.start("wide"), 100s);
  EXPECT_EQ(by_time.start("narrow"), 110s);
}

// The example of quasi-shortest service first (Hu et al., SC 2021) with right predictions: gangs of
// eight GPUs for 100, 1000 and 10 s. JCTs 100, 1109 and 108, a mean of 439; fifo's is 769.
TEST(Svsf, ShortGangPassesTheLongOneThatWaits) {
  const TestRun result =
      run("1x8", {{"J0", 0s, 8, 100s}, {"J1", 1s, 8, 1000s}, {"J2", 2s, 8, 10s}}, "svsf");
  EXPECT_EQ(result.end("J0"), 100s);
  EXPECT_EQ(result.end("J2"), 110s);   // 100 + 10
  EXPECT_EQ(result.end("J1"), 1110s);  // 110 + 1000
}

// The same three at once: 10, 110 and 1110 s.
TEST(Svsf, JobsOfOneInstantAreOrderedBeforeAnyStarts) {
  const TestRun result =
      run("1x8", {{"J0", 0s, 8, 100s}, {"J1", 0s, 8, 1000s}, {"J2", 0s, 8, 10s}}, "svsf");
  EXPECT_EQ(result.end("J2"), 10s);
  EXPECT_EQ(result.end("J0"), 110s);
  EXPECT_EQ(result.end("J1"), 1110s);
}

// 2 x 20 s and 4 x 10 s are both 40 GPU-seconds: the one that came first goes first.
TEST(Svsf, TiesGoBySubmitTime) {
  for (const char* policy : {"svsf", "svsf-skip"}) {
    const TestRun result =
        run("1x4", {{"a", 0s, 4, 50s}, {"b", 1s, 4, 10s}, {"c", 2s, 2, 20s}}, policy);
    EXPECT_EQ(result.start("b"), 50s) << policy;
    EXPECT_EQ(result.start("c"), 60s) << policy;
  }
}

// gang (4 x 5 s = 20) is the smallest service and does not fit beside a; narrow (1 x 30 s) waits
// behind it, or passes it with skipping.
TEST(Svsf, SmallestServiceBlocksTheOthersUnlessItIsSkipped) {
  const std::vector<TestJob> jobs{{"a", 0s, 1, 100s}, {"gang", 1s, 4, 5s}, {"narrow", 2s, 1, 30s}};
  const TestRun strict = run("1x4", jobs, "svsf");
  EXPECT_EQ(strict.start("gang"), 100s);
  EXPECT_EQ(strict.start("narrow"), 105s);
  const TestRun skipping = run("1x4", jobs, "svsf-skip");
  EXPECT_EQ(skipping.start("narrow"), 2s);
  EXPECT_EQ(skipping.start("gang"), 100s);
}

// A gang of 2 for 10 s (20 GPU-seconds) wants a GPU that single jobs of 15 s (15 GPU-seconds)
// always take first: at 15, 30 and 45 s one of them waits. It starts when they are through.
TEST(Svsf, WideJobIsStarvedByAStreamOfSmallerServices) {
  for (const char* policy : {"svsf", "svsf-skip"}) {
    std::vector<TestJob> jobs{{"other", 0s, 1, 200s}, {"wide", 1s, 1, 20s}};
    for (int i = 0; i < 4; ++i) jobs.push_back({"small" + std::to_string(i), 14s * i, 1, 15s});
    // small0 runs 0 to 15 s, small1 (14 s) to 30 s, small2 (28 s) to 45 s, small3 (42 s) to 60 s.
    EXPECT_EQ(run("1x2", jobs, policy).start("wide"), 60s) << policy;
  }
}

}  // namespace
}  // namespace orrery::test
