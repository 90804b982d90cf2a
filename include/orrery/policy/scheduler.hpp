// A whole scheduler: asked at every event, it says which jobs give GPUs back and which start where.
// For what no key and rule can say; the engine checks and enacts it.
#pragma once

#include "orrery/cluster/allocation.hpp"
#include "orrery/policy/line.hpp"
#include "orrery/policy/parts.hpp"

#include <optional>
#include <span>
#include <vector>

namespace orrery {

/// What a scheduler sees of its pool when it is asked. Lives until decide() returns.
class View {
 public:
  virtual ~View() = default;
  virtual SimTime now() const = 0;
  virtual std::span<const JobId> waiting() const = 0;  ///< in canonical order
  virtual std::span<const JobId> running() const = 0;  ///< those that hold GPUs, in that order
  /// One of them.
  virtual JobView job(JobId job) const = 0;
  /// What a job holds; empty under count.
  virtual std::span<const Slice> held(JobId job) const = 0;
  virtual const FreeNodes& free() const = 0;
  /// The run's rule for where a gang may be.
  virtual const Placement& placement() const = 0;
};

/// What a scheduler wants, enacted in this order: first all that give GPUs back, then the starts,
/// one after the other. A job that gives GPUs back and starts in one decision migrates. What cannot
/// be is a Fault that names the policy: an unknown job, a start of a job that runs, two starts of
/// one job, GPUs that are not free, a gang that is not whole.
class Decision {
 public:
  struct Start {
    JobId job;
    Picks picks;        ///< empty: where the placement finds room
    bool must = false;  ///< no room is a fault; else the job goes on waiting
  };
  void preempt(JobId job) { preempts_.push_back(job); }
  /// Where the placement finds room, if it does.
  void start_if_room(JobId job) { starts_.push_back({job, {}, false}); }
  void start(JobId job) { starts_.push_back({job, {}, true}); }
  /// On these GPUs; not under count.
  void start(JobId job, Picks picks) { starts_.push_back({job, std::move(picks), true}); }
  /// Asks again at this instant, past now, even if nothing happens then. The last word counts.
  void ask_at(SimTime time) { ask_at_ = time; }

  const std::vector<JobId>& preempts() const { return preempts_; }
  const std::vector<Start>& starts() const { return starts_; }
  std::optional<SimTime> asks_at() const { return ask_at_; }

 private:
  std::vector<JobId> preempts_;
  std::vector<Start> starts_;
  std::optional<SimTime> ask_at_;
};

/// Beside lines: its rule and key only say that jobs are shown in the order of their arrival.
class Scheduler : public LinePolicy {
 public:
  virtual void decide(const View& view, Decision& decision) = 0;
  LineRule rule() const override { return {}; }
  Key key(const JobView&) const override { return {}; }
};

}  // namespace orrery
