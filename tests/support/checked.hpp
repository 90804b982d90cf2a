// Runs under the independent checker.
#pragma once

#include "support/scenario.hpp"

#include "orrery/verify/checker.hpp"

#include <string>
#include <string_view>

namespace orrery::test {

/// Carries out a whole run with the checker on it; returns the fingerprint. Throws what the checker
/// throws.
inline std::uint64_t checked_fingerprint(const Workload& workload, const Topology& topology,
                                         std::string_view policy, std::string_view placement,
                                         const SimOptions& options = {}) {
  const PolicyChoice chosen = choice(policy, placement);
  Recorder recorder;
  Fingerprint fingerprint;
  recorder.add(fingerprint, Recorder::kHistory);
  Checker checker{workload, topology, checked_run(chosen, parse_spec(placement, "seed"), options)};
  recorder.add(checker, Checker::kWants);
  Simulator simulator{workload, topology, chosen, options, recorder};
  simulator.run();
  checker.finish(simulator.totals());
  return fingerprint.value();
}

}  // namespace orrery::test
