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

/// Members go by use: a start or an end touches the first three cache lines and the account.
struct alignas(64) ActiveJob {
  Activity activity;
  SimTime held_since{};      ///< while holding GPUs
  SimTime progress_since{};  ///< while holding GPUs and past the overhead
  Duration held{};           ///< before held_since
  std::uint32_t pool = 0;
  std::uint32_t demand_class = 0;

  Key key;
  // Stamps go on counting when the slot gets its next job: what still names the last one is stale.
  std::uint32_t stretch = 0;     ///< stretches of holding GPUs: for timers
  std::uint32_t completion = 0;  ///< completions scheduled
  std::uint32_t line_stamp = 0;  ///< entries in the line
  bool holds = false;            ///< GPUs; stays set while evicted in the pass under way
  bool in_overhead = false;
  bool just_arrived = false;             ///< in this instant, and not started yet
  bool counted = false;                  ///< among the waiting jobs of its demand class
  bool evicted = false, placed = false;  ///< in the pass under way

  Slices slices;              ///< what it holds; empty while waiting, and under count
  std::uint64_t id_hash = 0;  ///< of the trace's id, for the history
  SimTime arrival{};
  SimTime preempted_at{};                ///< while waiting after a preemption
  SimTime known_end = kNever;            ///< by the estimates, while it holds GPUs (reservations)
  JobOutcome account{.job = JobId{0U}};  ///< what is known of its outcome so far

  /// A job that arrives `now`, in a slot whose last job holds nothing any more. Field by field:
  /// what only a start sets may stay as it is.
  void begin(JobId job, int gpus, Duration run_time, SimTime now) {
    activity = Activity{run_time};
    held = Duration::zero();
    arrival = now;
    just_arrived = true;
    counted = false;
    account.job = job;
    account.status = JobStatus::unfinished;
    account.first_start = kNever;
    account.end = kNever;
    account.run = Duration::zero();
    account.overhead = Duration::zero();
    account.gang_size = static_cast<std::uint32_t>(gpus);
    account.preemptions = 0;
    account.migrations = 0;
    account.nodes = 0;
    account.wait = {};
  }

  JobId id() const { return account.job; }
  int gpus() const { return static_cast<int>(account.gang_size); }

  Duration held_at(SimTime now) const { return holds ? held + (now - held_since) : held; }
  /// The order's value at `now`, in whole microseconds.
  std::int64_t value(SimTime now) const { return value_of(key, now); }
  /// What it would be with this key.
  std::int64_t value_of(const Key& with, SimTime now) const {
    std::int64_t value = with.base;
    if (with.per_progress != 0) value += with.per_progress * activity.progress(now).whole;
    if (with.per_held != 0) value += with.per_held * micros(held_at(now));
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
};

/// Records of active jobs in recycled slots: memory by concurrency, not by trace length.
class JobSlots {
 public:
  /// A free slot; ActiveJob::begin() makes it the job's.
  Slot add() {
    if (free_.empty()) {
      jobs_.emplace_back();
      return static_cast<Slot>(jobs_.size() - 1);
    }
    const Slot slot = free_.back();
    free_.pop_back();
    return slot;
  }
  /// The job holds nothing any more; whatever still names its slot is stale from now on.
  void remove(Slot slot) {
    ActiveJob& old = jobs_[slot];
    ++old.stretch;
    ++old.completion;
    ++old.line_stamp;
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
