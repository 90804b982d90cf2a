// No schedule is better than the bounds; the search over tiny cases finds the best there is.
#include "orrery/metrics/bounds.hpp"

#include "support/histories.hpp"
#include "support/scenario.hpp"

#include "orrery/workload/truth.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

BoundJob bound_job(Duration arrival, std::int64_t gpus, Duration run) {
  return {.arrival = at(arrival), .run_time = run, .gpus = gpus};
}

// Two GPUs. As work for one machine of speed 2: a 4, b 4, c 1 GPU-seconds. Shortest remaining first
// serves a 0 to 1, c 1 to 1.5, a 1.5 to 2.5, b 2.5 to 4.5: JCTs 2.5 + 0.5 + 4.5 = 7.5, more than
// the run times, 4 + 2 + 1 = 7. All work is done at 9 / 2 = 4.5 s at the soonest. Without
// preemption the best is b 0 to 2, then a 2 to 6 beside c 2 to 3: 2 + 6 + 2 = 10.
TEST(Bounds, AreTheBestOfRunTimesAndOfOneFastMachine) {
  const PoolJobs pool{.gpus = 2,
                      .jobs = {bound_job(0s, 1, 4s), bound_job(0s, 2, 2s), bound_job(1s, 1, 1s)}};
  const Bounds bounds = lower_bounds({pool}, at(0s));
  EXPECT_DOUBLE_EQ(*bounds.jct_mean_s, 7.5 / 3);
  EXPECT_DOUBLE_EQ(*bounds.makespan_s, 4.5);
  EXPECT_DOUBLE_EQ(*bounds.best_jct_mean_s, 10.0 / 3);
  EXPECT_DOUBLE_EQ(*bounds.best_makespan_s, 6);
}

// A long narrow job is bounded by its run time, 100 s, while the wide ones queue: 10 + 20 + 30.
// Neither the run times alone (100 + 30) nor the fast machine alone (40 + 62.5: the narrow job
// comes last, at (3 * 40 + 100) / 4 = 55) tells as much.
TEST(Bounds, SomeJobsByOneAndTheRestByTheOther) {
  const PoolJobs pool{.gpus = 4,
                      .jobs = {bound_job(0s, 1, 100s), bound_job(0s, 4, 10s), bound_job(0s, 4, 10s),
                               bound_job(0s, 4, 10s)}};
  EXPECT_DOUBLE_EQ(*lower_bounds({pool}, at(0s)).jct_mean_s, (100 + 10 + 20 + 30) / 4.0);
}

TEST(Bounds, PoolsDoNotHelpEachOther) {
  const PoolJobs one{.gpus = 1, .jobs = {bound_job(0s, 1, 3s), bound_job(0s, 1, 3s)}};
  const PoolJobs other{.gpus = 9, .jobs = {bound_job(5s, 1, 1s)}};
  const Bounds bounds = lower_bounds({one, other}, at(0s));
  EXPECT_DOUBLE_EQ(*bounds.jct_mean_s, (3 + 6 + 1) / 3.0);
  EXPECT_DOUBLE_EQ(*bounds.makespan_s, 6);
  EXPECT_DOUBLE_EQ(*lower_bounds({one, other}, at(-1s)).makespan_s, 7);
}

TEST(Bounds, OfNoJobAreNone) {
  const Bounds bounds = lower_bounds({{.gpus = 4, .jobs = {}}}, at(0s));
  EXPECT_FALSE(bounds.jct_mean_s || bounds.makespan_s || bounds.best_jct_mean_s);
}

TEST(Bounds, AreExactWhereNobodyHasToWait) {
  PoolJobs pool{.gpus = 100, .jobs = {}};
  for (int i = 0; i < 20; ++i) pool.jobs.push_back(bound_job(i * 1s, 3, (i + 1) * 1s));
  EXPECT_DOUBLE_EQ(*lower_bounds({pool}, at(0s)).jct_mean_s, 10.5);
  EXPECT_FALSE(lower_bounds({pool}, at(0s)).best_jct_mean_s) << "20 jobs have too many orders";
}

struct Measured {
  double jct_mean_s = 0, makespan_s = 0;
};

Measured measured(const TestRun& run) {
  double jct = 0;
  SimTime last{};
  for (const auto& [id, outcome] : run.outcomes) {
    jct += seconds(outcome.end - run.workload->arrival(outcome.job));
    last = std::max(last, outcome.end);
  }
  return {jct / static_cast<double>(run.outcomes.size()),
          seconds(last - run.workload->arrival(JobId{0U}))};
}

PoolJobs pool_of(const Workload& workload, std::int64_t gpus) {
  PoolJobs pool{.gpus = gpus, .jobs = {}};
  for (std::size_t i = 0; i < workload.size(); ++i)
    pool.jobs.push_back({.arrival = workload.arrival(JobId{i}),
                         .run_time = workload.truth().run_time(JobId{i}),
                         .gpus = workload.gang_size(JobId{i})});
  return pool;
}

TEST(Bounds, NoPolicyIsBetterOnRandomWorkloads) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const int count = seed % 2 == 0 ? 6 : 40;
    const std::vector<TestJob> jobs = random_jobs(seed, count, 8);
    for (const PolicyEntry& entry : policy_table()) {
      SimOptions options;
      options.durations.kind = DurationKnowledge::Kind::oracle;
      const TestRun run = test::run("2x4", jobs, entry.name, "count", options);
      const Bounds bounds =
          lower_bounds({pool_of(*run.workload, 8)}, run.workload->arrival(JobId{0U}));
      const Measured got = measured(run);
      const double rounding = 1e-9 * got.jct_mean_s;
      EXPECT_GE(got.jct_mean_s + rounding, *bounds.jct_mean_s) << entry.name << " seed " << seed;
      EXPECT_GE(got.makespan_s, *bounds.makespan_s) << entry.name << " seed " << seed;
      ASSERT_EQ(bounds.best_jct_mean_s.has_value(), count <= 7);
      if (!bounds.best_jct_mean_s) continue;
      EXPECT_GE(*bounds.best_jct_mean_s, *bounds.jct_mean_s) << "seed " << seed;
      EXPECT_GE(*bounds.best_makespan_s, *bounds.makespan_s) << "seed " << seed;
      if (run.totals.preemptions + run.totals.migrations > 0) continue;
      EXPECT_GE(got.jct_mean_s + rounding, *bounds.best_jct_mean_s)
          << entry.name << " seed " << seed;
      EXPECT_GE(got.makespan_s, *bounds.best_makespan_s) << entry.name << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace orrery::test
