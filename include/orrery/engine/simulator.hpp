// One run: a workload on a cluster under one policy. A Simulator is a value; clone() forks it.
#pragma once

#include "orrery/cluster/topology.hpp"
#include "orrery/engine/recorder.hpp"
#include "orrery/engine/standing.hpp"
#include "orrery/models/rate.hpp"
#include "orrery/policy/parts.hpp"
#include "orrery/policy/registry.hpp"
#include "orrery/workload/workload.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

enum class VcMode : std::uint8_t {
  shared,  ///< one pool; VCs only label jobs
  fixed    ///< "static": each VC of the topology has its own whole nodes, in the order of its list
};

/// What policies that ask for estimates are told of durations.
struct DurationKnowledge {
  enum class Kind : std::uint8_t { by_policy, oracle, walltime, noisy, history };
  Kind kind = Kind::by_policy;
  double sigma = 0;  ///< noisy: the standard deviation of the logarithm of the factor
};

/// From `at` on another policy decides: over the jobs and GPUs as they are then, having seen
/// everything that happened before. The placement stays.
struct Takeover {
  SimTime at;
  const PolicyEntry* policy = nullptr;  ///< must outlive the run
  Options options;
};

struct SimOptions {
  std::uint64_t seed = 1;
  VcMode vc_mode = VcMode::shared;
  DurationKnowledge durations;
  std::optional<Duration> round;  ///< ask only at multiples of it
  std::optional<SimTime>
      until;                ///< the horizon: this instant is carried out whole, then the run ends
  Duration preempt_cost{};  ///< overhead of each restart after a preemption and of each migration
  bool enforce_walltime = false;
  std::vector<SimTime> marks;        ///< ascending instants at which RunTotals::at_marks is taken
  const RateModel* rates = nullptr;  ///< none: every job runs at kFullRate. Must outlive the run.
  bool rerate_everything =
      false;  ///< re-rate every running job at every instant: changes nothing (a test)
  bool check_keys =
      false;  ///< ask every key anew after every instant and compare: changes nothing (a test)
  std::vector<Takeover> takeovers;  ///< at ascending instants; those after the end never happen
};

/// A policy with its options, and the placement beside it.
struct PolicyChoice {
  const PolicyEntry* policy = nullptr;  ///< must outlive the run
  Options options;
  std::shared_ptr<const Placement> placement;
};

class Simulator {
 public:
  /// The arguments must outlive the run. Throws UsageError for a policy, placement or VC set-up
  /// that cannot be.
  Simulator(const Workload& workload, const Topology& topology, const PolicyChoice& choice,
            const SimOptions& options, Recorder& recorder);
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  /// Carries out the next instant; false when the run is over.
  bool step();
  /// Carries out instants until the run is over. `progress`, when given, is called after every
  /// `instants` of them and may return false to stop the run there (what runs or waits is then
  /// unfinished).
  void run(const std::function<bool(const Simulator&)>& progress = {},
           std::uint64_t instants = std::uint64_t{1} << 12);
  SimTime now() const;
  std::size_t jobs_ended() const;
  std::uint64_t events() const;
  /// After the end of the run. Sums have been checked against each other.
  const RunTotals& totals() const;
  /// Reasons of rejected jobs with their counts, in the order of first use: "16 GPUs, but VC 'vcA'
  /// has 8".
  const std::vector<std::pair<std::string, std::uint64_t>>& rejections() const;
  /// What the policy was told of durations, in words, for the manifest.
  std::string knowledge() const;

  // Questions between two instants.
  Standing standing(JobId job) const;
  /// Of a job that waits. O(active jobs).
  Obstacles obstacles(JobId job) const;
  /// Why no state of the cluster can hold this job; empty when one can.
  std::string limit_on(JobId job) const;

  /// The same run from here on, into another recorder: a fork that shares nothing with this one.
  Simulator clone(Recorder& recorder) const;

 private:
  class Run;
  explicit Simulator(std::unique_ptr<Run> run);
  std::unique_ptr<Run> run_;
};

}  // namespace orrery
