#include "invariants/reference/parts.hpp"

#include <algorithm>
#include <utility>

namespace orrery::reference {
namespace {

/// How a rule ranks a node with so many free GPUs; the smallest wins.
std::pair<int, int> rank(Fit fit, int free, int node) {
  if (fit == Fit::best) return {free, node};
  if (fit == Fit::worst) return {-free, node};
  return {0, node};
}

std::optional<Holding> place_together(Fit fit, const std::vector<int>& free, int gpus_per_node,
                                      int gpus) {
  Holding chosen;
  for (const int need : parts_of(gpus, gpus_per_node)) {
    std::optional<int> best;
    for (int node = 0; node < std::ssize(free); ++node) {
      const auto n = static_cast<std::size_t>(node);
      if (free[n] < need || chosen.contains(node)) continue;
      if (!best ||
          rank(fit, free[n], node) < rank(fit, free[static_cast<std::size_t>(*best)], *best))
        best = node;
    }
    if (!best) return std::nullopt;
    chosen[*best] = need;
  }
  return chosen;
}

/// Whatever is free, node after node in the order of `fit`.
std::optional<Holding> place_scattered(Fit fit, const std::vector<int>& free, int gpus) {
  std::vector<std::pair<int, int>> order;
  for (int node = 0; node < std::ssize(free); ++node)
    order.push_back(rank(fit, free[static_cast<std::size_t>(node)], node));
  std::ranges::sort(order);
  Holding chosen;
  for (const auto& [unused, node] : order) {
    const int taken = std::min(free[static_cast<std::size_t>(node)], gpus);
    if (taken > 0) chosen[node] = taken;
    gpus -= taken;
  }
  if (gpus > 0) return std::nullopt;
  return chosen;
}

}  // namespace

std::vector<int> parts_of(int gpus, int gpus_per_node) {
  if (gpus <= gpus_per_node) return {gpus};
  std::vector<int> parts(static_cast<std::size_t>(gpus / gpus_per_node), gpus_per_node);
  if (gpus % gpus_per_node != 0) parts.push_back(gpus % gpus_per_node);
  return parts;
}

std::optional<Holding> place(const Rules& rules, const std::vector<int>& free, int gpus_per_node,
                             int gpus) {
  auto chosen = place_together(rules.fit, free, gpus_per_node, gpus);
  if (chosen || rules.spread == Spread::never) return chosen;
  // The least number of nodes is had by taking those with the most free GPUs first.
  return place_scattered(rules.spread == Spread::fewest ? Fit::worst : rules.fit, free, gpus);
}

}  // namespace orrery::reference
