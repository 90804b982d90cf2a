// What only the future knows of a job: how long it runs, how it ended in the trace, when it really
// started. Only trace, engine (which makes Estimates of it), metrics, verify and app may include
// this file (scripts/check_layers.py).
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace orrery {

/// How the trace says that a job ended.
enum class TraceStatus : std::uint8_t { unknown, completed, killed, failed };

/// Columns by JobId.
class JobTruth {
 public:
  /// Time on its GPUs that the job needs, at rate 1 and without overhead; not negative.
  Duration run_time(JobId job) const { return Duration{run_time_[job.index()]}; }
  TraceStatus status(JobId job) const {
    return status_.empty() ? TraceStatus::unknown : static_cast<TraceStatus>(status_[job.index()]);
  }
  /// When the job started in the real cluster.
  std::optional<SimTime> recorded_start(JobId job) const {
    if (recorded_start_.empty() || recorded_start_[job.index()] < 0) return std::nullopt;
    return at(Duration{recorded_start_[job.index()]});
  }
  bool has_recorded_starts() const { return !recorded_start_.empty(); }
  std::size_t bytes() const {
    return (run_time_.capacity() + recorded_start_.capacity()) * sizeof(std::int64_t) +
           status_.capacity();
  }

 private:
  friend class WorkloadBuilder;
  std::vector<std::int64_t> run_time_;
  std::vector<std::uint8_t> status_;          // empty: unknown for all
  std::vector<std::int64_t> recorded_start_;  // empty: none recorded; -1: not for this job
};

}  // namespace orrery
