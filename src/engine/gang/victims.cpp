#include "engine/gang/victims.hpp"

#include "orrery/base/check.hpp"

#include <algorithm>
#include <functional>

namespace orrery::gang {

void VictimSearch::add(const JobSlots& jobs, Slot slot, SimTime now) {
  const ActiveJob& job = jobs[slot];
  if (lines_.size() <= slot) lines_.resize(slot + std::size_t{1});
  Line& line = lines_[slot];
  line = {.intercept = place_of(job, now),
          .slope = job.slope(),
          .member = members_.size(),
          .linear = job.linear()};
  std::int64_t travelled = 0;
  ORRERY_CHECK(!__builtin_mul_overflow(line.slope, micros(now), &travelled) &&
                   !__builtin_sub_overflow(line.intercept.value, travelled, &line.intercept.value),
               "a key's slope times the time reached does not fit 64 bits");
  if (!line.linear) ++bent_;
  members_.push_back(slot);
  added(jobs, slot);
}

void VictimSearch::remove(const JobSlots& jobs, Slot slot) {
  removed(jobs, slot);
  Line& line = lines_[slot];
  if (!line.linear) --bent_;
  const Slot last = members_.back();
  members_[line.member] = last;
  lines_[last].member = line.member;
  members_.pop_back();
}

std::vector<std::pair<Place, Slot>> VictimSearch::later_than(const JobSlots& jobs,
                                                             const Place& place,
                                                             SimTime now) const {
  std::vector<std::pair<Place, Slot>> later;
  for (const Slot slot : members_)
    if (const Place here = place_of(jobs[slot], now); place < here) later.emplace_back(here, slot);
  std::ranges::sort(later, std::greater{});
  return later;
}

void spare_needless(const JobSlots& jobs, const FreeNodes& free, Room& room) {
  boost::container::small_vector<int, 8>
      over;  // GPUs beyond the need on each picked node, if all of `evicted` go
  for (const Pick& pick : room.picks) over.push_back(free.free(pick.node) - pick.gpus);
  const auto on_picks = [&](Slot slot, auto&& each) {
    for (const Slice& slice : jobs[slot].slices)
      for (std::size_t i = 0; i < room.picks.size(); ++i)
        if (room.picks[i].node == slice.node) each(i, slice.count());
  };
  for (const Slot slot : room.evicted)
    on_picks(slot, [&](std::size_t i, int gpus) { over[i] += gpus; });
  for (std::size_t e = room.evicted.size(); e-- > 0;) {
    bool needless = true;
    on_picks(room.evicted[e],
             [&](std::size_t i, int gpus) { needless = needless && over[i] >= gpus; });
    if (!needless) continue;
    on_picks(room.evicted[e], [&](std::size_t i, int gpus) { over[i] -= gpus; });
    room.evicted.erase(room.evicted.begin() + static_cast<std::ptrdiff_t>(e));
  }
}

void CountVictims::added(const JobSlots&, Slot slot) {
  by_slope_[line(slot).slope].insert({.intercept = line(slot).intercept, .slot = slot});
}

void CountVictims::removed(const JobSlots&, Slot slot) {
  const auto same_slope = by_slope_.find(line(slot).slope);
  same_slope->second.erase({.intercept = line(slot).intercept, .slot = slot});
  if (same_slope->second.empty()) by_slope_.erase(same_slope);
}

bool CountVictims::find(const JobSlots& jobs, FreeNodes& free, const Demand& wanted,
                        const Place& place, SimTime now, Room& room) {
  room.evicted.clear();
  room.picks.clear();
  std::int64_t available = free.total_free();
  const auto take = [&](Slot slot) {
    room.evicted.push_back(slot);
    available += jobs[slot].gpus();
    return available >= wanted.gpus;
  };
  bool enough = false;
  if (!all_linear()) {
    for (const auto& [here, slot] : later_than(jobs, place, now))
      if ((enough = take(slot))) break;
  } else {
    struct Tail {
      std::int64_t travelled;
      std::set<Item>::const_reverse_iterator next, end;
      Place here() const {
        return {next->intercept.value + travelled, next->intercept.second, next->intercept.job};
      }
    };
    boost::container::small_vector<Tail, 16> tails;
    for (const auto& [slope, items] : by_slope_)
      tails.push_back({slope * micros(now), items.rbegin(), items.rend()});
    while (!enough) {
      Tail* latest = nullptr;
      for (Tail& tail : tails)
        if (tail.next != tail.end && (latest == nullptr || latest->here() < tail.here()))
          latest = &tail;
      if (latest == nullptr || !(place < latest->here())) break;
      enough = take(latest->next->slot);
      ++latest->next;
    }
  }
  if (!enough) return false;
  for (std::size_t e = room.evicted.size();
       e-- > 0;) {  // from the earliest to the latest: spared if the job fits without it
    const int gpus = jobs[room.evicted[e]].gpus();
    if (available - gpus < wanted.gpus) continue;
    available -= gpus;
    room.evicted.erase(room.evicted.begin() + static_cast<std::ptrdiff_t>(e));
  }
  return true;
}

bool LiteralVictims::find(const JobSlots& jobs, FreeNodes& free, const Demand& wanted,
                          const Place& place, SimTime now, Room& room) {
  room.evicted.clear();
  room.picks.clear();
  const auto later = later_than(jobs, place, now);
  std::size_t added = 0;
  bool found = false;
  while (!found && added < later.size()) {
    for (const Slice& slice : jobs[later[added].second].slices)
      free.change(slice.node, slice.count());
    ++added;
    found = placement_->fits(free, wanted);
  }
  if (found) placement_->place(free, wanted, room.picks);
  for (std::size_t i = 0; i < added; ++i)
    for (const Slice& slice : jobs[later[i].second].slices) free.change(slice.node, -slice.count());
  if (!found) return false;
  const auto on_picked_node = [&](const Slice& slice) {
    return std::ranges::any_of(room.picks,
                               [&](const Pick& pick) { return pick.node == slice.node; });
  };
  for (std::size_t i = 0; i < added; ++i)
    if (std::ranges::any_of(jobs[later[i].second].slices, on_picked_node))
      room.evicted.push_back(later[i].second);
  spare_needless(jobs, free, room);
  return true;
}

}  // namespace orrery::gang
