// Placements as semantics.md has them: hand-made states, then every rule against an enumeration of
// the nodes on random states.
#include "orrery/base/error.hpp"
#include "orrery/policy/parts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace orrery {

std::ostream& operator<<(std::ostream& os, const Pick& pick) {
  return os << pick.gpus << " of node " << pick.node.index();
}

namespace {

using List = std::vector<Pick>;

/// Nodes with `free` GPUs of `capacity`.
FreeNodes nodes(const std::vector<int>& free, const std::vector<int>& capacity) {
  FreeNodes made{NodeId{0U}, {capacity.begin(), capacity.end()}};
  for (std::size_t i = 0; i < free.size(); ++i) made.change(NodeId{i}, free[i] - capacity[i]);
  return made;
}
FreeNodes nodes_of_8(const std::vector<int>& free) {
  return nodes(free, std::vector<int>(free.size(), 8));
}

List place(const std::string& spec, const FreeNodes& free, int gpus) {
  Picks picks;
  const auto placement = make_placement(parse_spec(spec, "seed"), 1);
  const bool placed = placement->place(free, {.gpus = gpus, .draw = 5}, picks);
  EXPECT_EQ(placed, !picks.empty());
  return {picks.begin(), picks.end()};
}

Pick pick(std::size_t node, int gpus) {
  return {NodeId{node}, gpus};
}

TEST(FirstFit, TakesTheFirstNodeWithRoom) {
  EXPECT_EQ(place("first-fit", nodes_of_8({1, 5, 3, 8}), 3), List{pick(1, 3)});
  EXPECT_EQ(place("first-fit", nodes_of_8({1, 5, 3, 8}), 6), List{pick(3, 6)});
  EXPECT_EQ(place("first-fit", nodes_of_8({1, 5, 3, 7}), 8), List{});
}

TEST(BestFit, TakesTheFullestNodeWithRoomTheLowestOnTies) {
  for (const char* spec : {"best-fit", "consolidated"}) {
    EXPECT_EQ(place(spec, nodes_of_8({8, 5, 3, 3}), 3), List{pick(2, 3)}) << spec;
    EXPECT_EQ(place(spec, nodes_of_8({8, 5, 3, 3}), 4), List{pick(1, 4)}) << spec;
    EXPECT_EQ(place(spec, nodes_of_8({8, 8}), 1), List{pick(0, 1)}) << spec;
  }
}

TEST(Spread, TakesTheEmptiestNodeTheLowestOnTies) {
  EXPECT_EQ(place("spread", nodes_of_8({3, 6, 8, 8}), 3), List{pick(2, 3)});
  EXPECT_EQ(place("spread", nodes_of_8({3, 6, 5, 6}), 3), List{pick(1, 3)});
}

// 18 GPUs are two whole idle nodes and 2 more by fit: the fullest that has 2, the first that has 2,
// the emptiest.
TEST(Placements, LargerGangTakesWholeIdleNodesAndARemainder) {
  const FreeNodes free = nodes_of_8({4, 8, 2, 8, 8});
  EXPECT_EQ(place("best-fit", free, 18), (List{pick(1, 8), pick(3, 8), pick(2, 2)}));
  EXPECT_EQ(place("first-fit", free, 18), (List{pick(1, 8), pick(3, 8), pick(0, 2)}));
  EXPECT_EQ(place("spread", free, 18), (List{pick(1, 8), pick(3, 8), pick(4, 2)}));
  EXPECT_EQ(place("best-fit", free, 24), (List{pick(1, 8), pick(3, 8), pick(4, 8)}));
}

// The node of the remainder is another one: of the idle nodes only the third is left.
TEST(Placements, RemainderIsNotOnANodeTakenWhole) {
  EXPECT_EQ(place("best-fit", nodes_of_8({8, 8, 8}), 17),
            (List{pick(0, 8), pick(1, 8), pick(2, 1)}));
  EXPECT_EQ(place("best-fit", nodes_of_8({8, 8, 0}), 17), List{});
}

// Ten GPUs are free, but no idle node.
TEST(Placements, LargerGangWaitsForIdleNodesUnlessItMaySpread) {
  const FreeNodes free = nodes_of_8({3, 6, 1, 0});
  for (const char* spec : {"first-fit", "best-fit", "consolidated", "random"})
    EXPECT_EQ(place(spec, free, 9), List{}) << spec;
  EXPECT_EQ(place("consolidated:relax=fewest", free, 8), (List{pick(1, 6), pick(0, 2)}));
  EXPECT_EQ(place("consolidated:relax=any", free, 8), (List{pick(2, 1), pick(0, 3), pick(1, 4)}));
  EXPECT_EQ(place("spread", free, 8), (List{pick(1, 6), pick(0, 2)}));
}

// When one node has room, relaxing changes nothing.
TEST(Consolidated, RelaxesOnlyWhenNoNodeHasRoom) {
  const FreeNodes free = nodes_of_8({3, 6, 4, 8});
  for (const char* relax : {"never", "fewest", "any"})
    EXPECT_EQ(place(std::string{"consolidated:relax="} + relax, free, 4), List{pick(2, 4)});
}

// Sizes 2, 8 and 4. A gang of 11 takes 8, then 2 of the whole node that is not larger than the 3
// left (4 is), then the last GPU by fit on what is left: node 2, the only one.
TEST(Placements, OnMixedNodesTheLargestThatIsNotTooLargeComesFirst) {
  const FreeNodes idle = nodes({2, 8, 4}, {2, 8, 4});
  EXPECT_EQ(place("best-fit", idle, 11), (List{pick(1, 8), pick(0, 2), pick(2, 1)}));
  EXPECT_EQ(place("best-fit", idle, 12), (List{pick(1, 8), pick(2, 4)}));
  EXPECT_EQ(place("best-fit", idle, 2), List{pick(0, 2)});
  EXPECT_EQ(place("best-fit", idle, 3), List{pick(2, 3)});
}

TEST(Count, OnlyTheNumberOfFreeGpusMatters) {
  const auto count = make_placement(parse_spec("count"), 1);
  EXPECT_TRUE(count->counts_only());
  EXPECT_TRUE(count->fits(nodes_of_8({1, 1, 1}), {.gpus = 3}));
  EXPECT_FALSE(count->fits(nodes_of_8({1, 1, 1}), {.gpus = 4}));
  Picks picks;
  EXPECT_THROW(count->place(nodes_of_8({8}), {.gpus = 1}, picks), Fault);
}

// Over 3000 draws each of the three nodes with room is drawn about 1000 times: five standard
// deviations (26) are 130. The draws are fixed, so this cannot fail by chance.
TEST(Random, DrawsEvenlyAmongTheNodesWithRoom) {
  const auto random = make_placement(parse_spec("random:7", "seed"), 1);
  const FreeNodes free = nodes_of_8({8, 1, 3, 2, 5});
  std::map<std::size_t, int> drawn;
  for (std::uint64_t draw = 0; draw < 3000; ++draw) {
    Picks picks;
    ASSERT_TRUE(random->place(free, {.gpus = 3, .draw = draw}, picks));
    ++drawn[picks[0].node.index()];
  }
  EXPECT_EQ(drawn.size(), 3U);
  for (const std::size_t node : {0U, 2U, 4U}) EXPECT_NEAR(drawn[node], 1000, 130) << node;
}

// A gang of two idle nodes of four: each of the six pairs is drawn, each node about half of the
// time.
TEST(Random, DrawsIdleNodesEvenlyToo) {
  const auto random = make_placement(parse_spec("random:7", "seed"), 1);
  const FreeNodes free = nodes_of_8({8, 8, 7, 8, 8});
  std::map<std::size_t, int> drawn;
  std::map<std::pair<std::size_t, std::size_t>, int> pairs;
  for (std::uint64_t draw = 0; draw < 3000; ++draw) {
    Picks picks;
    ASSERT_TRUE(random->place(free, {.gpus = 16, .draw = draw}, picks));
    for (const Pick& one : picks) ++drawn[one.node.index()];
    ++pairs[std::minmax({picks[0].node.index(), picks[1].node.index()})];
  }
  EXPECT_EQ(pairs.size(), 6U);
  for (const std::size_t node : {0U, 1U, 3U, 4U}) EXPECT_NEAR(drawn[node], 1500, 140) << node;
}

TEST(Random, DependsOnSeedAndDrawAlone) {
  const FreeNodes free = nodes_of_8(std::vector<int>(64, 8));
  const auto first_node = [&](const char* spec, std::uint64_t run_seed, std::uint64_t draw) {
    Picks picks;
    make_placement(parse_spec(spec, "seed"), run_seed)
        ->place(free, {.gpus = 1, .draw = draw}, picks);
    return picks[0].node;
  };
  EXPECT_EQ(first_node("random", 3, 1), first_node("random:3", 99, 1));
  EXPECT_EQ(first_node("random:seed=3", 4, 1), first_node("random:3", 5, 1));
  int seeds_differ = 0, draws_differ = 0;
  for (std::uint64_t i = 1; i <= 20; ++i) {
    seeds_differ += first_node("random", i, 1) != first_node("random", 100, 1) ? 1 : 0;
    draws_differ += first_node("random", 1, i) != first_node("random", 1, 100) ? 1 : 0;
  }
  EXPECT_GE(seeds_differ, 15);  // one in 64 agrees
  EXPECT_GE(draws_differ, 15);
}

TEST(MakePlacement, SaysWhatItDoesNotKnow) {
  const auto message = [](const char* spec) -> std::string {
    try {
      make_placement(parse_spec(spec, "seed"), 1);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("bestfit"), "unknown placement 'bestfit' (did you mean 'best-fit'?)");
  EXPECT_EQ(message("consolidated:relax=some"),
            "consolidated: relax must be one of never, fewest, any, got 'some'");
  EXPECT_EQ(message("first-fit:relax=any"), "first-fit has no option 'relax'");
  EXPECT_EQ(message("random:x"), "random: seed must be a whole number, got 'x'");
  for (const PlacementEntry& entry : placement_table())
    EXPECT_NE(make_placement(parse_spec(entry.name), 1), nullptr) << entry.name;
}

// --- against an enumeration
// -----------------------------------------------------------------------

struct State {
  std::vector<int> free, capacity;
};

/// A rank of a node with `free` GPUs under a fit; the least is taken, the lowest node on ties.
using Rank = std::function<int(int)>;
const std::map<std::string, Rank> kFits{{"first", [](int) { return 0; }},
                                        {"best", [](int free) { return free; }},
                                        {"worst", [](int free) { return -free; }}};

std::optional<std::size_t> best_node(const State& state, int gpus, const Rank& rank,
                                     const List& taken) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < state.free.size(); ++i) {
    const bool used =
        std::ranges::any_of(taken, [&](const Pick& p) { return p.node == NodeId{i}; });
    if (used || state.free[i] < gpus) continue;
    if (!best || rank(state.free[i]) < rank(state.free[*best])) best = i;
  }
  return best;
}

