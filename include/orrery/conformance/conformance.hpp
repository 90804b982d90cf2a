// Whether a policy keeps its contract: any policy, over random workloads, against the invariants of
// every run and against relations between runs that hold without anybody knowing what is right.
#pragma once

#include "orrery/policy/parts.hpp"
#include "orrery/policy/registry.hpp"
#include "orrery/workload/trial.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::conformance {

/// A few jobs on a cluster of equal nodes, and how they are run.
struct Trial {
  std::vector<TrialJob> jobs;
  int nodes = 3, gpus_per_node = 4;
  std::string placement = "count";
  std::string durations = "oracle";  ///< oracle, walltime or history
  Duration preempt_cost{};
};

/// A policy as a user names it: a row and its options.
struct Subject {
  const PolicyEntry* policy = nullptr;
  Options options;
};

/// Throws UsageError for options that the policy does not have or take.
void check_options(const Subject& subject);

/// What each run is held to. `breach` tells what is wrong, or nothing; what it throws is a breach,
/// too.
struct Rule {
  std::string_view name, promise;
  std::optional<std::string> (*breach)(const Subject& subject, const Trial& trial);
};
/// All of them, the most telling first.
std::span<const Rule> rules();

/// A rule that does not hold in a trial.
struct Breach {
  const Rule* rule = nullptr;
  std::string what;
  Trial trial;
};
/// The first rule that a trial breaks.
std::optional<Breach> breach_of(const Subject& subject, const Trial& trial);
/// Whether the trial breaks this rule.
std::optional<std::string> breach_of(const Rule& rule, const Subject& subject, const Trial& trial);

/// Trial number `n` of a seed: 1 to 40 jobs, any placement that draws nothing at random.
Trial random_trial(std::uint64_t seed, std::uint64_t n);

struct Conformance {
  std::uint64_t trials = 0;  ///< carried out
  std::optional<Breach> breach;
};
/// Carries out trials up to the first breach, which is then shrunk (shrink.hpp). `go_on` is asked
/// before each trial.
Conformance conform(const Subject& subject, std::uint64_t trials, std::uint64_t seed,
                    const std::function<bool()>& go_on = {});

}  // namespace orrery::conformance
