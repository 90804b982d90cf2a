// How cost grows: a long backlog against a short one, ten million jobs, ten jobs.
#pragma once

#include "benchmarks/measure.hpp"

#include <cstddef>
#include <string_view>

namespace orrery::bench {

/// 100,000 waiting jobs against 1,000, the rest equal: CPU an event under fifo and easy; where the
/// backlog changes the schedule (skipping, preemption) CPU a try and preemption.
Verdict backlog(std::string_view policy, double limit);

/// replay() of fifo with 10 M jobs on 12,500 nodes; fails too when jobs cost more than 96 bytes
/// each beside the text of their ids.
Verdict scale_10m(double limit);

/// CPU of the whole program on ten jobs, against 10 ms.
Verdict start_up();

}  // namespace orrery::bench
