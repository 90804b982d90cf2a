// Small workloads and runs for tests, in the words of the tests.
#pragma once

#include "orrery/engine/simulator.hpp"
#include "orrery/policy/parts.hpp"
#include "orrery/workload/builder.hpp"
#include "orrery/workload/trial.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::test {

using TestJob = TrialJob;

inline Workload make_workload(const std::vector<TestJob>& jobs) {
  return workload_of(jobs);
}

inline PolicyChoice choice(std::string_view policy, std::string_view placement,
                           std::uint64_t seed = 1) {
  const Spec spec = parse_spec(policy);
  return {.policy = &policy_entry(spec.name),
          .options = spec.options(),
          .placement = make_placement(parse_spec(placement, "seed"), seed)};
}

/// Outcomes by the trace's id, totals and fingerprint of one run.
struct TestRun final : Sink {
  void outcome(const JobOutcome& one) override {
    outcomes.emplace(std::string{workload->id_text(one.job)}, one);
  }
  const JobOutcome& operator[](const std::string& id) const { return outcomes.at(id); }
  Duration start(const std::string& id) const {
    return outcomes.at(id).first_start.time_since_epoch();
  }
  Duration end(const std::string& id) const { return outcomes.at(id).end.time_since_epoch(); }
  std::shared_ptr<Workload> workload;
  std::map<std::string, JobOutcome> outcomes;
  RunTotals totals;
  std::vector<std::pair<std::string, std::uint64_t>> rejections;
  std::uint64_t fingerprint = 0;
};

inline TestRun run(std::string_view cluster, std::vector<TestJob> jobs, std::string_view policy,
                   std::string_view placement = "count", const SimOptions& options = {}) {
  TestRun result;
  result.workload = std::make_shared<Workload>(make_workload(jobs));
  const Topology topology = parse_cluster_shorthand(cluster).value();
  Recorder recorder;
  Fingerprint fingerprint;
  recorder.add(fingerprint, Recorder::kHistory);
  recorder.add(result, Recorder::kOutcomes);
  Simulator simulator{*result.workload, topology, choice(policy, placement), options, recorder};
  simulator.run();
  result.totals = simulator.totals();
  result.rejections = simulator.rejections();
  result.fingerprint = fingerprint.value();
  return result;
}

}  // namespace orrery::test
