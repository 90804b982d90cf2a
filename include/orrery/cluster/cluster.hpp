// Who holds which GPU; checks that no GPU is granted twice. Pools are disjoint runs of whole nodes.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/cluster/allocation.hpp"
#include "orrery/cluster/free_nodes.hpp"
#include "orrery/cluster/topology.hpp"

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

}  // namespace orrery
