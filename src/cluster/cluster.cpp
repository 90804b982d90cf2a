#include "orrery/cluster/cluster.hpp"

namespace orrery {
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

}  // namespace orrery
