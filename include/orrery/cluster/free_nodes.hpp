// How many GPUs are free on each node of a pool, and which node is the first with so many: bitmaps
// by free count, three levels of 64.
#pragma once

#include "orrery/base/id.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace orrery {

/// A set of small integers with the least member, the first member at or after a number, and the
/// k-th member in O(log64 size).
class BitSet {
 public:
  explicit BitSet(std::size_t size = 0);
  void insert(std::size_t i);
  void erase(std::size_t i);
  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  /// The least member; the set is not empty.
  std::size_t first() const;
  /// The least member >= from, if any.
  std::optional<std::size_t> next(std::size_t from) const;
  /// The k-th member from 0; k < count(). O(size / 64).
  std::size_t nth(std::size_t k) const;

 private:
  std::vector<std::uint64_t> low_, mid_, top_;
  std::size_t count_ = 0;
};

/// Free GPUs of the nodes [first, first + nodes) of a cluster. Counts only; which GPUs they are is
/// Cluster's business.
class FreeNodes {
 public:
  /// `gpus`: capacity of each node in order, 1 to 64.
  FreeNodes(NodeId first, std::vector<std::uint8_t> gpus);

  NodeId first_node() const { return first_; }
  std::size_t nodes() const { return free_.size(); }
  int capacity(NodeId node) const { return capacity_[node.index() - first_.index()]; }
  int free(NodeId node) const { return free_[node.index() - first_.index()]; }
  std::int64_t total_free() const { return total_free_; }
  std::int64_t total_capacity() const { return total_capacity_; }
  int largest() const { return largest_; }  ///< capacity of the largest node
  bool uniform() const { return groups_.size() == 1; }

  /// Adds `change` (negative: takes) to a node's free GPUs; stays within [0, capacity], else throws
  /// Fault.
  void change(NodeId node, int change);

  /// For a pool whose GPUs have no identity: changes only the total; which nodes they are is
  /// nobody's business.
  void change_total(std::int64_t change);

  /// Nodes of one capacity, largest capacity first: `with_free[f]` are those with exactly f free,
  /// by node index from first_node().
  struct Group {
    int capacity;
    std::uint64_t some_free = 0;  ///< bit f - 1 set: some node has exactly f free
    std::vector<BitSet> with_free;
    std::size_t idle() const { return with_free[static_cast<std::size_t>(capacity)].count(); }
  };
  const std::vector<Group>& groups() const { return groups_; }
  /// The most GPUs free on one node.
  int most_free() const;
  NodeId node_at(std::size_t i) const { return NodeId{first_.index() + i}; }

 private:
  NodeId first_;
  std::vector<std::uint8_t> capacity_, free_, group_of_;
  std::vector<Group> groups_;
  std::int64_t total_free_ = 0, total_capacity_ = 0;
  int largest_ = 0;
};

}  // namespace orrery