/// A gang of at most the largest node's GPUs on one node; a larger one on whole idle nodes, the
/// largest that is not larger than what is left first, and a remainder.
List consolidate(const State& state, int gpus, const Rank& rank) {
  const int largest = std::ranges::max(state.capacity);
  List picks;
  int left = gpus;
  if (gpus > largest) {
    for (int size = largest; size >= 1; --size)
      for (std::size_t i = 0; i < state.free.size(); ++i)
        if (state.capacity[i] == size && state.free[i] == size && left >= size) {
          picks.push_back(pick(i, size));
          left -= size;
        }
  }
  if (left == 0) return picks;
  const auto node = best_node(state, left, rank, picks);
  if (!node) return {};
  picks.push_back(pick(*node, left));
  return picks;
}

/// Node by node by rank, whatever is free.
List scatter(const State& state, int gpus, const Rank& rank) {
  if (std::accumulate(state.free.begin(), state.free.end(), 0) < gpus) return {};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < state.free.size(); ++i)
    if (state.free[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rank(state.free[i]); });
  List picks;
  for (const std::size_t i : order) {
    if (gpus == 0) break;
    picks.push_back(pick(i, std::min(gpus, state.free[i])));
    gpus -= picks.back().gpus;
  }
  return picks;
}

State random_state(const std::vector<int>& sizes) {
  State state;
  const int count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    const int size = *rc::gen::elementOf(sizes);
    state.capacity.push_back(size);
    // Idle and full nodes are what the rules are about.
    state.free.push_back(
        *rc::gen::oneOf(rc::gen::just(size), rc::gen::just(0), rc::gen::inRange(0, size + 1)));
  }
  return state;
}

