// How many GPUs are free on each node of a pool, and which node is the first with so many: bitmaps
// by free count, three levels of 64.
#pragma once

#include "orrery/base/check.hpp"
#include "orrery/base/id.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// A set of small integers with the least member, the first member at or after a number, and the
/// k-th member in O(log64 size).
class BitSet {
 public:
  explicit BitSet(std::size_t size = 0);
  void insert(std::size_t i) {
    low_[word(i)] |= bit(i);
    mid_[word(word(i))] |= bit(word(i));
    top_[word(word(word(i)))] |= bit(word(word(i)));
    ++count_;
  }
  void erase(std::size_t i) {
    --count_;
    if ((low_[word(i)] &= ~bit(i)) != 0) return;
    const std::size_t m = word(i);
    if ((mid_[word(m)] &= ~bit(m)) != 0) return;
    top_[word(word(m))] &= ~bit(word(m));
  }
  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  /// The least member; the set is not empty.
  std::size_t first() const {
    std::size_t t = 0;  // 2^18 members a word of top_: one word but for the largest clusters
    while (top_[t] == 0) ++t;
    const std::size_t m = (t << 6) + lowest(top_[t]);
    const std::size_t l = (m << 6) + lowest(mid_[m]);
    return (l << 6) + lowest(low_[l]);
  }
  /// The least member >= from, if any.
  std::optional<std::size_t> next(std::size_t from) const;
  /// The k-th member from 0; k < count(). O(size / 64).
  std::size_t nth(std::size_t k) const;

 private:
  static constexpr std::size_t word(std::size_t i) { return i >> 6; }
  static constexpr std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i & 63); }
  static constexpr std::size_t lowest(std::uint64_t w) {
    return static_cast<std::size_t>(std::countr_zero(w));
  }
  static std::optional<std::size_t> scan(const std::vector<std::uint64_t>& words, std::size_t from);
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

inline void FreeNodes::change(NodeId node, int change) {
  const std::size_t i = node.index() - first_.index();
  const auto before = static_cast<std::size_t>(free_[i]);
  const int now = static_cast<int>(free_[i]) + change;
  ORRERY_CHECK(
      now >= 0 && now <= capacity_[i],
      "node " + std::to_string(node.index()) + " would have " + std::to_string(now) + " free GPUs");
  const auto after = static_cast<std::size_t>(now);
  Group& group = groups_[group_of_[i]];
  if (before > 0) {
    group.with_free[before].erase(i);
    if (group.with_free[before].empty()) group.some_free &= ~(std::uint64_t{1} << (before - 1));
  }
  if (after > 0) {
    group.with_free[after].insert(i);
    group.some_free |= std::uint64_t{1} << (after - 1);
  }
  free_[i] = static_cast<std::uint8_t>(after);
  total_free_ += change;
}

inline void FreeNodes::change_total(std::int64_t change) {
  total_free_ += change;
  ORRERY_CHECK(total_free_ >= 0 && total_free_ <= total_capacity_,
               "the pool would have " + std::to_string(total_free_) + " free GPUs");
}

}  // namespace orrery
