// The formulas of docs/metrics.md on numbers small enough to work out.
#include "orrery/metrics/summary.hpp"

#include "support/scenario.hpp"

#include "orrery/metrics/job_report.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

TEST(Distribution, InterpolatesBetweenSortedValues) {
  std::vector<double> values{40, 10, 30, 20};  // sorted: 10 20 30 40, ranks 0 to 3
  const Distribution of = distribution(values);
  EXPECT_EQ(of.n, 4U);
  EXPECT_EQ(of.mean, 25);
  EXPECT_EQ(of.p50, 25);            // rank 1.5
  EXPECT_DOUBLE_EQ(*of.p90, 37);    // rank 2.7
  EXPECT_DOUBLE_EQ(*of.p95, 38.5);  // rank 2.85
  EXPECT_DOUBLE_EQ(*of.p99, 39.7);  // rank 2.97
  EXPECT_EQ(of.max, 40);
}

TEST(Distribution, OfNothingIsUndefined) {
  std::vector<std::int64_t> none;
  const Distribution of = distribution_s(none);
  EXPECT_EQ(of.n, 0U);
  for (const auto& value : {of.mean, of.p50, of.p90, of.p95, of.p99, of.max})
    EXPECT_FALSE(value.has_value());
}

TEST(Distribution, MeanOfLargeTimesIsExact) {
  // The sum passes 64 bits: 100 times 2^58 microseconds.
  std::vector<std::int64_t> values(100, std::int64_t{1} << 58);
  EXPECT_EQ(distribution_s(values).mean, static_cast<double>(std::int64_t{1} << 58) / 1e6);
}

// Selection finds what sorting finds, whatever repeats.
RC_GTEST_PROP(Distribution, EqualsTheSortedDefinition, (std::vector<std::int16_t> drawn)) {
  RC_PRE(!drawn.empty());
  std::vector<std::int64_t> values{drawn.begin(), drawn.end()}, sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const Distribution of = distribution_s(values);
  const auto by_definition = [&](double q) {
    const double rank = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(rank)),
               high = static_cast<std::size_t>(std::ceil(rank));
    const auto a = static_cast<double>(sorted[low]), b = static_cast<double>(sorted[high]);
    return (a + (b - a) * (rank - std::floor(rank))) / 1e6;
  };
  RC_ASSERT(std::abs(*of.p50 - by_definition(0.5)) < 1e-12);
  RC_ASSERT(std::abs(*of.p90 - by_definition(0.9)) < 1e-12);
  RC_ASSERT(std::abs(*of.p99 - by_definition(0.99)) < 1e-12);
  RC_ASSERT(*of.max == static_cast<double>(sorted.back()) / 1e6);
}

/// A run on one node of two GPUs, with the table of its outcomes.
struct Measured {
  explicit Measured(const std::vector<TestJob>& list)
      : work{make_workload(list)}, jobs{work.size()} {
    const Topology topology = parse_cluster_shorthand("1x2").value();
    Recorder recorder;
    recorder.add(jobs, Recorder::kOutcomes);
    Simulator simulator{work, topology, choice("fifo", "count"), {}, recorder};
    simulator.run();
    totals = simulator.totals();
  }
  Summary summary(JobRange range) const {
    return summarize(
        {.workload = &work, .jobs = &jobs, .range = range, .gpus = 2, .gpu_time = totals.at_end});
  }
  Workload work;
  JobTable jobs;
  RunTotals totals;
};

// a holds both GPUs 0 to 10; b (2 s long) waits from 1 s on and runs 10 to 12; c asks for 3 GPUs.
const std::vector<TestJob> kJobs{
    {"a", 0s, 2, 10s, {}, "x"}, {"b", 1s, 1, 2s, {}, "y"}, {"c", 2s, 3, 1s, {}, "y"}};

TEST(Summary, CountsTimesAndGroups) {
  const Summary of = Measured{kJobs}.summary({0, 3});
  EXPECT_EQ(of.jobs.finished, 2U);
  EXPECT_EQ(of.jobs.rejected, 1U);
  EXPECT_EQ(of.jobs.waited, 1U);
  EXPECT_EQ(of.jct_s.mean, (10 + 11) / 2.0);
  EXPECT_EQ(of.wait_s.mean, (0 + 9) / 2.0);
  EXPECT_EQ(of.slowdown.max, 5.5);          // 11 s for 2 s of work
  EXPECT_EQ(of.bounded_slowdown.max, 1.1);  // the 2 s count as 10
  EXPECT_EQ(of.makespan_s, 12);
  EXPECT_EQ(of.gpu_time.busy, GpuTime::Wide{22'000'000});
  EXPECT_EQ(of.utilization, 22 / 24.0);
  EXPECT_EQ(of.by_vc.at("x").jobs, 1U);
  EXPECT_EQ(of.by_vc.at("y").gpu_time_us, GpuTime::Wide{2'000'000});
  EXPECT_EQ(of.by_size.at(1).wait_s.max, 9);
  EXPECT_EQ(of.wait_by_cause_us[static_cast<std::size_t>(WaitCause::capacity)],
            GpuTime::Wide{9'000'000});
}

TEST(Summary, RangeRestrictsEveryStatistic) {
  const Summary of = Measured{kJobs}.summary({1, 2});
  EXPECT_EQ(of.jobs.measured, 1U);
  EXPECT_EQ(of.jobs.replayed, 3U);
  EXPECT_EQ(of.jobs.rejected, 0U);
  EXPECT_EQ(of.jct_s.n, 1U);
  EXPECT_EQ(of.makespan_s, 11);  // from the submit of b to its end
}

TEST(Summary, AmongLeavesCountsAndTakesTimesOfSomeOnly) {
  const Measured measured{kJobs};
  const std::vector<bool> only_a{true, false, false};
  const Summary of = summarize({.workload = &measured.work,
                                .jobs = &measured.jobs,
                                .range = {0, 3},
                                .among = &only_a,
                                .gpus = 2,
                                .gpu_time = measured.totals.at_end});
  EXPECT_EQ(of.jobs.finished, 2U);
  EXPECT_EQ(of.jct_s.n, 1U);
  EXPECT_EQ(of.jct_s.mean, 10);
}

TEST(JobReport, LeavesUndefinedWhatIsUndefined) {
  const Measured measured{{{"zero", 0s, 1, 0s}, {"large", 0s, 3, 5s}}};
  const JobReport rejected = job_report(measured.work, measured.jobs, JobId{0U});
  const JobReport zero = job_report(measured.work, measured.jobs, JobId{1U});
  EXPECT_EQ(rejected.outcome.status, JobStatus::rejected);
  EXPECT_FALSE(rejected.wait || rejected.jct || rejected.slowdown || rejected.recorded_wait);
  EXPECT_EQ(zero.jct, Duration::zero());
  EXPECT_FALSE(zero.slowdown.has_value());
}

}  // namespace
}  // namespace orrery::test
