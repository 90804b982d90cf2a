/// Replay: every job starts when the trace says that it started, if there is room, and else as soon
/// as there is, in the order of the recorded starts. Not a policy to compare others with, but a
/// check of a simulation: what is recorded and what is simulated of it should agree. A job without
/// a recorded start counts as one that started when it was submitted.
#include "policies.hpp"

#include "orrery/policy/scheduler.hpp"

#include <algorithm>

namespace orrery {
namespace {

class Replay final : public Scheduler {
 public:
  explicit Replay(const Estimates* recorded) : recorded_{recorded} {}

  void decide(const View& view, Decision& decision) override {
    std::vector<std::pair<SimTime, JobId>> due;
    SimTime next = kNever;
    for (const JobId job : view.waiting()) {
      const SimTime start = recorded_->recorded_start(job).value_or(view.job(job).arrival);
      if (start <= view.now()) {
        due.emplace_back(start, job);
      } else {
        next = std::min(next, start);
      }
    }
    std::ranges::sort(due);
    for (const auto& [start, job] : due) decision.start_if_room(job);
    if (next != kNever) decision.ask_at(next);
  }
  std::unique_ptr<LinePolicy> clone(const Estimates* recorded) const override {
    return std::make_unique<Replay>(recorded);
  }

 private:
  const Estimates* recorded_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_replay(const Options&, const Estimates* recorded) {
  return std::make_unique<Replay>(recorded);
}

}  // namespace orrery
