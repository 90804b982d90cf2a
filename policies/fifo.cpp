/// First come, first served. Textbook. A job that does not fit stops the walk (fifo) or is skipped
/// (fifo-skip, "greedy backfill").
#include "policies.hpp"

namespace orrery {
namespace {

class Fifo final : public LinePolicy {
 public:
  explicit Fifo(Blocked blocked) : blocked_{blocked} {}
  LineRule rule() const override { return {.blocked = blocked_}; }
  Key key(const JobView&) const override { return {}; }  // ties fall to submit time, then id
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<Fifo>(*this);
  }

 private:
  Blocked blocked_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_fifo(const Options&, const Estimates*) {
  return std::make_unique<Fifo>(Blocked::stop);
}
std::unique_ptr<LinePolicy> make_fifo_skip(const Options&, const Estimates*) {
  return std::make_unique<Fifo>(Blocked::skip);
}

}  // namespace orrery
