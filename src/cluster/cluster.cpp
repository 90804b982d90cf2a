#include "orrery/cluster/cluster.hpp"

#include "orrery/base/check.hpp"

#include <bit>
#include <string>

namespace orrery {
namespace {

std::uint64_t lowest_bits(std::uint64_t mask, int count) {
  std::uint64_t taken = 0;
  for (; count > 0; --count) {
    taken |= mask & (~mask + 1);
    mask &= mask - 1;
  }
  return taken;
}

std::string at_node(NodeId node) {
  return "node " + std::to_string(node.index());
}

}  // namespace

Cluster::Cluster(const Topology& topology, std::span<const PoolNodes> pools)
    : free_gpus_(topology.nodes()) {
  for (std::size_t i = 0; i < free_gpus_.size(); ++i)
    free_gpus_[i] = ~std::uint64_t{0} >> (64 - topology.gpus(NodeId{i}));
  for (const PoolNodes& pool : pools) {
    std::vector<std::uint8_t> gpus(pool.nodes);
    for (std::size_t i = 0; i < pool.nodes; ++i)
      gpus[i] = static_cast<std::uint8_t>(topology.gpus(NodeId{pool.first.index() + i}));
    free_.emplace_back(pool.first, std::move(gpus));
  }
}

Slice Cluster::take(PoolId pool, NodeId node, int gpus) {
  std::uint64_t& mask = free_gpus_[node.index()];
  ORRERY_CHECK(gpus > 0 && gpus <= std::popcount(mask),
               at_node(node) + " lacks " + std::to_string(gpus) + " free GPUs");
  const std::uint64_t taken = lowest_bits(mask, gpus);
  mask &= ~taken;
  free_[pool.index()].change(node, -gpus);
  ORRERY_CHECK_SLOW(std::popcount(mask) == free_[pool.index()].free(node), at_node(node));
  return {.node = node, .gpus = taken};
}

void Cluster::give(PoolId pool, const Slice& slice) {
  std::uint64_t& mask = free_gpus_[slice.node.index()];
  ORRERY_CHECK((mask & slice.gpus) == 0, at_node(slice.node) + " has a GPU given back twice");
  mask |= slice.gpus;
  free_[pool.index()].change(slice.node, slice.count());
  ORRERY_CHECK_SLOW(std::popcount(mask) == free_[pool.index()].free(slice.node),
                    at_node(slice.node));
}

}  // namespace orrery
