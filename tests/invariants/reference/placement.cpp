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

/// One part on the node that ranks first.
bool place_part(Fit fit, const std::vector<int>& free, int gpus, Holding& chosen) {
  std::optional<int> best;
  for (int node = 0; node < std::ssize(free); ++node) {
    const auto rank_of = [&](int n) { return rank(fit, free[static_cast<std::size_t>(n)], n); };
    if (free[static_cast<std::size_t>(node)] < gpus || chosen.contains(node)) continue;
    if (!best || rank_of(node) < rank_of(*best)) best = node;
  }
  if (best) chosen[*best] = gpus;
  return best.has_value();
}

/// The largest idle node that is not larger than `gpus`, the lowest of equals, taken whole.
int take_whole_node(const Pool& capacity, const std::vector<int>& free, int gpus, Holding& chosen) {
  std::optional<std::size_t> best;
  for (std::size_t node = 0; node < free.size(); ++node) {
    const bool idle = free[node] == capacity[node] && !chosen.contains(static_cast<int>(node));
    if (idle && capacity[node] <= gpus && (!best || capacity[node] > capacity[*best])) best = node;
  }
  if (!best) return 0;
  return chosen[static_cast<int>(*best)] = capacity[*best];
}

std::optional<Holding> place_together(Fit fit, const Pool& capacity, const std::vector<int>& free,
                                      int gpus) {
  Holding chosen;
  if (gpus > *std::ranges::max_element(capacity))
    while (const int taken = take_whole_node(capacity, free, gpus, chosen)) gpus -= taken;
  if (gpus > 0 && !place_part(fit, free, gpus, chosen)) return std::nullopt;
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

std::optional<Holding> place(const Rules& rules, const Pool& capacity, const std::vector<int>& free,
                             int gpus) {
  auto chosen = place_together(rules.fit, capacity, free, gpus);
  if (chosen || rules.spread == Spread::never) return chosen;
  // The least number of nodes is had by taking those with the most free GPUs first.
  return place_scattered(rules.spread == Spread::fewest ? Fit::worst : rules.fit, free, gpus);
}

}  // namespace orrery::reference
