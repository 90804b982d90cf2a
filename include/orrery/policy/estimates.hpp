// What a policy may know of durations. A policy gets an Estimates only if its registry row declares
// it.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"

#include <optional>

namespace orrery {

class Estimates {
 public:
  virtual ~Estimates() = default;
  /// The whole run time expected of a job that has arrived; empty: unknown.
  virtual std::optional<Duration> run_time(JobId job) const = 0;
  /// When the trace says that it started; only for a policy that replays (Knows::recorded).
  virtual std::optional<SimTime> recorded_start(JobId) const { return std::nullopt; }
};

}  // namespace orrery
