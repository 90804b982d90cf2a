/// Shortest remaining time first (srtf) and shortest remaining service first (srsf: remaining time
/// times GPUs), preemptive. Textbook; SRTF and SRSF as in the Tiresias paper's comparison (Gu et
/// al., NSDI 2019). What does not fit is skipped. A job of unknown duration sorts last.
#include "duration_order.hpp"
#include "policies.hpp"

namespace orrery {
namespace {

class Srtf final : public LinePolicy {
 public:
  Srtf(bool times_gpus, const Estimates* estimates)
      : times_gpus_{times_gpus}, estimates_{estimates} {}
  LineRule rule() const override { return {.blocked = Blocked::skip, .preempts = Preempts::any}; }
  Key key(const JobView& job) const override {
    const int weight = times_gpus_ ? job.gpus : 1;
    const auto work = expected_work(*estimates_, job, weight);
    if (!work) return {.base = kSortsLast};
    return {.base = *work, .per_progress = -weight};  // what is left of it
  }
  std::unique_ptr<LinePolicy> clone(const Estimates* estimates) const override {
    return std::make_unique<Srtf>(times_gpus_, estimates);
  }

 private:
  bool times_gpus_;
  const Estimates* estimates_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_srtf(const Options&, const Estimates* estimates) {
  return std::make_unique<Srtf>(false, estimates);
}
std::unique_ptr<LinePolicy> make_srsf(const Options&, const Estimates* estimates) {
  return std::make_unique<Srtf>(true, estimates);
}

}  // namespace orrery
