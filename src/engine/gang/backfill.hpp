// The waiting jobs of a pool whose policy reserves (EASY), in order of arrival, and the reservation
// of the first of them.
#pragma once

#include "engine/gang/active_job.hpp"

#include "orrery/cluster/free_nodes.hpp"
#include "orrery/policy/parts.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace orrery::gang {

/// Waiting jobs of one gang size: append-only with holes, and a tree of the shortest expected run
/// time, so that the next job from a place in the order on that may run is found in O(log jobs).
class BackfillClass {
 public:
  struct Entry {
    std::uint32_t job;
    Slot slot;
  };
  explicit BackfillClass(int gpus) : gpus_{gpus} {}
  int gpus() const { return gpus_; }
  /// `expected` in microseconds; kUnknown when nobody knows. Jobs come in ascending order.
  void push(std::uint32_t job, Slot slot, std::int64_t expected);
  /// The first waiting job not before `job` whose expected run time is at most `longest`.
  std::optional<Entry> next(std::uint32_t job, std::int64_t longest) const;
  void remove(std::uint32_t job);

  static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max() - 1;

 private:
  static constexpr std::int64_t kGone = std::numeric_limits<std::int64_t>::max();
  void set(std::size_t position, std::int64_t expected);
  void rebuild();
  int gpus_;
  std::vector<Entry> entries_;          // ascending by job
  std::vector<std::int64_t> shortest_;  // implicit tree, root at 1, leaves from width_
  std::size_t width_ = 0, live_ = 0;
};

class Backfill {
 public:
  void push(const ActiveJob& job, Slot slot, std::optional<Duration> expected);
  void remove(const ActiveJob& job);
  /// The first in the order, if anybody waits.
  std::optional<BackfillClass::Entry> head() const {
    return next(0, std::numeric_limits<int>::max(), 0, BackfillClass::kUnknown);
  }
  /// The first job not before `job`: of classes with fewer than `below_any` GPUs any whose run time
  /// is at most `longest`, of those with fewer than `below_long` any at all.
  std::optional<BackfillClass::Entry> next(std::uint32_t job, int below_any, int below_long,
                                           std::int64_t longest) const;

  void started(const ActiveJob& job, Slot slot);
  void ended(const ActiveJob& job, Slot slot);

  /// Reserves for `head`, which does not fit on free GPUs: the earliest instant at which, by the
  /// known ends, the placement finds room for it, and its GPUs there. `free` is left as it was.
  void reserve(const JobSlots& jobs, FreeNodes& free, const Placement& placement,
               const Demand& head, SimTime now);
  SimTime reserved_at() const { return reserved_at_; }
  /// Runs `place` with only those GPUs free that are also free at reserved_at() beside the head's;
  /// false when there is no such instant.
  template <class Place>
  bool beside_head(FreeNodes& free, bool counts_only, Place&& place) {
    if (reserved_at_ == kNever) return false;
    hide(free, counts_only, -1);
    const bool placed = place();
    hide(free, counts_only, 1);
    return placed;
  }
  /// A job that may still run at reserved_at() has started on these GPUs, before they were taken
  /// from `free`.
  void took_beside_head(const Picks& picks, int gpus);
  /// The known ends are all past `now` and so is what the last reservation was made of: it would be
  /// made again as it is.
  bool reservation_stands(SimTime now) const {
    return reservation_made_ && !outdated_ && (ends_.empty() || ends_.begin()->first > now);
  }
  void forget_reservation() { reservation_made_ = false; }
  /// The first job that no pass has tried beside the reservation that stands.
  std::uint32_t untried = 0;

 private:
  void hide(FreeNodes& free, bool counts_only, int sign);
  struct Left {  // on a node of the head: GPUs free at reserved_at() beside the head's
    NodeId node;
    int gpus;
    int hidden = 0;
  };
  std::vector<BackfillClass> classes_;                                 // ascending by GPUs
  std::set<std::pair<SimTime, std::pair<std::uint32_t, Slot>>> ends_;  // known ends of running jobs
  bool reservation_made_ = false, outdated_ = false;
  SimTime reserved_at_ = kNever;
  std::vector<Left> left_;       // on nodes
  std::int64_t left_total_ = 0;  // under count
  std::int64_t hidden_total_ = 0;
};

}  // namespace orrery::gang
