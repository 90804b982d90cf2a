#include "engine/gang/wait_ledger.hpp"

#include <algorithm>

namespace orrery::gang {

std::uint32_t WaitLedger::add_class(int gpus, std::string limit) {
  const auto index = static_cast<std::uint32_t>(classes_.size());
  classes_.push_back({.gpus = gpus, .limit = std::move(limit), .spent = {}});
  const auto size = static_cast<std::size_t>(gpus);
  if (known_.size() <= size) known_.resize(size + 1, kUnknown);
  known_[size] = index;
  const auto after = std::ranges::upper_bound(by_size_, gpus, {},
                                              [&](std::uint32_t c) { return classes_[c].gpus; });
  by_size_.insert(after, index);
  return index;
}

void WaitLedger::book(DemandClass& one, SimTime now) {
  one.spent[static_cast<std::size_t>(one.state)] += micros(now - one.since);
  one.since = now;
}

void WaitLedger::begin(ActiveJob& job, SimTime now) {
  DemandClass& mine = classes_[job.demand_class];
  book(mine, now);
  ++mine.waiting;
  job.counted = true;
  for (std::size_t c = 0; c < kWaitCauses; ++c) job.account.wait[c] -= Duration{mine.spent[c]};
}

void WaitLedger::begin_preempted(ActiveJob& job, SimTime now) {
  ++classes_[job.demand_class].waiting;
  job.counted = true;
  job.preempted_at = now;
}

void WaitLedger::end(ActiveJob& job, SimTime now) {
  if (!job.counted) return;  // it starts in the instant of its arrival
  job.counted = false;
  DemandClass& mine = classes_[job.demand_class];
  --mine.waiting;
  if (job.account.first_start != kNever) {
    job.account.wait[static_cast<std::size_t>(WaitCause::preempted)] += now - job.preempted_at;
    return;
  }
  book(mine, now);
  for (std::size_t c = 0; c < kWaitCauses; ++c) job.account.wait[c] += Duration{mine.spent[c]};
}

std::int64_t WaitLedger::refresh(const FreeNodes& free, const Placement& placement, SimTime now) {
  bool fragmented = false;
  bool may_fit = true;  // where a smaller class does not fit, a larger one does not
  const bool monotone = placement.monotone(free);
  for (const std::uint32_t index : by_size_) {
    DemandClass& one = classes_[index];
    if (one.waiting == 0) continue;
    WaitCause state = WaitCause::capacity;
    if (one.gpus <= free.total_free()) {
      if (may_fit || !monotone) may_fit = placement.fits(free, {.gpus = one.gpus});
      state = may_fit ? WaitCause::order : WaitCause::fragmented;
      fragmented = fragmented || !may_fit;
    }
    if (state == one.state) continue;
    book(one, now);
    one.state = state;
  }
  return fragmented ? free.total_free() : 0;
}

}  // namespace orrery::gang
