/// Least attained service, preemptive: run the jobs that have held GPUs for the least time (las) or
/// for the least time times GPUs (las2d). Textbook; the continuous form of Tiresias (Gu et al.,
/// NSDI 2019, section 3.2). Attained service rises while a job runs, so the order is looked at
/// again at every multiple of the quantum, while somebody waits. What does not fit is skipped.
#include "policies.hpp"

namespace orrery {
namespace {

class Las final : public LinePolicy {
 public:
  Las(bool times_gpus, const Options& options)
      : times_gpus_{times_gpus}, quantum_{options.duration("quantum", std::chrono::minutes{6})} {}
  LineRule rule() const override {
    return {.blocked = Blocked::skip, .preempts = Preempts::any, .quantum = quantum_};
  }
  Key key(const JobView& job) const override { return {.per_held = times_gpus_ ? job.gpus : 1}; }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<Las>(*this);
  }

 private:
  bool times_gpus_;
  Duration quantum_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_las(const Options& options, const Estimates*) {
  return std::make_unique<Las>(false, options);
}
std::unique_ptr<LinePolicy> make_las2d(const Options& options, const Estimates*) {
  return std::make_unique<Las>(true, options);
}

}  // namespace orrery
