// The checker's sums over the whole run: rules I7, I10, I12, I13 and the end of I17.
#pragma once

#include "verify/broken.hpp"

#include "orrery/cluster/topology.hpp"
#include "orrery/engine/recorder.hpp"
#include "orrery/verify/checker.hpp"
#include "orrery/workload/workload.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace orrery::verify {

class RunBooks {
 public:
  RunBooks(const Workload& workload, const Topology& topology, const CheckedRun& run);

  /// Books the time up to `now` to what held until now.
  void advance(SimTime now);

  // What happens to one job of `gpus` GPUs, at the time of the last advance().
  void waits(std::uint32_t gpus);
  void leaves(std::uint32_t gpus);
  void starts(std::uint32_t gpus, std::uint32_t vc);
  void preempts(std::uint32_t gpus, std::uint32_t vc);
  void migrates() { ++migrations_; }
  void ends(std::uint32_t gpus, std::uint32_t vc);
  void stops(std::uint32_t gpus, std::uint32_t vc, const Place& place);

  /// What is told of the cluster is what the history adds up to.
  void state(const ClusterState& state);
  /// Adds what is told of a job, once it has been checked.
  void outcome(const JobOutcome& outcome, std::uint32_t vc);
  /// The instant at which the run ended, told by a job that still waits: one for the whole run.
  SimTime end_of_run(const JobOutcome& outcome, SimTime arrival, const Place& place);
  void finish(const RunTotals& totals);

 private:
  using Wide = GpuTime::Wide;  // GPU-microseconds
  struct Counts {
    std::int64_t busy = 0, waiting = 0, running = 0, wanted = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
  };
  void run_ends(SimTime time, const Place& place);
  void change_busy(std::int64_t gpus, std::uint32_t vc);
  void check_sum(const char* rule, const char* what, Wide reported, Wide own) const;
  void check_gpu_time(const RunTotals& totals) const;

  const Workload* workload_;
  CheckedRun run_;
  std::int64_t capacity_;
  SimTime now_{};
  Counts counts_, told_;  // now, and as the last state told them
  std::uint64_t preemptions_ = 0, migrations_ = 0;
  Wide busy_time_ = 0;  // by GPUs
  std::vector<std::int64_t> busy_of_vc_;
  std::vector<SimTime> vc_since_;
  std::vector<Wide> vc_time_;  // by GPUs
  Wide run_by_jobs_ = 0, overhead_by_jobs_ = 0;
  std::vector<Wide> vc_time_by_jobs_;
  std::array<std::uint64_t, 4> by_status_{};
  std::optional<SimTime> run_end_;
};

}  // namespace orrery::verify