struct Rule {
  const char* spec;
  const char* fit;
  const char* relaxed;  ///< the rank by which it scatters, or nullptr
};
constexpr Rule kRules[]{{"first-fit", "first", nullptr},
                        {"best-fit", "best", nullptr},
                        {"consolidated", "best", nullptr},
                        {"consolidated:relax=fewest", "best", "worst"},  // most free first
                        {"consolidated:relax=any", "best", "best"},
                        {"spread", "worst", "worst"}};

void agree(const std::vector<int>& sizes) {
  const State state = random_state(sizes);
  const int gpus = *rc::gen::inRange(1, 40);
  const FreeNodes free = nodes(state.free, state.capacity);
  for (const Rule& rule : kRules) {
    const int total = std::accumulate(state.free.begin(), state.free.end(), 0);
    List expected = total < gpus ? List{} : consolidate(state, gpus, kFits.at(rule.fit));
    if (expected.empty() && rule.relaxed != nullptr)
      expected = scatter(state, gpus, kFits.at(rule.relaxed));
    const auto placement = make_placement(parse_spec(rule.spec), 1);
    Picks picks;
    RC_ASSERT(placement->place(free, {.gpus = gpus}, picks) == !expected.empty());
    RC_ASSERT(List(picks.begin(), picks.end()) == expected);
    RC_ASSERT(placement->fits(free, {.gpus = gpus}) == !expected.empty());
  }
}

