// What a trace holds: the numbers of a paper's table 1.
#pragma once

#include "orrery/trace/loader.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// Quantiles and mean of whole microseconds, in seconds; empty without values.
struct TimeQuantiles {
  std::uint64_t n = 0;
  std::optional<double> mean, p10, p25, p50, p75, p90, p99, max;
};

/// Jobs of one kind.
struct TraceGroup {
  std::uint64_t jobs = 0;
  double gpu_hours = 0;
  std::optional<double> mean_run_s;
};

struct TraceInfo {
  std::uint64_t jobs = 0, users = 0, vcs = 0, names = 0;
  std::optional<std::string> first_submit, last_submit;  ///< dates, where the trace has a calendar
  double span_s = 0;                                     ///< first to last submit
  double gpu_hours = 0;
  std::optional<double> mean_gpus, jobs_a_day;
  std::uint64_t busiest_day = 0;  ///< most submits in one day from the origin
  TimeQuantiles run_s, recorded_wait_s;
  std::map<int, TraceGroup> by_size;
  std::map<std::string, TraceGroup> by_status, by_vc;  ///< by_vc empty without VCs
  /// GPU time asked for over GPU time there, from first to last submit.
  std::optional<double> load(std::int64_t gpus) const;
};

TraceInfo trace_info(const Workload& workload);

/// The same as text for a terminal.
std::string trace_info_text(const LoadReport& report, const TraceInfo& info);

}  // namespace orrery
