/// Multi-level feedback queue, preemptive: new jobs in the highest queue, sinking one queue when
/// the time they held GPUs (mlfq) or that time times GPUs (mlfq2d) reaches its limit; first come,
/// first served inside a queue. Textbook; mlfq2d is discretised two-dimensional least attained
/// service (Gu et al., Tiresias, NSDI 2019) with FIFO inside a queue. What does not fit is skipped.
#include "levels.hpp"
#include "policies.hpp"

namespace orrery {
namespace {

class Mlfq final : public LinePolicy {
 public:
  explicit Mlfq(Levels levels) : levels_{std::move(levels)} {}
  LineRule rule() const override { return {.blocked = Blocked::skip, .preempts = Preempts::any}; }
  Key key(const JobView& job) const override {
    return {.base = levels_.level(job), .until_held = levels_.left_at(job)};
  }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<Mlfq>(*this);
  }

 private:
  Levels levels_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_mlfq(const Options& options, const Estimates*) {
  return std::make_unique<Mlfq>(Levels{options, false});
}
std::unique_ptr<LinePolicy> make_mlfq2d(const Options& options, const Estimates*) {
  return std::make_unique<Mlfq>(Levels{options, true});
}

}  // namespace orrery
