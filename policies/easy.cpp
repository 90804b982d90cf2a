/// EASY backfilling: first come, first served, but the job at the head gets a reservation at the
/// earliest instant at which there is room for it by the ends known, and a later job starts if it
/// does not delay that. Source: Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995; Mu'alem and
/// Feitelson, TPDS 2001. One reservation, made anew in every pass.
#include "policies.hpp"

namespace orrery {
namespace {

class Easy final : public LinePolicy {
 public:
  LineRule rule() const override { return {.blocked = Blocked::reserve}; }
  Key key(const JobView&) const override { return {}; }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<Easy>(*this);
  }
};

}  // namespace

std::unique_ptr<LinePolicy> make_easy(const Options&, const Estimates*) {
  return std::make_unique<Easy>();
}

}  // namespace orrery
