// The search for victims on equal nodes under spread = never, by the closed form of rule 3: a
// node's critical holder for k GPUs is the earliest that must go when its holders go from the
// latest on. The node whose critical holder is the latest is taken. With one slope (srtf, las,
// mlfq, tiresias) the order of running jobs never changes while they run, and a tournament tree
// over nodes for each k in use finds that node in O(log nodes); with several slopes (srsf, las2d)
// every node is looked at.
#pragma once

#include "engine/gang/victims.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace orrery::gang {

class NodeVictims final : public VictimSearch {
 public:
  explicit NodeVictims(const FreeNodes& free);
  void touch(NodeId node) override;
  bool find(const JobSlots&, FreeNodes&, const Demand&, const Place&, SimTime, Room&) override;
  std::unique_ptr<VictimSearch> clone() const override {
    return std::make_unique<NodeVictims>(*this);
  }

 private:
  /// What must go from a node so that k GPUs are free there.
  struct Critical {
    enum Kind : std::uint8_t { impossible, holder, nobody };  // by how late it is
    Kind kind = impossible;
    Place place;
    friend constexpr auto operator<=>(const Critical&, const Critical&) = default;
  };
  /// Tournament over nodes for one k: the winner has the latest critical holder, the lowest node on
  /// ties.
  struct Tree {
    std::vector<Critical> leaves;
    std::vector<std::uint32_t> winners;  // implicit binary tree, root at 1
    std::size_t width = 0;               // leaves, rounded up to a power of two
    std::size_t log_position = 0;        // changes of the log up to here are in the leaves
  };

  void added(const JobSlots& jobs, Slot slot) override;
  void removed(const JobSlots& jobs, Slot slot) override;
  std::size_t index(NodeId node) const { return node.index() - first_.index(); }

  /// `order`: a holder's place, in any coordinates that order holders rightly.
  template <class Order>
  Critical critical(const JobSlots& jobs, const FreeNodes& free, std::size_t node, int gpus,
                    Order&& order) const;
  template <class Order>
  bool choose(const JobSlots& jobs, const FreeNodes& free, const Demand& wanted, const Place& place,
              Order&& order, bool one_slope, Room& room);

  Tree& tree(const JobSlots& jobs, const FreeNodes& free, int gpus);
  void refresh(const JobSlots& jobs, const FreeNodes& free, Tree& tree, int gpus);
  void rebuild(const JobSlots& jobs, const FreeNodes& free, Tree& tree, int gpus);
  static void set_leaf(Tree& tree, std::size_t node, const Critical& critical);
  static bool later(const Tree& tree, std::uint32_t a, std::uint32_t b);

  NodeId first_;
  int capacity_;
  std::vector<boost::container::small_vector<Slot, 8>>
      holders_;                                               // members on each node, in no order
  std::vector<std::pair<std::int64_t, std::size_t>> slopes_;  // slope, members with it
  std::vector<std::uint32_t> log_;                            // nodes that changed, oldest first
  std::vector<std::size_t> last_change_;  // position + 1 in log_ of a node's last change
  std::vector<Tree> trees_;               // by GPUs; empty until asked for
};

}  // namespace orrery::gang
