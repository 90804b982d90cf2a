#include "orrery/metrics/comparison.hpp"

#include "orrery/base/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace orrery {
namespace {

/// Mean of the values that are there.
class Mean {
 public:
  void add(const std::optional<double>& value) {
    if (!value) return;
    sum_ += *value;
    ++count_;
  }
  std::optional<double> value() const {
    return count_ == 0 ? std::nullopt : std::optional{sum_ / static_cast<double>(count_)};
  }

 private:
  double sum_ = 0;
  std::uint64_t count_ = 0;
};

template <class Items, class Get>
std::optional<double> mean_of(const Items& items, Get get) {
  Mean mean;
  for (const auto& item : items) mean.add(get(item));
  return mean.value();
}

std::vector<const Summary*> runs_of(const std::vector<TraceRuns>& traces, std::size_t policy) {
  std::vector<const Summary*> runs;
  for (const TraceRuns& trace : traces)
    for (const Summary& run : trace.policies[policy].runs) runs.push_back(&run);
  return runs;
}

RowMeans means_of(const std::vector<const Summary*>& runs) {
  using Run = const Summary*;
  using Value = std::optional<double>;
  return {.jct_mean_s = mean_of(runs, [](Run run) { return run->jct_s.mean; }),
          .jct_p50_s = mean_of(runs, [](Run run) { return run->jct_s.p50; }),
          .jct_p99_s = mean_of(runs, [](Run run) { return run->jct_s.p99; }),
          .wait_mean_s = mean_of(runs, [](Run run) { return run->wait_s.mean; }),
          .wait_p99_s = mean_of(runs, [](Run run) { return run->wait_s.p99; }),
          .utilization = mean_of(runs, [](Run run) { return run->utilization; }),
          .preemptions =
              mean_of(runs, [](Run run) { return Value(static_cast<double>(run->preemptions)); }),
          .makespan_s = mean_of(runs, [](Run run) { return run->makespan_s; }),
          .seconds = mean_of(runs, [](Run run) { return Value(run->engine.wall_s); })};
}

Bounds mean_bounds(const std::vector<TraceRuns>& traces) {
  Bounds bounds;
  for (auto bound : {&Bounds::jct_mean_s, &Bounds::makespan_s, &Bounds::best_jct_mean_s,
                     &Bounds::best_makespan_s})
    bounds.*bound =
        mean_of(traces, [bound](const TraceRuns& trace) { return trace.bounds.*bound; });
  return bounds;
}

/// JCT of each compared job, summed over the seeds.
std::vector<std::int64_t> sums_of(const PolicyRuns& policy) {
  std::vector<std::int64_t> sums = policy.jct_us.front();
  for (std::size_t run = 1; run < policy.jct_us.size(); ++run)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += policy.jct_us[run][i];
  return sums;
}

/// In seconds.
double mean_of_jcts(const std::vector<std::int64_t>& jct_us) {
  const __int128 sum = std::accumulate(jct_us.begin(), jct_us.end(), __int128{0});
  return static_cast<double>(sum) / 1e6 / static_cast<double>(jct_us.size());
}

/// Mean JCT in seconds of every run of a policy over one trace.
std::vector<double> means_by_seed(const PolicyRuns& policy) {
  std::vector<double> means;
  for (const auto& run : policy.jct_us) means.push_back(mean_of_jcts(run));
  return means;
}

/// Both have the same middle.
void widen(std::optional<Interval>& interval, const std::optional<Interval>& other) {
  if (!interval || !other) return;
  interval->low = std::min(interval->low, other->low);
  interval->high = std::max(interval->high, other->high);
}

/// Mean JCTs of one policy, one a trace and in seconds; empty when a trace has no job to compare.
std::vector<double> means_by_trace(const std::vector<TraceRuns>& traces, std::size_t policy) {
  std::vector<double> means;
  for (const TraceRuns& trace : traces) {
    const std::vector<std::int64_t> jct_us = sums_of(trace.policies[policy]);
    if (jct_us.empty()) return {};
    means.push_back(mean_of_jcts(jct_us) / static_cast<double>(trace.policies[policy].runs.size()));
  }
  return means;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void add_change(const std::vector<TraceRuns>& traces, std::size_t policy, CompareRow& row) {
  const std::vector<double> first = means_by_trace(traces, 0);
  const std::vector<double> mine = means_by_trace(traces, policy);
  if (first.empty()) return;
  if (sum_of(first) > 0) row.change = sum_of(mine) / sum_of(first) - 1;
  row.same = true;
  for (const TraceRuns& trace : traces)
    row.same = row.same && trace.policies[policy].jct_us == trace.policies[0].jct_us;
  if (traces.size() < 2) return;
  row.jct_mean_s = t_interval_of_mean(mine);
  row.change_interval = t_interval_of_change(first, mine);
}

void add_bootstrap(const TraceRuns& trace, std::uint64_t seed, std::vector<CompareRow>& rows) {
  const std::vector<std::int64_t> first = sums_of(trace.policies.front());
  if (first.empty()) return;
  const std::vector<double> first_means = means_by_seed(trace.policies.front());
  const BlockBootstrap blocks{first.size(), RngStreams{seed}.stream("bootstrap")};
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const std::vector<std::int64_t> mine = sums_of(trace.policies[p]);
    rows[p].change_interval = blocks.of_change(first, mine);
    rows[p].jct_mean_s = blocks.of_mean(mine);
    if (!rows[p].jct_mean_s) continue;
    const double unit = 1e6 * static_cast<double>(trace.policies[p].runs.size());
    rows[p].jct_mean_s->low /= unit;
    rows[p].jct_mean_s->high /= unit;
    // One other decision can move every later job: blocks of one run do not show what seeds do.
    const std::vector<double> means = means_by_seed(trace.policies[p]);
    widen(rows[p].jct_mean_s, t_interval_of_mean(means));
    widen(rows[p].change_interval, t_interval_of_change(first_means, means));
  }
}

/// A schedule below the bound is none: jobs ran shorter or on fewer GPUs than they must.
void check_bounds(const TraceRuns& trace) {
  if (!trace.bounds.jct_mean_s || trace.jobs == 0) return;
  const double least = *trace.bounds.jct_mean_s * (1 - 1e-9);
  for (const PolicyRuns& policy : trace.policies)
    for (const double mean : means_by_seed(policy))
      ORRERY_CHECK(mean >= least, fmt::format("mean JCT {} s, lower bound {} s", mean, least));
}

}  // namespace

