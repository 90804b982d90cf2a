// Why jobs wait: each demand class (gang size, in a pool) is in one state at a time and integrates
// its states; a job's wait by cause is the difference of two snapshots. O(1) a job, O(classes with
// waiting jobs) an instant in which the pool changed.
#pragma once

#include "engine/gang/active_job.hpp"

#include "orrery/cluster/free_nodes.hpp"
#include "orrery/policy/parts.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery::gang {

class WaitLedger {
 public:
  /// The class of a gang size, made when it is new. `limit` says why no state of the pool can hold
  /// it, or is empty; asked once a class.
  template <class Limit>
  std::uint32_t class_of(int gpus, Limit&& limit) {
    if (static_cast<std::size_t>(gpus) < known_.size() &&
        known_[static_cast<std::size_t>(gpus)] != kUnknown)
      return known_[static_cast<std::size_t>(gpus)];
    return add_class(gpus, limit(gpus));
  }
  /// Whether jobs of this class are rejected, and why.
  bool never_fits(std::uint32_t demand_class) const {
    return !classes_[demand_class].limit.empty();
  }
  const std::string& limit(std::uint32_t demand_class) const {
    return classes_[demand_class].limit;
  }

  /// What waiting counts as for jobs of this class that never held GPUs; up to date for a class
  /// with such jobs, between two instants.
  WaitCause state(std::uint32_t demand_class) const { return classes_[demand_class].state; }

  /// The job has not started in the instant of its arrival: from `now` on its class books its wait.
  void begin(ActiveJob& job, SimTime now);
  /// The job was preempted at `now`: it waits for that cause until it starts again.
  void begin_preempted(ActiveJob& job, SimTime now);
  /// The job starts at `now`, or the run ends.
  void end(ActiveJob& job, SimTime now);

  /// Sets the state of every class with waiting jobs, after the pass at `now`; returns the GPUs
  /// that are free although such a class, fewer than they are, has no legal placement.
  std::int64_t refresh(const FreeNodes& free, const Placement& placement, SimTime now);

 private:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  struct DemandClass {
    int gpus = 0;
    std::string limit;
    WaitCause state = WaitCause::order;
    SimTime since{};
    std::int64_t waiting = 0;
    std::array<std::int64_t, kWaitCauses> spent{};  // microseconds in each state
  };
  std::uint32_t add_class(int gpus, std::string limit);
  static void book(DemandClass& one, SimTime now);
  std::vector<DemandClass> classes_;
  std::vector<std::uint32_t> known_;    // class by GPUs
  std::vector<std::uint32_t> by_size_;  // classes, ascending by GPUs
};

}  // namespace orrery::gang
