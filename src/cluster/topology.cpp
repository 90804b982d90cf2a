#include "orrery/cluster/topology.hpp"

#include "orrery/base/check.hpp"
#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace orrery {

Topology::Topology(std::string name, std::vector<NodeGroup> groups, std::vector<VcShare> vcs,
                   std::string assumption)
    : name_{std::move(name)},
      assumption_{std::move(assumption)},
      groups_{std::move(groups)},
      vcs_{std::move(vcs)} {
  constexpr std::size_t kMostNodes = 4'000'000;
  for (const NodeGroup& group : groups_) {
    if (group.count < 1)
      throw UsageError(fmt::format("cluster {}: a group has {} nodes, at least 1 is needed",
                                   quote(name_), group.count));
    if (group.gpus < 1 || group.gpus > kMostGpusPerNode) {
      throw UsageError(fmt::format(
          "cluster {}: a node has 1 to {} GPUs, got {}; describe a larger machine as several nodes",
          quote(name_), kMostGpusPerNode, group.gpus));
    }
    if (gpus_of_node_.size() + static_cast<std::size_t>(group.count) > kMostNodes)
      throw UsageError(fmt::format("cluster {}: more than {} nodes", quote(name_), kMostNodes));
    gpus_of_node_.insert(gpus_of_node_.end(), static_cast<std::size_t>(group.count),
                         static_cast<std::uint8_t>(group.gpus));
    total_gpus_ += std::int64_t{group.count} * group.gpus;
    largest_node_ = std::max(largest_node_, group.gpus);
  }
  if (groups_.empty()) throw UsageError(fmt::format("cluster {} has no nodes", quote(name_)));
}

const NodeGroup& Topology::group_of(NodeId node) const {
  std::size_t before = 0;
  for (const NodeGroup& group : groups_) {
    before += static_cast<std::size_t>(group.count);
    if (node.index() < before) return group;
  }
  throw Fault("fault in Orrery: the cluster has no node " + std::to_string(node.index()));
}

int Topology::rack(NodeId node) const {
  return group_of(node).rack;
}
const std::string& Topology::gpu_type(NodeId node) const {
  return group_of(node).gpu_type;
}

std::optional<Topology> parse_cluster_shorthand(std::string_view text) {
  const auto colon = text.find(':');
  const std::string type{colon == std::string_view::npos ? std::string_view{}
                                                         : text.substr(colon + 1)};
  std::vector<int> numbers;
  for (std::string_view rest = text.substr(0, colon);;) {
    const auto end = rest.find('x');
    const std::string_view part = rest.substr(0, end);
    int number = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (part.empty() || error != std::errc{} || stop != part.data() + part.size())
      return std::nullopt;
    numbers.push_back(number);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (numbers.size() < 2 || numbers.size() > 3) return std::nullopt;
  std::vector<NodeGroup> groups;
  if (numbers.size() == 2) {
    groups.push_back({.count = numbers[0], .gpus = numbers[1], .gpu_type = type});
  } else {
    if (numbers[0] < 1 || numbers[0] > 100'000)
      throw UsageError(fmt::format("cluster {}: a cluster has 1 to 100000 racks, got {}",
                                   quote(text), numbers[0]));
    for (int rack = 0; rack < numbers[0]; ++rack)
      groups.push_back({.count = numbers[1], .gpus = numbers[2], .gpu_type = type, .rack = rack});
  }
  return Topology{std::string{text}, std::move(groups)};
}

}  // namespace orrery
