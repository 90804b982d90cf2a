// Which GPUs are free, kept by the checker for itself.
#pragma once

#include "verify/broken.hpp"

#include "orrery/cluster/allocation.hpp"
#include "orrery/cluster/topology.hpp"
#include "orrery/engine/simulator.hpp"
#include "orrery/verify/checker.hpp"
#include "orrery/workload/workload.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orrery::verify {

/// A pool: the nodes [first, first + nodes).
struct PoolBook {
  std::size_t first = 0, nodes = 0;
  std::int64_t capacity = 0, free = 0;
  int largest = 0;      ///< GPUs of its largest node
  bool uniform = true;  ///< all nodes alike
  /// Nodes by how many of their GPUs are free.
  std::array<std::uint32_t, Topology::kMostGpusPerNode + 1> with_free{};
};

/// GPUs held and free, by node and pool: rules I2 to I5.
class GpuBooks {
 public:
  GpuBooks(const Workload& workload, const Topology& topology, VcMode vc_mode, GangRule gangs);

  const std::vector<PoolBook>& pools() const { return pools_; }
  /// The pool that schedules jobs of a VC of the workload; empty: none, such jobs are rejected.
  std::optional<std::size_t> pool_of_vc(std::uint32_t vc) const { return pool_of_vc_[vc]; }
  int free_on(std::size_t node) const;

  /// Checks that `slices` is a whole legal gang on free GPUs of the pool, and takes it.
  void take(std::size_t pool, int gang, std::span<const Slice> slices, const Place& place);
  void give(std::size_t pool, int gang, std::span<const Slice> slices);
  /// Whether the placement in force finds room for a gang in a pool with so much free. Exact for
  /// pools of equal nodes; for others never true without reason.
  bool fits(const PoolBook& pool, int gang) const;
  /// Whether no state of the pool can hold the gang; empty where this cannot be told so simply.
  std::optional<bool> impossible(std::size_t pool, int gang) const;

 private:
  void check_shape(const PoolBook& pool, int gang, std::span<const Slice> slices,
                   const Place& place) const;
  void check_slice(const PoolBook& pool, const Slice& slice, const Place& place) const;
  void set_free(PoolBook& pool, std::size_t node, std::uint64_t mask);
  std::size_t add_pool(std::size_t first, std::size_t nodes);

  const Topology* topology_;
  GangRule gangs_;
  std::vector<std::uint64_t> free_mask_;  // by node
  std::vector<PoolBook> pools_;
  std::vector<std::optional<std::size_t>> pool_of_vc_;
};

}  // namespace orrery::verify
