// Orrery as a library: simulate() wires one run and returns its jobs and summary.
#pragma once

#include "orrery/cluster/topology.hpp"
#include "orrery/engine/simulator.hpp"
#include "orrery/metrics/job_table.hpp"
#include "orrery/metrics/summary.hpp"
#include "orrery/workload/workload.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A part of the run that statistics are restricted to; the run itself goes on.
struct MeasureWindow {
  SimTime from{}, to = kNever;  ///< jobs with from <= submit < to
};

struct RunOptions {
  SimOptions sim;
  std::string placement = "consolidated";
  std::optional<MeasureWindow> measure;
  std::optional<SimTime> from;  ///< start of the accounting window when a horizon is set
  bool verify =
      false;  ///< run the independent checker beside; throws Fault on the first broken rule
  std::vector<std::pair<Sink*, unsigned>> sinks;  ///< further sinks, with Recorder::Wants
  std::function<bool(const Simulator&)> progress;
};

struct RunResult {
  JobTable jobs;  ///< one record a job, by JobId
  Summary summary;
  std::string knowledge;  ///< what the policy was told of durations
};

/// Runs `policy` ("srtf", "las2d:quantum=10m", ...) over the workload. Throws UsageError or Fault.
RunResult simulate(const Workload& workload, const Topology& topology, std::string_view policy,
                   const RunOptions& options = {});

/// A cluster from a preset's name, a shorthand such as "64x8", or a JSON file. Throws UsageError or
/// InputError.
Topology load_cluster(const std::string& spec);

}  // namespace orrery
