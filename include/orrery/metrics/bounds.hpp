// What no schedule can beat: lower bounds on mean JCT and makespan of gangs on whole GPUs at
// rate 1.
#pragma once

#include "orrery/base/time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace orrery {

/// A job as a bound sees it.
struct BoundJob {
  SimTime arrival{};
  Duration run_time{};    ///< on its GPUs at rate 1
  std::int64_t gpus = 1;  ///< at least 1, at most those of its pool
};
/// The jobs that share `gpus` GPUs and no others, by arrival.
struct PoolJobs {
  std::int64_t gpus = 0;
  std::vector<BoundJob> jobs;
};

/// Nothing where there is no job.
struct Bounds {
  /// At most the mean JCT of any schedule, preemptive ones included.
  std::optional<double> jct_mean_s;
  /// At most last end - `since` of any schedule.
  std::optional<double> makespan_s;
  /// The least values that a schedule without preemption can have, wherever GPUs lie: exact, and
  /// only where each pool has at most kMostSearched jobs.
  std::optional<double> best_jct_mean_s, best_makespan_s;
};
inline constexpr std::size_t kMostSearched = 7;

/// Mean JCT: a job's JCT is at least its run time, and the jobs of a pool, taken as work for one
/// machine as fast as all its GPUs, are served no sooner than by shortest remaining work first
/// (Schrage, Operations Research 16, 1968). Some jobs are bounded by the first and the rest by the
/// second; the best of a few such splits counts. Makespan: what arrives from an instant on is work
/// for all GPUs of the pool. `since` is the instant makespans start at. O(n log n).
Bounds lower_bounds(const std::vector<PoolJobs>& pools, SimTime since);

}  // namespace orrery
