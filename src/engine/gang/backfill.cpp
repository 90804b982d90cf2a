#include "engine/gang/backfill.hpp"

#include "orrery/base/check.hpp"

#include <algorithm>
#include <bit>

namespace orrery::gang {

void BackfillClass::push(std::uint32_t job, Slot slot, std::int64_t expected) {
  ORRERY_CHECK(entries_.empty() || entries_.back().job < job,
               "jobs wait in the order of their arrival");
  if (entries_.size() == width_) rebuild();
  entries_.push_back({job, slot});
  set(entries_.size() - 1, expected);
  ++live_;
}

void BackfillClass::remove(std::uint32_t job) {
  const auto found = std::ranges::lower_bound(entries_, job, {}, &Entry::job);
  set(static_cast<std::size_t>(found - entries_.begin()), kGone);
  --live_;
}

void BackfillClass::set(std::size_t position, std::int64_t expected) {
  std::size_t i = width_ + position;
  shortest_[i] = expected;
  for (i /= 2; i >= 1; i /= 2) shortest_[i] = std::min(shortest_[2 * i], shortest_[2 * i + 1]);
}

/// Drops the holes, and doubles the room when most of it is in use.
void BackfillClass::rebuild() {
  std::vector<Entry> entries;
  std::vector<std::int64_t> expected;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (shortest_[width_ + i] == kGone) continue;
    entries.push_back(entries_[i]);
    expected.push_back(shortest_[width_ + i]);
  }
  entries_ = std::move(entries);
  width_ = std::bit_ceil(std::max<std::size_t>(16, 2 * entries_.size()));
  shortest_.assign(2 * width_, kGone);
  std::ranges::copy(expected, shortest_.begin() + static_cast<std::ptrdiff_t>(width_));
  for (std::size_t i = width_ - 1; i >= 1; --i)
    shortest_[i] = std::min(shortest_[2 * i], shortest_[2 * i + 1]);
}

std::optional<BackfillClass::Entry> BackfillClass::next(std::uint32_t job,
                                                        std::int64_t longest) const {
  if (live_ == 0 || shortest_[1] > longest) return std::nullopt;
  const auto from = std::ranges::lower_bound(entries_, job, {}, &Entry::job);
  if (from == entries_.end()) return std::nullopt;
  std::size_t i = width_ + static_cast<std::size_t>(from - entries_.begin());
  while (shortest_[i] > longest) {  // up to the first subtree on the right that holds one
    while ((i & 1) != 0) i /= 2;
    if (i == 0) return std::nullopt;
    ++i;
  }
  while (i < width_) i = shortest_[2 * i] <= longest ? 2 * i : 2 * i + 1;
  return entries_[i - width_];
}

void Backfill::push(const ActiveJob& job, Slot slot, std::optional<Duration> expected) {
  auto mine = std::ranges::lower_bound(classes_, job.gpus(), {}, &BackfillClass::gpus);
  if (mine == classes_.end() || mine->gpus() != job.gpus())
    mine = classes_.insert(mine, BackfillClass{job.gpus()});
  mine->push(job.id().value(), slot, expected ? micros(*expected) : BackfillClass::kUnknown);
}

void Backfill::remove(const ActiveJob& job) {
  std::ranges::lower_bound(classes_, job.gpus(), {}, &BackfillClass::gpus)
      ->remove(job.id().value());
}

std::optional<BackfillClass::Entry> Backfill::next(std::uint32_t job, int below_any, int below_long,
                                                   std::int64_t longest) const {
  std::optional<BackfillClass::Entry> first;
  for (const BackfillClass& one : classes_) {
    if (one.gpus() >= below_any) break;
    const auto found = one.next(job, one.gpus() < below_long ? BackfillClass::kUnknown : longest);
    if (found && (!first || found->job < first->job)) first = found;
  }
  return first;
}

void Backfill::started(const ActiveJob& job, Slot slot) {
  if (job.known_end != kNever) ends_.insert({job.known_end, {job.id().value(), slot}});
}

void Backfill::ended(const ActiveJob& job, Slot slot) {
  outdated_ = true;
  if (job.known_end != kNever) ends_.erase({job.known_end, {job.id().value(), slot}});
}

void Backfill::reserve(const JobSlots& jobs, FreeNodes& free, const Placement& placement,
                       const Demand& head, SimTime now) {
  reservation_made_ = true;
  outdated_ = false;
  reserved_at_ = kNever;
  left_.clear();
  const auto give = [&](const ActiveJob& job, int sign) {
    if (job.slices.empty()) free.change_total(std::int64_t{sign} * job.gpus());
    for (const Slice& slice : job.slices) free.change(slice.node, sign * slice.count());
  };
  const SimTime soonest = now + Duration{1};  // an end already past counts as the next microsecond
  auto end = ends_.begin();
  while (end != ends_.end() && reserved_at_ == kNever) {
    const SimTime instant = std::max(end->first, soonest);
    for (; end != ends_.end() && std::max(end->first, soonest) == instant; ++end)
      give(jobs[end->second.second], 1);
    if (placement.fits(free, head)) reserved_at_ = instant;
  }
  if (reserved_at_ != kNever && placement.counts_only()) {
    left_total_ = free.total_free() - head.gpus;
  } else if (reserved_at_ != kNever) {
    Picks picks;
    placement.place(free, head, picks);
    for (const Pick& pick : picks)
      left_.push_back({.node = pick.node, .gpus = free.free(pick.node) - pick.gpus});
  }
  while (end != ends_.begin()) give(jobs[(--end)->second.second], -1);
}

void Backfill::hide(FreeNodes& free, bool counts_only, int sign) {
  if (counts_only) {
    if (sign < 0) hidden_total_ = std::max<std::int64_t>(0, free.total_free() - left_total_);
    free.change_total(sign * hidden_total_);
    return;
  }
  for (Left& left : left_) {
    if (sign < 0) left.hidden = std::max(0, free.free(left.node) - left.gpus);
    if (left.hidden != 0) free.change(left.node, sign * left.hidden);
  }
}

void Backfill::took_beside_head(const Picks& picks, int gpus) {
  left_total_ -= gpus;
  outdated_ = outdated_ || !left_.empty();  // the head's nodes are chosen anew in the next pass
  for (const Pick& pick : picks)
    for (Left& left : left_)
      if (left.node == pick.node) left.gpus -= pick.gpus;
}

}  // namespace orrery::gang
