// The rules that hold for some policies only: I15 (work conservation) and I16 (EASY's promise).
#pragma once

#include "verify/gpu_books.hpp"

#include "orrery/cluster/allocation.hpp"
#include "orrery/verify/checker.hpp"
#include "orrery/workload/workload.hpp"

#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace orrery::verify {

/// I15: after an instant no waiting job fits on the GPUs that are free.
class WorkConservation {
 public:
  explicit WorkConservation(const GpuBooks& books)
      : books_{&books}, waiting_(books.pools().size()), touched_(books.pools().size()) {}
  void waits(std::size_t pool, int gang) {
    ++waiting_[pool][gang];
    touched_[pool] = true;
  }
  void leaves(std::size_t pool, int gang);
  void frees(std::size_t pool) { touched_[pool] = true; }
  void close_instant(SimTime now);

 private:
  const GpuBooks* books_;
  std::vector<std::map<int, std::size_t>> waiting_;  // a pool: jobs by gang size
  std::vector<bool> touched_;
};

/// I16: after each pass, the earliest instant at which the first waiting job can start, by the ends
/// the policy knows, is no later than it would be without the jobs behind it that were started in
/// that pass.
class Promises {
 public:
  Promises(const Workload& workload, const GpuBooks& books, DurationKnowledge::Kind knowledge);
  void waits(std::size_t pool, JobId job) { pools_[pool].waiting.insert(job); }
  void leaves(std::size_t pool, JobId job) { pools_[pool].waiting.erase(job); }
  void starts(std::size_t pool, JobId job, SimTime now, std::span<const Slice> slices);
  void ends(std::size_t pool, JobId job);
  /// The pass whose starts were told last is over.
  void close_pass(SimTime now);

 private:
  struct Running {
    SimTime known_end;  ///< kNever: the policy does not know
    Slices slices;
  };
  struct Line {
    std::set<JobId> waiting;
    std::map<JobId, Running> running;
    std::set<std::pair<SimTime, JobId>> ends;  ///< the known ones of `running`
    std::vector<JobId> started;                ///< in the present pass
  };
  SimTime known_end(JobId job, SimTime start) const;
  SimTime promise(std::size_t pool, int gang, SimTime now, const std::set<JobId>& left_out) const;
  void free_again(PoolBook& pool, std::vector<int>& free_on, JobId job,
                  const Running& running) const;
  void check(std::size_t pool, SimTime now) const;

  const Workload* workload_;
  const GpuBooks* books_;
  DurationKnowledge::Kind knowledge_;
  std::vector<Line> pools_;
};

}  // namespace orrery::verify
