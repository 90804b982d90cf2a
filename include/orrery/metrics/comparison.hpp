// Several policies over the same jobs: means over runs, changes with their intervals, bounds.
#pragma once

#include "orrery/metrics/bounds.hpp"
#include "orrery/metrics/paired.hpp"
#include "orrery/metrics/summary.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// One policy over one trace.
struct PolicyRuns {
  std::vector<Summary> runs;                      ///< one a seed, over the compared jobs
  std::vector<std::vector<std::int64_t>> jct_us;  ///< one a run: of each compared job, by JobId
};
/// All policies over one trace, on the jobs that finished in every run of it.
struct TraceRuns {
  std::uint64_t jobs = 0;      ///< compared
  std::uint64_t left_out = 0;  ///< measured, but not finished in every run
  Bounds bounds;
  std::vector<PolicyRuns> policies;
};

/// Means over the runs that have a number; nothing where none has.
struct RowMeans {
  std::optional<double> jct_mean_s, jct_p50_s, jct_p99_s, wait_mean_s, wait_p99_s, utilization,
      preemptions, makespan_s, seconds;
};

struct CompareRow {
  std::string policy;  ///< as typed
  std::uint64_t runs = 0;
  RowMeans means;
  Summary summary;  ///< of the first run
  std::optional<Interval> jct_mean_s;
  /// Mean JCT / mean JCT of the first row - 1, over all traces and seeds: -0.25 is a quarter
  /// shorter.
  std::optional<double> change;
  std::optional<Interval> change_interval;
  bool same = false;  ///< every compared job has the JCT that it has under the first row

  /// True when the mean JCT is another one than the first row's for all that the runs can tell.
  bool is_distinguishable() const { return !same && change_interval && !change_interval->holds(0); }
};

/// How the intervals were made.
enum class IntervalKind : std::uint8_t {
  none,             ///< too few jobs
  blocks,           ///< block bootstrap over the jobs of one trace
  blocks_or_seeds,  ///< the same, or Student's t over the seeds where that is wider
  student,          ///< Student's t over independent traces
};
std::string_view name(IntervalKind kind);

struct LoadComparison {
  double load = 1;  ///< as asked for
  std::uint64_t traces = 0, seeds = 0;
  std::uint64_t jobs = 0, left_out = 0;  ///< over all traces
  IntervalKind intervals = IntervalKind::none;
  Bounds bounds;  ///< means over the traces
  std::vector<CompareRow> rows;
};

/// `traces` is not empty and each has one PolicyRuns a policy. `seed` is of the bootstrap alone.
LoadComparison compare_runs(std::span<const std::string> policies,
                            const std::vector<TraceRuns>& traces, std::uint64_t seed);

}  // namespace orrery
