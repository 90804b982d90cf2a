// A job's GPUs.
#pragma once

#include "orrery/base/id.hpp"

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <span>

namespace orrery {

/// A job's part of one node: 16 bytes, one inline in a running job.
struct Slice {
  NodeId node;
  std::uint16_t share = 1000;  ///< thousandths of each GPU
  std::uint64_t gpus = 0;      ///< bit mask of the node's GPUs
  /// GPUs of the node that are part of it. Counted by hand: std::popcount is a library call on a
  /// generic x86-64.
  constexpr int count() const {
    std::uint64_t pairs = gpus - ((gpus >> 1) & 0x5555555555555555ULL);
    pairs = (pairs & 0x3333333333333333ULL) + ((pairs >> 2) & 0x3333333333333333ULL);
    return static_cast<int>(
        (((pairs + (pairs >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
  }
  friend bool operator==(const Slice&, const Slice&) = default;
};
static_assert(sizeof(Slice) == 16);

using Slices = boost::container::small_vector<Slice, 1>;
/// Boost 1.74's vectors do not convert to std::span themselves.
inline std::span<const Slice> span_of(const Slices& slices) {
  return {slices.data(), slices.size()};
}

}  // namespace orrery
