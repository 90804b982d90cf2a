// How far a simulation is from what the trace recorded, for runs under policy replay.
#pragma once

#include "app/prepare.hpp"

#include <string>

namespace orrery::app {

/// Lines below the summary: starts, waits, JCTs and utilization, recorded and simulated, of the
/// finished jobs that have a recorded start. Empty for other policies.
std::string replay_card(const Settings& settings, const Prepared& prepared,
                        const RunResult& result);

}  // namespace orrery::app
