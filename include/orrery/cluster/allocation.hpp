// A job's GPUs.
#pragma once

#include "orrery/base/id.hpp"

#include <boost/container/small_vector.hpp>

#include <bit>
#include <cstdint>
#include <span>

namespace orrery {

/// A job's part of one node: 16 bytes, one inline in a running job.
struct Slice {
  NodeId node;
  std::uint16_t share = 1000;  ///< thousandths of each GPU
  std::uint64_t gpus = 0;      ///< bit mask of the node's GPUs
  int count() const { return std::popcount(gpus); }
  friend bool operator==(const Slice&, const Slice&) = default;
};
static_assert(sizeof(Slice) == 16);

using Slices = boost::container::small_vector<Slice, 1>;
/// Boost 1.74's vectors do not convert to std::span themselves.
inline std::span<const Slice> span_of(const Slices& slices) {
  return {slices.data(), slices.size()};
}

}  // namespace orrery
