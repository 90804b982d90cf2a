// The workload of the benchmarks: gangs of 1 to 64 GPUs with about the shares of sizes that are
// published for Philly and Helios, log-normal durations, a daily wave of arrivals over half a year.
#pragma once

#include "orrery/workload/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::bench {

inline constexpr int kGpusPerNode = 8;

/// One entry a job, ascending by arrival; whole seconds in microseconds, as in real traces.
struct Synthetic {
  std::vector<std::int64_t> arrival, run_time;
  std::vector<std::uint8_t> gpus;
  std::size_t nodes = 0;  ///< of 8 GPUs, that it is made for
  std::size_t size() const { return arrival.size(); }
};

/// Jobs that offer `load` times the GPU time of `nodes` nodes while they arrive.
Synthetic make_synthetic(std::size_t jobs, std::size_t nodes, double load);
/// The same as the engine takes it; job ids are the numbers from 0.
Workload to_workload(const Synthetic& jobs);

}  // namespace orrery::bench
