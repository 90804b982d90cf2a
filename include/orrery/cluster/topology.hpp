// The machines of a cluster: nodes and their GPUs, GPU types, racks, and how VCs share them.
// Constant during a run.
#pragma once

#include "orrery/base/id.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A run of equal nodes, as a cluster file lists them.
struct NodeGroup {
  int count = 1;
  int gpus = 8;          ///< GPUs of one node, 1 to Topology::kMostGpusPerNode
  std::string gpu_type;  ///< empty: not told
  int rack = 0;          ///< index of the rack
};

/// A virtual cluster's share: so many GPUs, given as whole nodes in static mode.
struct VcShare {
  std::string name;
  int gpus = 0;
};

class Topology {
 public:
  static constexpr int kMostGpusPerNode = 64;  ///< one bit a GPU in Slice::gpus

  /// Throws UsageError when a group has no node or a GPU count out of range.
  Topology(std::string name, std::vector<NodeGroup> groups, std::vector<VcShare> vcs = {},
           std::string assumption = {});

  const std::string& name() const { return name_; }
  /// What is guessed about this cluster, for presets; empty when nothing is.
  const std::string& assumption() const { return assumption_; }
  const std::vector<NodeGroup>& groups() const { return groups_; }
  const std::vector<VcShare>& vcs() const { return vcs_; }
  void set_vcs(std::vector<VcShare> vcs) { vcs_ = std::move(vcs); }

  std::size_t nodes() const { return gpus_of_node_.size(); }
  int gpus(NodeId node) const { return gpus_of_node_[node.index()]; }
  int rack(NodeId node) const;
  const std::string& gpu_type(NodeId node) const;
  std::int64_t total_gpus() const { return total_gpus_; }
  int largest_node() const { return largest_node_; }

 private:
  const NodeGroup& group_of(NodeId node) const;
  std::string name_, assumption_;
  std::vector<NodeGroup> groups_;
  std::vector<VcShare> vcs_;
  std::vector<std::uint8_t> gpus_of_node_;
  std::int64_t total_gpus_ = 0;
  int largest_node_ = 0;
};

/// "64x8", "32x4:v100" or "4x16x8" (racks x nodes x GPUs). Empty when the text has another shape;
/// throws UsageError when it has this shape with numbers that cannot be.
std::optional<Topology> parse_cluster_shorthand(std::string_view text);

/// The built-in clusters, by name, with what is assumed about each.
std::vector<std::string> cluster_preset_names();
std::optional<Topology> cluster_preset(std::string_view name);

}  // namespace orrery
