// The cluster over time in equal steps: exact means of what was held, waited for and wanted.
#pragma once

#include "orrery/engine/recorder.hpp"

#include <cstdint>
#include <vector>

namespace orrery {

/// Integrates the states of a run over the steps [k * step, (k + 1) * step) from the origin on that
/// hold the first to the last change; the last step is whole.
class Timeline final : public Sink {
 public:
  static constexpr std::size_t kMostSteps = 1'000'000;

  /// One step; each value summed over its microseconds.
  struct Step {
    SimTime from;
    GpuTime::Wide gpus_total = 0, gpus_busy = 0, gpus_down = 0;
    GpuTime::Wide jobs_waiting = 0, jobs_running = 0, gpus_wanted = 0;
  };

  /// Throws UsageError when `step` is not positive; later, when a run has more than kMostSteps.
  explicit Timeline(Duration step);
  void state(const ClusterState& state) override;
  /// After the run, which ended at `end`: closes the last step.
  void finish(SimTime end);

  Duration step() const { return step_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  void integrate_to(SimTime time);

  Duration step_;
  std::vector<Step> steps_;
  ClusterState now_{.time = kNever};
};

}  // namespace orrery
