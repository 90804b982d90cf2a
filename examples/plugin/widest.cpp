/// Widest first: the jobs that want the most GPUs go first. Textbook. What does not fit is skipped.
#include <orrery/policy/plugin.hpp>

namespace {

using namespace orrery;

class Widest final : public LinePolicy {
 public:
  explicit Widest(const Options& options)
      : sign_{options.word("first", {"widest", "narrowest"}, "widest") == "widest" ? -1 : 1} {}
  LineRule rule() const override { return {.blocked = Blocked::skip}; }
  Key key(const JobView& job) const override { return {.base = sign_ * std::int64_t{job.gpus}}; }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<Widest>(*this);
  }

 private:
  int sign_;
};

std::unique_ptr<LinePolicy> make_widest(const Options& options, const Estimates*) {
  return std::make_unique<Widest>(options);
}

constexpr PolicyEntry kPolicies[] = {
    {.name = "widest",
     .summary = "the jobs that want the most GPUs first",
     .order = "GPUs, submit, id",
     .blocked = "is passed over",
     .options = "first=widest  widest or narrowest",
     .paper = "textbook",
     .fidelity = "exact",
     .knows = Knows::nothing,
     .make = make_widest},
};

}  // namespace

ORRERY_PLUGIN(kPolicies)
