#include "orrery/metrics/timeline.hpp"

#include "orrery/base/error.hpp"

#include <algorithm>

namespace orrery {

Timeline::Timeline(Duration step) : step_{step} {
  if (step <= Duration::zero()) throw UsageError("--timeline: the step must be longer than 0 s");
}

void Timeline::state(const ClusterState& state) {
  if (now_.time != kNever) integrate_to(state.time);
  now_ = state;
}

void Timeline::finish(SimTime end) {
  if (now_.time == kNever) return;
  integrate_to(end);
  if (steps_.empty() || steps_.back().from + step_ <= end) return;  // ends on a step's edge
  integrate_to(steps_.back().from + step_);
}

void Timeline::integrate_to(SimTime time) {
  while (now_.time < time) {
    const SimTime from = at(step_ * (micros(now_.time) / micros(step_)));
    if (steps_.empty() || steps_.back().from != from) {
      if (steps_.size() == kMostSteps)
        throw UsageError("--timeline: more than " + std::to_string(kMostSteps) + " steps of " +
                         duration_text(step_) + "; take a longer step");
      steps_.push_back({.from = from});
    }
    const SimTime until = std::min(time, from + step_);
    const GpuTime::Wide span = micros(until - now_.time);
    Step& step = steps_.back();
    step.gpus_total += span * now_.gpus_total;
    step.gpus_busy += span * now_.gpus_busy;
    step.gpus_down += span * now_.gpus_down;
    step.jobs_waiting += span * now_.jobs_waiting;
    step.jobs_running += span * now_.jobs_running;
    step.gpus_wanted += span * now_.gpus_wanted;
    now_.time = until;
  }
}

}  // namespace orrery
