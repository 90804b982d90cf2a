/// Two-dimensional least attained service, discretised: run the jobs that have received the least
/// GPU time so far, in queues. Source: Gu et al., Tiresias, NSDI 2019, section 3.2. Fidelity:
/// inside a queue running jobs go first, as in the authors' simulator, where the paper orders by
/// first start; the promote knob is off, as in the paper's evaluation.
#include "levels.hpp"
#include "policies.hpp"

namespace orrery {
namespace {

class Tiresias final : public LinePolicy {
 public:
  explicit Tiresias(const Options& options) : queues_{options, true} {}
  LineRule rule() const override { return {.blocked = Blocked::skip, .preempts = Preempts::any}; }
  Key key(const JobView& job) const override {
    // 1. A job sinks one queue each time its attained service passes that queue's limit: higher
    // queues first.
    // 2. Inside a queue, running jobs before waiting ones, then by arrival (the line appends the
    // id).
    // 3. Asked again when the job, still running, reaches the next limit.
    return {.base = queues_.level(job),
            .second = job.running ? 0 : 1,
            .until_held = queues_.left_at(job)};
  }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<Tiresias>(*this);
  }

 private:
  Levels queues_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_tiresias(const Options& options, const Estimates*) {
  return std::make_unique<Tiresias>(options);
}

}  // namespace orrery
