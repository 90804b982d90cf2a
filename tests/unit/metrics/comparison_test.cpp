// Policies side by side: means, changes, what can be told apart.
#include "orrery/metrics/comparison.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

/// A policy with one run a list; JCTs in seconds.
PolicyRuns runs(const std::vector<std::vector<std::int64_t>>& jcts) {
  PolicyRuns policy;
  for (const auto& run : jcts) {
    std::vector<std::int64_t> values;
    for (const std::int64_t jct : run) values.push_back(jct * 1'000'000);
    policy.jct_us.push_back(values);
    policy.runs.emplace_back().jct_s = distribution_s(values);
    policy.runs.back().preemptions = run.empty() ? 0 : static_cast<std::uint64_t>(run.front());
  }
  return policy;
}

TraceRuns trace(std::vector<PolicyRuns> policies) {
  TraceRuns trace;
  trace.jobs = policies.front().jct_us.front().size();
  trace.policies = std::move(policies);
  return trace;
}

const std::vector<std::string> kTwo{"fifo", "srtf"};

TEST(CompareRuns, ChangeIsOfMeansAgainstTheFirstRow) {
  const auto told = compare_runs(kTwo, {trace({runs({{100, 300}}), runs({{50, 250}})})}, 1);
  EXPECT_EQ(told.rows[0].change, 0);
  EXPECT_EQ(told.rows[1].change, -0.25);
  EXPECT_TRUE(told.rows[0].same);
  EXPECT_FALSE(told.rows[1].same);
  EXPECT_EQ(told.intervals, IntervalKind::none);
  EXPECT_FALSE(told.rows[1].is_distinguishable()) << "two jobs tell nothing";
}

TEST(CompareRuns, MeansAreOverRunsAndTheSummaryIsOfTheFirst) {
  const auto told =
      compare_runs(kTwo, {trace({runs({{10, 20}, {30, 40}}), runs({{10, 20}, {10, 60}})})}, 1);
  EXPECT_EQ(told.seeds, 2U);
  EXPECT_EQ(told.traces, 1U);
  EXPECT_EQ(told.rows[0].means.jct_mean_s, 25);
  EXPECT_EQ(told.rows[0].means.preemptions, 20);
  EXPECT_EQ(told.rows[0].summary.jct_s.mean, 15);
  EXPECT_EQ(told.rows[1].change, 0);  // (15 + 35) / (15 + 35)
  EXPECT_FALSE(told.rows[1].same);
}

TEST(CompareRuns, ScheduleBelowTheBoundIsAFaultOfOrrery) {
  TraceRuns jobs = trace({runs({{100, 300}}), runs({{50, 250}})});
  jobs.bounds.jct_mean_s = 150;
  EXPECT_EQ(compare_runs(kTwo, {jobs}, 1).bounds.jct_mean_s, 150);
  jobs.bounds.jct_mean_s = 151;
  EXPECT_THROW(compare_runs(kTwo, {jobs}, 1), Fault);
}

// Ten traces; the second policy takes a second less on each, and the traces differ by far more:
// only because they are paired can it be told.
TEST(CompareRuns, TracesArePaired) {
  std::vector<TraceRuns> traces;
  for (std::int64_t k = 1; k <= 10; ++k)
    traces.push_back(
        trace({runs({{100 * k, 100 * k}}), runs({{100 * k - k, 100 * k - k - k % 2}})}));
  const auto told = compare_runs(kTwo, traces, 1);
  EXPECT_EQ(told.intervals, IntervalKind::student);
  EXPECT_TRUE(told.rows[1].is_distinguishable());
  EXPECT_LT(told.rows[1].change_interval->high, -0.009);
  EXPECT_LT(told.rows[1].jct_mean_s->low, 400);
  EXPECT_GT(told.rows[1].jct_mean_s->high, 700);
}

TEST(CompareRuns, TheSamePolicyTwiceIsNotDistinguishable) {
  std::vector<std::int64_t> jcts;
  for (std::int64_t i = 0; i < 100; ++i) jcts.push_back(i * i % 97 + 1);
  const auto told = compare_runs(std::vector<std::string>{"fifo", "fifo"},
                                 {trace({runs({jcts, jcts}), runs({jcts, jcts})})}, 1);
  EXPECT_EQ(told.intervals, IntervalKind::blocks_or_seeds);
  EXPECT_EQ(told.rows[1].change, 0);
  EXPECT_EQ(told.rows[1].change_interval->low, 0);
  EXPECT_EQ(told.rows[1].change_interval->high, 0);
  EXPECT_TRUE(told.rows[1].same);
  EXPECT_FALSE(told.rows[1].is_distinguishable());
}

// Under each seed every job moves together: blocks of jobs see a certain change, seeds a doubtful
// one.
TEST(CompareRuns, TheWiderOfJobsAndSeedsCounts) {
  const std::vector<std::int64_t> base(100, 100), faster(100, 50), slower(100, 145);
  const auto told = compare_runs(kTwo, {trace({runs({base, base}), runs({faster, slower})})}, 1);
  EXPECT_NEAR(*told.rows[1].change, -0.025, 1e-12);
  EXPECT_FALSE(told.rows[1].is_distinguishable());
}

TEST(CompareRuns, NoJobInCommonIsNoChange) {
  const auto told = compare_runs(kTwo, {trace({runs({{}}), runs({{}})})}, 1);
  EXPECT_FALSE(told.rows[1].change.has_value());
  EXPECT_FALSE(told.rows[1].is_distinguishable());
}

}  // namespace
}  // namespace orrery::test
