#include "verify/gpu_books.hpp"

#include "orrery/base/error.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

namespace orrery::verify {
namespace {

std::uint64_t all_gpus(int gpus) {
  return gpus == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << gpus) - 1;
}

/// How many nodes from `first` on make up a VC's share.
std::size_t nodes_of_share(const Topology& topology, const VcShare& share, std::size_t first) {
  std::size_t nodes = 0;
  for (int left = share.gpus; left > 0; ++nodes) {
    if (first + nodes == topology.nodes())
      throw UsageError("VC " + quote(share.name) + " asks for more nodes than are left");
    left -= topology.gpus(NodeId{first + nodes});
  }
  return nodes;
}

}  // namespace

GpuBooks::GpuBooks(const Workload& workload, const Topology& topology, VcMode vc_mode,
                   GangRule gangs)
    : topology_{&topology}, gangs_{gangs} {
  for (std::size_t n = 0; n < topology.nodes(); ++n)
    free_mask_.push_back(all_gpus(topology.gpus(NodeId{n})));
  if (vc_mode == VcMode::shared) {
    pool_of_vc_.assign(workload.vcs().size(), add_pool(0, topology.nodes()));
    return;
  }
  std::map<std::string, std::size_t, std::less<>> pool_of_name;
  std::size_t first = 0;
  for (const VcShare& share : topology.vcs()) {
    const std::size_t nodes = nodes_of_share(topology, share, first);
    if (nodes > 0) pool_of_name[share.name] = add_pool(first, nodes);
    first += nodes;
  }
  for (std::uint32_t vc = 0; vc < workload.vcs().size(); ++vc) {
    const auto found = pool_of_name.find(workload.vcs()[vc]);
    pool_of_vc_.push_back(found == pool_of_name.end() ? std::nullopt
                                                      : std::optional{found->second});
  }
}

std::size_t GpuBooks::add_pool(std::size_t first, std::size_t nodes) {
  PoolBook pool{.first = first, .nodes = nodes};
  for (std::size_t n = first; n < first + nodes; ++n) {
    const int gpus = topology_->gpus(NodeId{n});
    pool.capacity += gpus;
    pool.uniform = pool.uniform && (n == first || gpus == pool.largest);
    pool.largest = std::max(pool.largest, gpus);
    ++pool.with_free[static_cast<std::size_t>(gpus)];
  }
  pool.free = pool.capacity;
  pools_.push_back(pool);
  return pools_.size() - 1;
}

int GpuBooks::free_on(std::size_t node) const {
  return std::popcount(free_mask_[node]);
}

void GpuBooks::set_free(PoolBook& pool, std::size_t node, std::uint64_t mask) {
  const int before = std::popcount(free_mask_[node]), after = std::popcount(mask);
  --pool.with_free[static_cast<std::size_t>(before)];
  ++pool.with_free[static_cast<std::size_t>(after)];
  pool.free += after - before;
  free_mask_[node] = mask;
}

void GpuBooks::check_slice(const PoolBook& pool, const Slice& slice, const Place& place) const {
  const std::size_t node = slice.node.index();
  if (node < pool.first || node >= pool.first + pool.nodes)
    broken("I4", place, "node " + std::to_string(node) + " is not in its pool");
  if (slice.gpus == 0 || slice.share != 1000)
    broken("I4", place, "a slice without a whole GPU on node " + std::to_string(node));
  if ((slice.gpus & ~all_gpus(topology_->gpus(slice.node))) != 0)
    broken("I3", place, "node " + std::to_string(node) + " has no such GPU");
  if ((slice.gpus & ~free_mask_[node]) != 0)
    broken("I2", place, "a GPU of node " + std::to_string(node) + " is held already");
}

void GpuBooks::check_shape(const PoolBook& pool, int gang, std::span<const Slice> slices,
                           const Place& place) const {
  int gpus = 0;
  std::size_t parts = 0;  // slices that leave some of their node to others
  for (const Slice& slice : slices) {
    gpus += slice.count();
    parts += slice.count() < topology_->gpus(slice.node) ? 1 : 0;
  }
  if (gpus != gang)
    broken("I5", place, std::to_string(gpus) + " GPUs for a gang of " + std::to_string(gang));
  if (gangs_ != GangRule::together) return;
  if (gang <= pool.largest ? slices.size() > 1 : parts > 1)
    broken("I4", place,
           "a gang of " + std::to_string(gang) + " lies scattered on " +
               std::to_string(slices.size()) + " nodes");
}

void GpuBooks::take(std::size_t pool_index, int gang, std::span<const Slice> slices,
                    const Place& place) {
  PoolBook& pool = pools_[pool_index];
  if (gang > pool.free)
    broken(
        "I3", place,
        "a gang of " + std::to_string(gang) + " with " + std::to_string(pool.free) + " GPUs free");
  if (gangs_ == GangRule::count) {
    if (!slices.empty()) broken("I4", place, "slices although GPUs have no identity");
    pool.free -= gang;
    return;
  }
  check_shape(pool, gang, slices, place);
  for (const Slice& slice : slices) {
    check_slice(pool, slice, place);
    const std::size_t node = slice.node.index();
    set_free(pool, node, free_mask_[node] & ~slice.gpus);
  }
}

void GpuBooks::give(std::size_t pool_index, int gang, std::span<const Slice> slices) {
  PoolBook& pool = pools_[pool_index];
  if (gangs_ == GangRule::count) pool.free += gang;
  for (const Slice& slice : slices)
    set_free(pool, slice.node.index(), free_mask_[slice.node.index()] | slice.gpus);
}

bool GpuBooks::fits(const PoolBook& pool, int gang) const {
  if (gang > pool.free) return false;
  if (gangs_ != GangRule::together) return true;
  const auto node_with = [&](int gpus) {
    return std::any_of(pool.with_free.begin() + gpus, pool.with_free.end(),
                       [](std::uint32_t nodes) { return nodes > 0; });
  };
  if (gang <= pool.largest) return node_with(gang);
  if (!pool.uniform) return false;
  const int whole = gang / pool.largest, rest = gang % pool.largest;
  const auto idle = static_cast<int>(pool.with_free[static_cast<std::size_t>(pool.largest)]);
  if (idle < whole || rest == 0) return idle >= whole;
  if (idle > whole) return true;
  return std::any_of(pool.with_free.begin() + rest, pool.with_free.begin() + pool.largest,
                     [](std::uint32_t nodes) { return nodes > 0; });
}

std::optional<bool> GpuBooks::impossible(std::size_t pool_index, int gang) const {
  const PoolBook& pool = pools_[pool_index];
  if (gang > pool.capacity) return true;
  if (gangs_ == GangRule::together && !pool.uniform && gang > pool.largest) return std::nullopt;
  return false;
}

}  // namespace orrery::verify