std::string_view name(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::none:
      return "none";
    case IntervalKind::blocks:
      return "block bootstrap over jobs";
    case IntervalKind::blocks_or_seeds:
      return "block bootstrap over jobs, or Student's t over seeds where that is wider";
    case IntervalKind::student:
      return "Student's t over traces";
  }
  return "unknown";
}

LoadComparison compare_runs(std::span<const std::string> policies,
                            const std::vector<TraceRuns>& traces, std::uint64_t seed) {
  LoadComparison result;
  result.traces = traces.size();
  result.seeds = traces.size() * traces.front().policies.front().runs.size();
  for (const TraceRuns& trace : traces) {
    check_bounds(trace);
    result.jobs += trace.jobs;
    result.left_out += trace.left_out;
  }
  result.bounds = mean_bounds(traces);
  for (std::size_t p = 0; p < policies.size(); ++p) {
    const std::vector<const Summary*> runs = runs_of(traces, p);
    CompareRow& row = result.rows.emplace_back();
    row.policy = policies[p];
    row.runs = runs.size();
    row.means = means_of(runs);
    row.summary = *runs.front();
    add_change(traces, p, row);
  }
  if (traces.size() == 1) add_bootstrap(traces.front(), seed, result.rows);
  if (result.rows.front().change_interval)
    result.intervals = traces.size() > 1  ? IntervalKind::student
                       : result.seeds > 1 ? IntervalKind::blocks_or_seeds
                                          : IntervalKind::blocks;
  return result;
}

}  // namespace orrery
