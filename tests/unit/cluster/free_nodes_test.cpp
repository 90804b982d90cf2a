#include "orrery/cluster/free_nodes.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <set>
#include <vector>

namespace orrery {
namespace {

// Sizes around one word, one word of words and one word of words of words.
TEST(BitSet, FindsMembersAtTheEdgesOfItsWords) {
  for (const std::size_t size :
       {1UL, 63UL, 64UL, 65UL, 4095UL, 4096UL, 4097UL, 262'144UL, 262'145UL, 600'000UL}) {
    BitSet set{size};
    EXPECT_TRUE(set.empty());
    EXPECT_EQ(set.next(0), std::nullopt);
    set.insert(size - 1);
    EXPECT_EQ(set.first(), size - 1) << size;
    EXPECT_EQ(set.next(0), size - 1) << size;
    EXPECT_EQ(set.next(size - 1), size - 1) << size;
    EXPECT_EQ(set.next(size), std::nullopt) << size;
    EXPECT_EQ(set.nth(0), size - 1) << size;
    set.erase(size - 1);
    EXPECT_TRUE(set.empty());
    EXPECT_EQ(set.next(0), std::nullopt) << size;
  }
}

TEST(BitSet, AgreesWithAnOrderedSet) {
  EXPECT_TRUE(rc::check("set", [](const std::vector<std::uint32_t>& numbers) {
    const std::size_t size = *rc::gen::element<std::size_t>(10, 70, 5000, 300'000);
    BitSet set{size};
    std::set<std::size_t> model;
    for (const std::uint32_t number : numbers) {
      // Half of the numbers fall close together, so that words empty and fill again.
      const std::size_t i =
          number % 2 == 0 ? number % size : number % std::min<std::size_t>(size, 8);
      if (model.erase(i) == 1) {
        set.erase(i);
      } else {
        set.insert(i);
        model.insert(i);
      }
      RC_ASSERT(set.count() == model.size());
      if (!model.empty()) RC_ASSERT(set.first() == *model.begin());
      const auto after = model.lower_bound(i);
      RC_ASSERT(set.next(i) == (after == model.end() ? std::nullopt : std::optional{*after}));
      std::size_t k = 0;
      for (const std::size_t member : model) RC_ASSERT(set.nth(k++) == member);
    }
  }));
}

/// The obvious model: capacity and free GPUs of each node in plain vectors.
struct Model {
  std::size_t first = 0;
  std::vector<std::uint8_t> capacity;
  std::vector<int> free;
};

void expect_equal(const FreeNodes& nodes, const Model& model) {
  RC_ASSERT(nodes.nodes() == model.free.size());
  std::int64_t total = 0;
  int most = 0;
  for (std::size_t i = 0; i < model.free.size(); ++i) {
    RC_ASSERT(nodes.free(NodeId{model.first + i}) == model.free[i]);
    RC_ASSERT(nodes.capacity(NodeId{model.first + i}) == model.capacity[i]);
    total += model.free[i];
    most = std::max(most, model.free[i]);
  }
  RC_ASSERT(nodes.total_free() == total);
  RC_ASSERT(nodes.most_free() == most);
  int larger = 65;
  for (const FreeNodes::Group& group : nodes.groups()) {
    RC_ASSERT(group.capacity < larger);  // largest capacity first
    larger = group.capacity;
    for (int level = 1; level <= group.capacity; ++level) {
      const BitSet& set = group.with_free[static_cast<std::size_t>(level)];
      std::size_t expected = 0;
      for (std::size_t i = 0; i < model.free.size(); ++i) {
        const bool belongs = model.capacity[i] == group.capacity && model.free[i] == level;
        expected += belongs ? 1 : 0;
        RC_ASSERT((set.next(i) == std::optional{i}) == belongs);
      }
      RC_ASSERT(set.count() == expected);
      RC_ASSERT(((group.some_free >> (level - 1)) & 1) == (expected > 0 ? 1U : 0U));
    }
  }
}

struct Change : rc::state::Command<Model, FreeNodes> {
  std::size_t node;
  int by;
  explicit Change(const Model& model)
      : node{*rc::gen::inRange<std::size_t>(0, model.free.size())},
        by{*rc::gen::inRange(-model.free[node], model.capacity[node] - model.free[node] + 1)} {}
  void checkPreconditions(const Model& model) const override {
    RC_PRE(node < model.free.size() && model.free[node] + by >= 0 &&
           model.free[node] + by <= model.capacity[node]);
  }
  void apply(Model& model) const override { model.free[node] += by; }
  void run(const Model& model, FreeNodes& nodes) const override {
    nodes.change(NodeId{model.first + node}, by);
    expect_equal(nodes, nextState(model));
  }
  void show(std::ostream& os) const override { os << "change(" << node << ", " << by << ")"; }
};

// A change that leaves [0, capacity] is refused and leaves everything as it was.
struct Overdraw : rc::state::Command<Model, FreeNodes> {
  std::size_t node;
  bool take;
  explicit Overdraw(const Model& model)
      : node{*rc::gen::inRange<std::size_t>(0, model.free.size())},
        take{*rc::gen::arbitrary<bool>()} {}
  void checkPreconditions(const Model& model) const override { RC_PRE(node < model.free.size()); }
  void run(const Model& model, FreeNodes& nodes) const override {
    const int by = take ? -model.free[node] - 1 : model.capacity[node] - model.free[node] + 1;
    RC_ASSERT_THROWS_AS(nodes.change(NodeId{model.first + node}, by), Fault);
    expect_equal(nodes, model);
  }
};

TEST(FreeNodes, AgreesWithPlainVectors) {
  EXPECT_TRUE(rc::check("free nodes", [] {
    Model model;
    model.first = *rc::gen::inRange<std::size_t>(0, 100);
    const std::vector<std::uint8_t> sizes =
        *rc::gen::element(std::vector<std::uint8_t>{8}, std::vector<std::uint8_t>{1, 2, 8},
                          std::vector<std::uint8_t>{64, 4});
    const auto nodes = *rc::gen::inRange<std::size_t>(1, 150);
    for (std::size_t i = 0; i < nodes; ++i) model.capacity.push_back(sizes[i * i % sizes.size()]);
    model.free.assign(model.capacity.begin(), model.capacity.end());
    FreeNodes subject{NodeId{model.first}, model.capacity};
    expect_equal(subject, model);
    rc::state::check(model, subject, rc::state::gen::execOneOfWithArgs<Change, Change, Overdraw>());
  }));
}

TEST(FreeNodes, KnowsItsSizes) {
  const FreeNodes mixed{NodeId{5U}, {2, 8, 2}};
  EXPECT_EQ(mixed.first_node(), NodeId{5U});
  EXPECT_EQ(mixed.node_at(2), NodeId{7U});
  EXPECT_EQ(mixed.largest(), 8);
  EXPECT_EQ(mixed.total_capacity(), 12);
  EXPECT_FALSE(mixed.uniform());
  EXPECT_EQ(mixed.groups().front().idle(), 1U);
  EXPECT_EQ(mixed.groups().back().idle(), 2U);
  EXPECT_TRUE((FreeNodes{NodeId{0U}, {4, 4}}.uniform()));
}

// Where GPUs have no identity only the total changes, within the same limits.
TEST(FreeNodes, TotalStaysWithinTheCapacity) {
  FreeNodes nodes{NodeId{0U}, {4, 4}};
  nodes.change_total(-8);
  EXPECT_EQ(nodes.total_free(), 0);
  EXPECT_THROW(nodes.change_total(-1), Fault);
  FreeNodes idle{NodeId{0U}, {4, 4}};
  EXPECT_THROW(idle.change_total(1), Fault);
}

}  // namespace
}  // namespace orrery
