/// Shortest job first, not preemptive. Textbook. By run time (sjf, sjf-skip) or by run time times
/// GPUs, the smallest service first (svsf, svsf-skip). A job of unknown duration sorts last.
#include "duration_order.hpp"
#include "policies.hpp"

namespace orrery {
namespace {

enum class Weight : std::uint8_t { one, gpus };

class Sjf final : public LinePolicy {
 public:
  Sjf(Blocked blocked, Weight weight, const Estimates* estimates)
      : blocked_{blocked}, weight_{weight}, estimates_{estimates} {}
  LineRule rule() const override { return {.blocked = blocked_}; }
  Key key(const JobView& job) const override {
    return {.base = expected_work(*estimates_, job, weight_ == Weight::gpus ? job.gpus : 1)
                        .value_or(kSortsLast)};
  }
  std::unique_ptr<LinePolicy> clone(const Estimates* estimates) const override {
    return std::make_unique<Sjf>(blocked_, weight_, estimates);
  }

 private:
  Blocked blocked_;
  Weight weight_;
  const Estimates* estimates_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_sjf(const Options&, const Estimates* estimates) {
  return std::make_unique<Sjf>(Blocked::stop, Weight::one, estimates);
}
std::unique_ptr<LinePolicy> make_sjf_skip(const Options&, const Estimates* estimates) {
  return std::make_unique<Sjf>(Blocked::skip, Weight::one, estimates);
}
std::unique_ptr<LinePolicy> make_svsf(const Options&, const Estimates* estimates) {
  return std::make_unique<Sjf>(Blocked::stop, Weight::gpus, estimates);
}
std::unique_ptr<LinePolicy> make_svsf_skip(const Options&, const Estimates* estimates) {
  return std::make_unique<Sjf>(Blocked::skip, Weight::gpus, estimates);
}

}  // namespace orrery
