// Who holds which GPU; checks that no GPU is granted twice. Pools are disjoint runs of whole nodes.
#pragma once

#include "orrery/base/check.hpp"
#include "orrery/base/id.hpp"
#include "orrery/cluster/allocation.hpp"
#include "orrery/cluster/free_nodes.hpp"
#include "orrery/cluster/topology.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// The nodes [first, first + nodes) that one policy instance schedules.
struct PoolNodes {
  NodeId first{0U};
  std::size_t nodes = 0;
};

class Cluster {
 public:
  Cluster(const Topology& topology, std::span<const PoolNodes> pools);

  FreeNodes& free(PoolId pool) { return free_[pool.index()]; }
  const FreeNodes& free(PoolId pool) const { return free_[pool.index()]; }

  /// Takes the lowest-numbered free GPUs of a node of the pool. Throws Fault when it has fewer.
  Slice take(PoolId pool, NodeId node, int gpus);
  /// Gives a slice back. Throws Fault when one of its GPUs is free already.
  void give(PoolId pool, const Slice& slice);
  std::uint64_t free_mask(NodeId node) const { return free_gpus_[node.index()]; }

 private:
  std::vector<std::uint64_t> free_gpus_;  // a bit mask a node: the one source of truth
  std::vector<FreeNodes> free_;           // an index of it, a pool
};

inline Slice Cluster::take(PoolId pool, NodeId node, int gpus) {
  std::uint64_t& mask = free_gpus_[node.index()];
  std::uint64_t left = mask;
  int taken = 0;
  for (; taken < gpus && left != 0; ++taken) left &= left - 1;
  ORRERY_CHECK(taken > 0 && taken == gpus, "node " + std::to_string(node.index()) + " lacks " +
                                               std::to_string(gpus) + " free GPUs");
  const Slice slice{.node = node, .gpus = mask & ~left};
  mask = left;
  free_[pool.index()].change(node, -gpus);
  ORRERY_CHECK_SLOW(std::popcount(mask) == free_[pool.index()].free(node),
                    "node " + std::to_string(node.index()));
  return slice;
}

inline void Cluster::give(PoolId pool, const Slice& slice) {
  std::uint64_t& mask = free_gpus_[slice.node.index()];
  ORRERY_CHECK((mask & slice.gpus) == 0,
               "node " + std::to_string(slice.node.index()) + " has a GPU given back twice");
  mask |= slice.gpus;
  free_[pool.index()].change(slice.node, slice.count());
  ORRERY_CHECK_SLOW(std::popcount(mask) == free_[pool.index()].free(slice.node),
                    "node " + std::to_string(slice.node.index()));
}

}  // namespace orrery
