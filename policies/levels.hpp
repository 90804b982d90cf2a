// Queues that a job sinks through as it holds GPUs: what mlfq, mlfq2d and Tiresias share.
#pragma once

#include "orrery/policy/line.hpp"
#include "orrery/policy/spec.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace orrery {

class Levels {
 public:
  /// limits=3250s/7200s: a level is left when the time held (or the time held times GPUs) reaches
  /// its limit. grain=1s: it is left at the first multiple of the grain, in time held, at or past
  /// the limit; default: exactly there.
  Levels(const Options& options, bool times_gpus)
      : limits_{options.durations("limits",
                                  {std::chrono::seconds{3250}, std::chrono::seconds{7200}})},
        grain_{options.duration("grain", Duration{1})},
        times_gpus_{times_gpus} {}

  /// Number of limits that a job has reached.
  std::int64_t level(const JobView& job) const {
    return std::ranges::count_if(
        limits_, [&](Duration limit) { return job.held >= held_at(limit, job.gpus); });
  }
  /// The time held at which the job leaves its level; empty in the last one.
  std::optional<Duration> left_at(const JobView& job) const {
    const auto now_in = static_cast<std::size_t>(level(job));
    if (now_in == limits_.size()) return std::nullopt;
    return held_at(limits_[now_in], job.gpus);
  }

 private:
  Duration held_at(Duration limit, int gpus) const {
    const std::int64_t exact = ceil_div(micros(limit), times_gpus_ ? gpus : 1);
    return grain_ * ceil_div(exact, micros(grain_));
  }

  std::vector<Duration> limits_;  // ascending
  Duration grain_;
  bool times_gpus_;
};

}  // namespace orrery
