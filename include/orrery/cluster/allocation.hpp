// A job's GPUs.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include <boost/container/small_vector.hpp>

#include "orrery/base/id.hpp"

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

}  // namespace orrery
