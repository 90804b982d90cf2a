// The independent checker behind --verify: a sink that keeps its own books of a run, from the event
// stream alone, and throws a Fault at the first rule that is broken.
#pragma once

#include "orrery/cluster/topology.hpp"
#include "orrery/engine/recorder.hpp"
#include "orrery/engine/simulator.hpp"
#include "orrery/policy/spec.hpp"
#include "orrery/workload/workload.hpp"

#include <memory>
#include <optional>

namespace orrery {

/// Where the placement in force may put a gang.
enum class GangRule : std::uint8_t {
  count,     ///< GPUs have no identity: entries carry no slices
  together,  ///< spread=never: one node, or whole nodes and at most one part of a node
  anywhere   ///< spread=fewest|any: whatever is free
};

/// What the checker is told of a run beside its inputs.
struct CheckedRun {
  VcMode vc_mode = VcMode::shared;
  GangRule gangs = GangRule::together;
  Duration preempt_cost{};
  bool enforce_walltime = false;
  bool full_rate = true;  ///< no rate model: work is done at rate 1 (I8)
  std::optional<SimTime> until;
  bool may_stop_early = false;  ///< the caller may end the run at any instant
  /// I15: the policy tries every waiting job in every pass (skip rules, no rounds).
  bool work_conserving = false;
  /// I16: the policy is `easy` and knows these durations (oracle or walltime).
  std::optional<DurationKnowledge::Kind> promises;
};

/// What these settings ask to be checked; `placement` is what choice.placement was made of.
CheckedRun checked_run(const PolicyChoice& choice, const Spec& placement,
                       const SimOptions& options);

/// Checks, while the run goes on: time order (I1), one holder a GPU and free GPUs within capacity
/// (I2, I3), gangs whole and where they may be (I4, I5), the automaton of job states (I6), work
/// done and the parts of each JCT (I8, I9), decisions an instant (I14), and by choice work
/// conservation (I15) and EASY's promise (I16). finish() checks the sums of the whole run (I7, I10,
/// I12, I13, I17). It keeps about 200 bytes an active job and 5 bytes a job.
class Checker final : public Sink {
 public:
  /// What to add it to a Recorder with.
  static constexpr unsigned kWants =
      Recorder::kHistory | Recorder::kSubmits | Recorder::kOutcomes | Recorder::kStates;

  /// The arguments must outlive it. Throws UsageError when the VCs ask for more nodes than there
  /// are.
  Checker(const Workload& workload, const Topology& topology, const CheckedRun& run);
  ~Checker() override;

  void history(const HistoryEntry& entry) override;
  void outcome(const JobOutcome& outcome) override;
  void state(const ClusterState& state) override;
  /// After the end of the run, with the engine's own totals.
  void finish(const RunTotals& totals);

  /// Entries and outcomes checked so far.
  std::uint64_t checked() const;

 private:
  class Books;
  std::unique_ptr<Books> books_;
};

}  // namespace orrery