TEST(Placements, AgreeWithAnEnumerationOnEqualNodes) {
  EXPECT_TRUE(rc::check("equal nodes of 8", [] { agree({8}); }));
  EXPECT_TRUE(rc::check("equal nodes of 4", [] { agree({4}); }));
}

TEST(Placements, AgreeWithAnEnumerationOnMixedNodes) {
  EXPECT_TRUE(rc::check("nodes of 1, 2, 4 and 8", [] { agree({1, 2, 4, 8}); }));
  EXPECT_TRUE(rc::check("nodes of 3 and 8", [] { agree({3, 8}); }));
}

// Random finds room exactly where first-fit does: they choose other nodes, not other demands.
TEST(Random, FitsExactlyWhereFirstFitDoesOnEqualNodes) {
  EXPECT_TRUE(rc::check("random", [] {
    const State state = random_state({8});
    const int gpus = *rc::gen::inRange(1, 40);
    const auto draw = *rc::gen::arbitrary<std::uint64_t>();
    const FreeNodes free = nodes(state.free, state.capacity);
    const auto random = make_placement(parse_spec("random"), 1);
    Picks picks;
    const bool placed = random->place(free, {.gpus = gpus, .draw = draw}, picks);
    RC_ASSERT(placed == make_placement(parse_spec("first-fit"), 1)->fits(free, {.gpus = gpus}));
    RC_ASSERT(placed == random->fits(free, {.gpus = gpus}));
    int sum = 0;
    std::vector<NodeId> seen;
    for (const Pick& one : picks) {
      RC_ASSERT(free.free(one.node) >= one.gpus);
      RC_ASSERT(std::ranges::find(seen, one.node) == seen.end());
      seen.push_back(one.node);
      sum += one.gpus;
    }
    RC_ASSERT(sum == (placed ? gpus : 0));
  }));
}

// Where a placement says that it is monotone: what does not fit does not fit either with fewer free
// GPUs or a larger demand. A walk may close classes by that.
TEST(Placements, MonotoneOnesNeverFitMoreWithLess) {
  EXPECT_TRUE(rc::check("monotone", [] {
    const State state =
        random_state(*rc::gen::element(std::vector<int>{8}, std::vector<int>{2, 8}));
    const int gpus = *rc::gen::inRange(1, 30);
    const FreeNodes free = nodes(state.free, state.capacity);
    State less = state;
    for (int& one : less.free) one = *rc::gen::inRange(0, one + 1);
    for (const Rule& rule : kRules) {
      const auto placement = make_placement(parse_spec(rule.spec), 1);
      if (!placement->monotone(free) || placement->fits(free, {.gpus = gpus})) continue;
      RC_ASSERT(!placement->fits(nodes(less.free, less.capacity), {.gpus = gpus}));
      RC_ASSERT(!placement->fits(free, {.gpus = gpus + *rc::gen::inRange(0, 10)}));
    }
  }));
}

// On mixed sizes spread = never is not: the gang of 4 fits on one node of 4, 5 does not.
TEST(Placements, NeverSpreadingOnMixedNodesIsNotMonotone) {
  const FreeNodes free = nodes({2, 2, 2, 3}, {2, 2, 2, 4});
  const auto best = make_placement(parse_spec("best-fit"), 1);
  EXPECT_FALSE(best->monotone(free));
  EXPECT_FALSE(best->fits(free, {.gpus = 4}));  // of the node of 4 one GPU is taken
  EXPECT_TRUE(best->fits(free, {.gpus = 6}));   // three whole nodes of 2
  EXPECT_TRUE(make_placement(parse_spec("spread"), 1)->monotone(free));
}

}  // namespace
}  // namespace orrery
