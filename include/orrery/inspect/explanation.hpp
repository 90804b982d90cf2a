// Why jobs waited: each wait as stretches of time with one cause each, and who stood before the job
// when a stretch began.
#pragma once

#include "orrery/engine/simulator.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// The first few of some jobs, and how many there are in all.
struct Rivals {
  std::vector<Rival> shown;
  std::size_t jobs = 0;  ///< shown ones included
  std::int64_t gpus = 0;
};

/// A stretch of waiting, [from, to), with one cause. The rest is as it was at `from`, once
/// everything at that instant had happened.
struct WaitStretch {
  SimTime from{}, to{};
  WaitCause cause = WaitCause::order;
  std::int64_t free_gpus = 0, evictable_gpus = 0;  ///< see Obstacles
  Rivals holders;                                  ///< whose GPUs the job may not take
  Rivals ahead;                                    ///< waiting, earlier in the order
};

struct Explanation {
  JobOutcome outcome{.job = JobId{0U}};
  std::vector<WaitStretch> stretches;  ///< in order of time; their sums by cause are outcome.wait
  std::string limit;                   ///< of a rejected job: what it breaks
};

/// Watches jobs while a run goes on. Add it to the run's Recorder, call look() after every instant
/// and finish() when the run is over. O(jobs watched and waiting) an instant, O(active jobs) when a
/// stretch begins.
class Explainer final : public Sink {
 public:
  static constexpr unsigned kWants = Recorder::kOutcomes;
  /// `jobs` of `workload`, which must outlive it; at most `most_shown` Rivals of each kind are
  /// kept.
  Explainer(const Workload& workload, std::vector<JobId> jobs, std::size_t most_shown);

  void outcome(const JobOutcome& outcome) override;
  /// Between two instants. False when every job has come to its end.
  bool look(const Simulator& run);
  /// The run is over at `end`. Throws Fault when the stretches of a job do not add up, cause by
  /// cause, to what the engine has booked.
  void finish(SimTime end);

  /// One a job, in the order of their JobIds.
  const std::vector<Explanation>& explanations() const { return explanations_; }

 private:
  struct Watched {
    std::optional<WaitStretch> open;
    bool gone = false;
  };
  void look_at(const Simulator& run, std::size_t i);
  void close(std::size_t i, SimTime now);

  const Workload& workload_;
  std::size_t most_shown_;
  std::vector<Explanation> explanations_;
  std::vector<Watched> watched_;   // one an explanation
  std::vector<std::size_t> here_;  // submitted and not gone
  std::size_t next_ = 0;           // the first that is not submitted
};

}  // namespace orrery
