// Whole histories of runs, to be compared, and random workloads in microseconds.
#pragma once

#include "support/scenario.hpp"

#include "orrery/conformance/history.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace orrery::test {

using conformance::History;
using conformance::Line;
using orrery::random_jobs;

/// A way to run jobs.
struct Setting {
  std::string policy = "fifo", placement = "count", cluster = "3x4";
  SimOptions options;
};

inline std::vector<Line> history_of(const Workload& workload, const Setting& setting) {
  const Topology topology = parse_cluster_shorthand(setting.cluster).value();
  History history{workload};
  Recorder recorder;
  recorder.add(history, Recorder::kHistory);
  Simulator simulator{workload, topology, choice(setting.policy, setting.placement),
                      setting.options, recorder};
  simulator.run();
  return history.lines;
}
inline std::vector<Line> history_of(const std::vector<TestJob>& jobs, const Setting& setting) {
  return history_of(make_workload(jobs), setting);
}

/// Fingerprints of a run and, before it, of the forks that are taken at each of its instants.
inline std::vector<std::uint64_t> fingerprints_of_forks(const Workload& workload,
                                                        const Setting& setting) {
  const Topology topology = parse_cluster_shorthand(setting.cluster).value();
  Recorder recorder;
  Fingerprint fingerprint;
  recorder.add(fingerprint, Recorder::kHistory);
  Simulator simulator{workload, topology, choice(setting.policy, setting.placement),
                      setting.options, recorder};
  std::vector<std::uint64_t> ends;
  do {
    Recorder to_fork;
    Fingerprint forked = fingerprint;
    to_fork.add(forked, Recorder::kHistory);
    Simulator fork = simulator.clone(to_fork);
    fork.run();
    ends.push_back(forked.value());
  } while (simulator.step());
  ends.push_back(fingerprint.value());
  return ends;
}

/// Every policy, with short quanta and limits, on every placement, with and without a cost of
/// preemption.
inline std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const PolicyEntry& entry : policy_table()) {
    std::string policy{entry.name};
    if (policy == "las" || policy == "las2d") policy += ":quantum=5s";
    if (policy == "mlfq" || policy == "mlfq2d" || policy == "tiresias") policy += ":limits=4s/20s";
    for (const char* placement : {"count", "first-fit", "best-fit", "consolidated:relax=fewest",
                                  "consolidated:relax=any", "spread", "random:3"}) {
      Setting setting{.policy = policy, .placement = placement};
      setting.options.durations.kind = DurationKnowledge::Kind::oracle;
      settings.push_back(setting);
      setting.options.preempt_cost = std::chrono::seconds{1};
      settings.push_back(setting);
    }
  }
  return settings;
}

}  // namespace orrery::test
