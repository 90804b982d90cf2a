// Floors: what a simulation costs when everything but the schedule is left out. Hard-coded to nodes
// of 8 GPUs, gangs of 1, 2, 4, 8 or whole nodes, best fit, and one policy each; they follow the
// pass of docs/semantics.md to the microsecond, so their schedules are those of the engine.
#pragma once

#include "benchmarks/synthetic.hpp"

#include <cstdint>
#include <vector>

namespace orrery::bench {

enum class FloorPolicy : std::uint8_t { fifo, sjf, srtf };

/// First start and end of each job in microseconds, and what sums the floor keeps.
struct FloorRun {
  std::vector<std::int64_t> start, end;
  std::uint64_t preemptions = 0, migrations = 0;
  std::int64_t most_waiting = 0;
  double mean_jct_s = 0;
};

FloorRun run_floor(FloorPolicy policy, const Synthetic& jobs);

/// Order-dependent sum over starts and ends: equal schedules have equal checksums.
std::uint64_t schedule_checksum(const FloorRun& run);

}  // namespace orrery::bench
