// The checker's own record of each job that has arrived and not been accounted for.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"
#include "orrery/cluster/allocation.hpp"

#include <cstdint>
#include <vector>

namespace orrery::verify {

/// Where a job stands in the automaton of rule I6.
enum class Phase : std::uint8_t {
  unseen,
  waiting,
  running,
  finished,
  timed_out,
  stopped,  ///< held GPUs at the end of the run
  rejected,
  told  ///< its outcome came: nothing more may happen to it
};
const char* name(Phase phase);

struct JobBook {
  std::size_t pool = 0;
  SimTime waits_since, holds_since;  ///< of the present wait, of the present allocation
  SimTime first_start = kNever, end = kNever;
  Duration overhead_due{};  ///< of the present allocation
  Duration run{}, overhead{}, wait{}, wait_preempted{};
  std::uint32_t preemptions = 0, migrations = 0, last_nodes = 0;
  std::uint32_t decisions = 0;  ///< in the instant of the last one
  SimTime last_decision = kNever;
  bool was_preempted = false;  ///< since its last start
  Slices slices;

  Duration held() const { return run + overhead; }
  /// Books the present allocation up to `now`, split into overhead and run.
  void close_stretch(SimTime now);
};

/// Records in recycled slots.
class JobBooks {
 public:
  explicit JobBooks(std::size_t jobs) : phase_(jobs, Phase::unseen), slot_(jobs, 0) {}
  std::size_t jobs() const { return phase_.size(); }
  Phase phase(JobId job) const { return phase_[job.index()]; }
  void set_phase(JobId job, Phase phase) { phase_[job.index()] = phase; }
  /// The record of a job between submit and outcome.
  JobBook& operator[](JobId job) { return books_[slot_[job.index()]]; }
  JobBook& open(JobId job);
  void close(JobId job) { free_slots_.push_back(slot_[job.index()]); }
  std::size_t open_records() const { return books_.size() - free_slots_.size(); }

 private:
  std::vector<Phase> phase_;
  std::vector<std::uint32_t> slot_;
  std::vector<JobBook> books_;
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace orrery::verify
