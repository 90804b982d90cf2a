// A job between its arrival and its end, in a recycled slot.
#pragma once

#include "orrery/cluster/allocation.hpp"
#include "orrery/engine/activity.hpp"
#include "orrery/engine/recorder.hpp"
#include "orrery/policy/line.hpp"

#include <cstdint>
#include <vector>

namespace orrery::gang {

/// Index into JobSlots.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

struct ActiveJob {
  JobOutcome account{.job = JobId{0U}};  ///< what is known of its outcome so far
  Activity activity;
  Key key;
  Slices slices;  ///< what it holds; empty while waiting, and under count
  SimTime arrival{};
  SimTime held_since{};      ///< while holding GPUs
  SimTime progress_since{};  ///< while holding GPUs and past the overhead
  SimTime preempted_at{};    ///< while waiting after a preemption
  Duration held{};           ///< before held_since
  std::uint32_t pool = 0;
  std::uint32_t demand_class = 0;
  std::uint32_t stretch =
      0;  ///< counts stretches of holding GPUs: timers of an older one are stale
  std::uint32_t completion = 0;  ///< counts completions scheduled: an older one is stale
  std::uint32_t line_stamp = 0;  ///< counts entries in the line: an older one is stale
  std::uint32_t vc = 0, user = 0;
  Duration walltime{-1};       ///< -1: none
  SimTime known_end = kNever;  ///< by the estimates, while it holds GPUs (reservations only)
  bool holds = false;          ///< GPUs; stays set while evicted in the pass under way
  bool in_overhead = false;
  bool just_arrived = false;             ///< in this instant, and not started yet
  bool counted = false;                  ///< among the waiting jobs of its demand class
  bool evicted = false, placed = false;  ///< in the pass under way

  JobId id() const { return account.job; }
  int gpus() const { return static_cast<int>(account.gang_size); }

  Duration held_at(SimTime now) const { return holds ? held + (now - held_since) : held; }
  /// The order's value at `now`, in whole microseconds.
  std::int64_t value(SimTime now) const {
    std::int64_t value = key.base;
    if (key.per_progress != 0) value += key.per_progress * activity.progress(now).whole;
    if (key.per_held != 0) value += key.per_held * micros(held_at(now));
    return value;
  }
  /// Whether value() moves along a straight line, and how steeply, while the job holds GPUs and
  /// nothing changes.
  bool linear() const {
    return key.per_progress == 0 || activity.rate() == kFullRate || activity.rate() == 0;
  }
  std::int64_t slope() const {
    return std::int64_t{key.per_held} + (activity.rate() == kFullRate ? key.per_progress : 0);
  }
  JobView view(SimTime now) const {
    const Duration held_now = held_at(now);
    return {.id = id(),
            .gpus = gpus(),
            .vc = vc,
            .user = user,
            .arrival = arrival,
            .held = held_now,
            .service = micros(held_now) * gpus(),
            .preemptions = static_cast<int>(account.preemptions),
            .running = holds,
            .walltime = walltime < Duration::zero() ? std::nullopt : std::optional{walltime}};
  }
};

/// Records of active jobs in recycled slots: memory by concurrency, not by trace length.
class JobSlots {
 public:
  Slot add() {
    if (free_.empty()) {
      jobs_.emplace_back();
      return static_cast<Slot>(jobs_.size() - 1);
    }
    const Slot slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void remove(Slot slot) {
    const ActiveJob& old =
        jobs_[slot];  // whatever still names this slot's job is stale from now on
    ActiveJob fresh;
    fresh.stretch = old.stretch + 1;
    fresh.completion = old.completion + 1;
    fresh.line_stamp = old.line_stamp + 1;
    jobs_[slot] = fresh;
    free_.push_back(slot);
  }
  std::size_t size() const { return jobs_.size(); }
  ActiveJob& operator[](Slot slot) { return jobs_[slot]; }
  const ActiveJob& operator[](Slot slot) const { return jobs_[slot]; }

 private:
  std::vector<ActiveJob> jobs_;
  std::vector<Slot> free_;
};

/// A place in the order at one instant: (value, second, JobId).
struct Place {
  std::int64_t value = 0, second = 0;
  std::uint32_t job = 0;
  friend constexpr auto operator<=>(const Place&, const Place&) = default;
};

inline Place place_of(const ActiveJob& job, SimTime now) {
  return {.value = job.value(now), .second = job.key.second, .job = job.id().value()};
}

}  // namespace orrery::gang
