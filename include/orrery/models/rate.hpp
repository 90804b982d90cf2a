// How fast a job runs on what it holds. The seam for throughput, locality, interference and power
// models.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"
#include "orrery/cluster/allocation.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace orrery {

/// Speed in 2^20ths of the reference: whole numbers, so that progress is exact.
using Rate = std::uint32_t;
inline constexpr Rate kFullRate = 1U << 20;

class RateModel {
 public:
  virtual ~RateModel() = default;
  /// The speed of a job that holds `slices` at `now`; above zero.
  virtual Rate rate(JobId job, std::span<const Slice> slices, SimTime now) const = 0;
  /// The first instant after `now` at which some running job's rate changes with nothing else
  /// happening; kNever if none.
  virtual SimTime next_change(SimTime now) const = 0;
};

}  // namespace orrery
