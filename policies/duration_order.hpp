// Arithmetic that the duration-ordered policies share.
#pragma once

#include "orrery/policy/estimates.hpp"
#include "orrery/policy/line.hpp"

#include <algorithm>
#include <cstdint>

namespace orrery {

/// An expected run time times a weight, in microseconds; empty when nobody knows it. Saturates
/// below kSortsLast.
inline std::optional<std::int64_t> expected_work(const Estimates& estimates, const JobView& job,
                                                 int weight) {
  const auto run_time = estimates.run_time(job.id);
  if (!run_time) return std::nullopt;
  std::int64_t work = 0;
  if (__builtin_mul_overflow(micros(*run_time), std::int64_t{weight}, &work)) work = kSortsLast - 1;
  return std::min(work, kSortsLast - 1);
}

}  // namespace orrery
