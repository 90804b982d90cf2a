// Every reported number of a run, by the definitions of docs/metrics.md.
#pragma once

#include "orrery/engine/recorder.hpp"
#include "orrery/metrics/job_table.hpp"
#include "orrery/workload/workload.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orrery {

/// Mean and exact percentiles (linear interpolation of sorted values) of one quantity; all empty
/// when n is 0.
struct Distribution {
  std::uint64_t n = 0;
  std::optional<double> mean, p50, p90, p95, p99, max;
};
/// The sum runs in the order given; the values come back in another order.
Distribution distribution(std::vector<double>& values);
/// The same over whole microseconds, in seconds; the mean is exact before its one rounding.
Distribution distribution_s(std::vector<std::int64_t>& micros);

/// GPU-microseconds as GPU-seconds.
inline double gpu_seconds(GpuTime::Wide micros) {
  return static_cast<double>(micros) / 1e6;
}

struct GroupSummary {      ///< of one VC or one gang size
  std::uint64_t jobs = 0;  ///< finished
  Distribution jct_s, wait_s;
  GpuTime::Wide gpu_time_us = 0;  ///< held by its jobs, finished or not, in GPU-microseconds
};

struct Summary {
  struct Jobs {
    std::uint64_t read = 0;
    std::vector<std::pair<std::string, std::uint64_t>> left_out;  ///< by reason
    std::uint64_t replayed = 0, finished = 0, timeout = 0, rejected = 0, unfinished = 0;
    std::vector<std::pair<std::string, std::uint64_t>>
        rejections;              ///< by the limit that was broken
    std::uint64_t waited = 0;    ///< finished jobs that waited at all
    std::uint64_t measured = 0;  ///< replayed jobs that the statistics are restricted to
  } jobs;
  Distribution jct_s, wait_s, slowdown, bounded_slowdown;
  /// Summed over finished jobs, in microseconds.
  std::array<GpuTime::Wide, kWaitCauses> wait_by_cause_us{};
  std::optional<double> makespan_s;
  std::int64_t gpus = 0;  ///< of the cluster
  GpuTime gpu_time;
  std::optional<double> utilization, useful_utilization, utilization_while_arriving, fragmentation;
  std::uint64_t preemptions = 0, migrations = 0, resizes = 0;
  std::map<std::string, GroupSummary> by_vc;  ///< empty when the trace names no VC
  std::map<int, GroupSummary> by_size;
  std::uint64_t fingerprint = 0;
  /// Mean waits over finished jobs with a recorded start: as recorded, and here.
  struct RecordedWait {
    std::uint64_t jobs = 0;
    double recorded_s = 0, simulated_s = 0;
  };
  std::optional<RecordedWait> recorded_wait;
  struct Engine {
    std::uint64_t events = 0, decisions = 0;
    double wall_s = 0, cpu_s = 0, events_per_s = 0, peak_rss_mib = 0;
  } engine;
};

/// A run of jobs in canonical order: [first, last).
struct JobRange {
  std::size_t first = 0, last = 0;
};

/// What the statistics of a summary are made of.
struct SummaryInput {
  const Workload* workload = nullptr;
  const JobTable* jobs = nullptr;
  JobRange range;                            ///< jobs that count
  const std::vector<bool>* among = nullptr;  ///< by JobId: distributions over finished jobs take
                                             ///< only these; none: all
  std::int64_t gpus = 0;                     ///< of the cluster
  GpuTime gpu_time;                          ///< over the accounting window
  std::optional<GpuTime> while_arriving;     ///< over [first submit, last submit]
};
/// Fills everything but jobs.read, jobs.left_out, jobs.rejections, fingerprint and engine, which
/// the caller knows.
Summary summarize(const SummaryInput& input);

}  // namespace orrery
