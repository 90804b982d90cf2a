// Orrery as a library: simulate() wires one run and returns its jobs and summary.
#pragma once

#include "orrery/cluster/topology.hpp"
#include "orrery/engine/simulator.hpp"
#include "orrery/metrics/job_table.hpp"
#include "orrery/metrics/summary.hpp"
#include "orrery/workload/workload.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

/// The part of a run that statistics are restricted to; the run itself goes on. Jobs count by their
/// submit time, or by their rank in canonical order.
struct MeasureWindow {
  bool ranks = false;
  std::size_t first_rank = 0, last_rank = 0;  ///< jobs [first, last)
  SimTime from{}, to = kNever;                ///< from <= submit < to
};

struct RunOptions {
  SimOptions sim;  ///< its marks are simulate()'s own
  std::string placement = "consolidated";
  std::optional<MeasureWindow> measure;
  /// Where the accounting window starts when there is a horizon; the first submit without one.
  SimTime from{};
  bool verify =
      false;  ///< the independent checker goes along; throws Fault at the first broken rule
  std::vector<std::pair<Sink*, unsigned>> sinks;  ///< further ones, with Recorder::Wants
  /// Called after every so many instants; false ends the run there.
  std::function<bool(const Simulator&)> progress;
  std::uint64_t progress_instants = std::uint64_t{1} << 12;
};

struct RunResult {
  JobTable jobs;  ///< one record a job, by JobId
  Summary summary{};
  SimTime end{};                            ///< the last instant carried out
  JobRange range{};                         ///< jobs that the summary is about
  std::optional<GpuTime> while_arriving{};  ///< over [first submit, last submit] of them
  std::string knowledge;                    ///< what the policy was told of durations, in words
  std::uint64_t verified = 0;               ///< entries that the independent checker found right
  bool stopped = false;                     ///< progress() ended it
};

/// A policy ("las2d:quantum=10m") with its placement, as a run of these options takes it. Throws
/// UsageError.
PolicyChoice policy_choice(std::string_view policy, const RunOptions& options);

/// Runs `policy` ("srtf", "las2d:quantum=10m", ...) over the workload. Throws UsageError or Fault.
RunResult simulate(const Workload& workload, const Topology& topology, std::string_view policy,
                   const RunOptions& options = {});

/// The summary again with its statistics over finished jobs restricted to `among` (by JobId).
Summary summary_among(const Workload& workload, const RunResult& result,
                      const std::vector<bool>& among);

/// A cluster from a preset's name, a shorthand such as "64x8", or a JSON file (docs/schema). Throws
/// UsageError, InputError or EnvironmentError.
Topology load_cluster(const std::string& spec);

}  // namespace orrery
