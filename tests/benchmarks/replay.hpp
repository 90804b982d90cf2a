// Whole replays: the engine with what every run carries (fingerprint, a record a job) against the
// floor of the same schedule.
#pragma once

#include "benchmarks/floor.hpp"
#include "benchmarks/measure.hpp"

#include <cstddef>
#include <string_view>

namespace orrery::bench {

/// `jobs` on `nodes` nodes at load 0.85 under fifo, sjf or srtf with consolidated placement.
Verdict replay(std::string_view policy, std::size_t jobs, std::size_t nodes, double limit);

/// The engine alone, once.
void run_engine(std::string_view policy, std::size_t jobs, std::size_t nodes);

}  // namespace orrery::bench
