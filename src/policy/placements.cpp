#include "orrery/base/check.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/random.hpp"
#include "orrery/policy/parts.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace orrery {
namespace {

enum class Fit : std::uint8_t { first, best, worst, random };
enum class Spread : std::uint8_t { never, fewest, any };
using Group = FreeNodes::Group;

bool picked(const Picks& picks, NodeId node) {
  return std::ranges::any_of(picks, [&](const Pick& pick) { return pick.node == node; });
}

/// The members of a group's free counts >= k as bits f - 1.
std::uint64_t levels_from(const Group& group, int k) {
  return k > 64 ? 0 : group.some_free & (~std::uint64_t{0} << (k - 1));
}

/// No node; larger than any.
constexpr std::uint64_t kNoNode = ~std::uint64_t{0};

/// The first node of a set that is not picked yet.
std::uint64_t first_unpicked(const FreeNodes& free, const BitSet& set, const Picks& picks) {
  if (set.empty()) return kNoNode;
  std::size_t first = set.first();
  while (!picks.empty() && picked(picks, free.node_at(first))) {
    const auto next = set.next(first + 1);
    if (!next) return kNoNode;
    first = *next;
  }
  return first;
}

/// A gang of at most one node's GPUs sits in one node; a larger one takes whole idle nodes plus a
/// remainder by fit. On nodes of several sizes: whole idle nodes while one is not larger than what
/// is left, the largest such first, lowest index first. If that fails, `spread` decides. Source:
/// semantics.md, "Placement".
class GangPlacement final : public Placement {
 public:
  GangPlacement(Fit fit, Spread spread, std::uint64_t seed = 0)
      : fit_{fit}, spread_{spread}, seed_{seed} {}

  bool place(const FreeNodes& free, const Demand& demand, Picks& picks) const override {
    picks.clear();
    if (free.total_free() < demand.gpus) return false;
    RandomStream random{fit_ == Fit::random ? mix(seed_, demand.draw) : 0};
    if (whole(free, demand.gpus, random, picks)) return true;
    picks.clear();
    if (spread_ == Spread::never) return false;
    scatter(free, demand.gpus, picks);
    return true;
  }

  bool fits(const FreeNodes& free, const Demand& demand) const override {
    if (free.total_free() < demand.gpus) return false;
    if (spread_ != Spread::never) return true;
    if (!free.uniform()) {
      Picks picks;
      return place(free, demand, picks);
    }
    const Group& group = free.groups().front();
    if (demand.gpus <= group.capacity) return levels_from(group, demand.gpus) != 0;
    const auto nodes = static_cast<std::size_t>(demand.gpus / group.capacity);
    const int rest = demand.gpus % group.capacity;
    if (group.idle() < nodes) return false;
    if (rest == 0 || group.idle() > nodes) return true;
    return (levels_from(group, rest) & ~(std::uint64_t{1} << (group.capacity - 1))) != 0;
  }

  bool closed_form(const FreeNodes& free) const override {
    return spread_ == Spread::never && free.uniform();
  }
  bool monotone(const FreeNodes& free) const override {
    return spread_ != Spread::never || free.uniform();
  }

 private:
  bool whole(const FreeNodes& free, int gpus, RandomStream& random, Picks& picks) const {
    if (gpus <= free.largest()) return one_node(free, gpus, random, picks);
    for (const Group& group : free.groups()) gpus -= idle_nodes(free, group, gpus, random, picks);
    return gpus == 0 || (gpus <= free.largest() && one_node(free, gpus, random, picks));
  }

  /// Takes idle nodes of one size while they are not larger than `gpus`; returns the GPUs taken.
  int idle_nodes(const FreeNodes& free, const Group& group, int gpus, RandomStream& random,
                 Picks& picks) const {
    const BitSet& idle = group.with_free[static_cast<std::size_t>(group.capacity)];
    const std::size_t wanted =
        std::min(idle.count(), static_cast<std::size_t>(gpus / group.capacity));
    if (wanted == 0) return 0;
    if (fit_ == Fit::random) {
      std::vector<std::size_t> nodes;
      for (auto i = idle.next(0); i; i = idle.next(*i + 1)) nodes.push_back(*i);
      for (std::size_t k = 0; k < wanted; ++k) {
        std::swap(nodes[k], nodes[k + random() % (nodes.size() - k)]);
        picks.push_back({free.node_at(nodes[k]), group.capacity});
      }
    } else {
      auto i = idle.next(0);
      for (std::size_t k = 0; k < wanted; ++k, i = idle.next(*i + 1))
        picks.push_back({free.node_at(*i), group.capacity});
    }
    return static_cast<int>(wanted) * group.capacity;
  }

  bool one_node(const FreeNodes& free, int gpus, RandomStream& random, Picks& picks) const {
    const std::uint64_t node = fit_ == Fit::random ? random_node(free, gpus, random, picks)
                                                   : fitting_node(free, gpus, picks);
    if (node == kNoNode) return false;
    picks.push_back({free.node_at(node), gpus});
    return true;
  }

  /// By fit over the free counts that hold `gpus`; equal ranks by lowest index.
  std::uint64_t fitting_node(const FreeNodes& free, int gpus, const Picks& picks) const {
    constexpr int kRankShift = 32;  // (rank, node) as one number: the least is taken
    std::uint64_t best = kNoNode;
    for (const Group& group : free.groups()) {
      for (std::uint64_t levels = levels_from(group, gpus); levels != 0;) {
        const auto level = fit_ == Fit::worst
                               ? static_cast<std::size_t>(std::bit_width(levels))
                               : static_cast<std::size_t>(std::countr_zero(levels)) + 1;
        levels &= ~(std::uint64_t{1} << (level - 1));
        const std::uint64_t node = first_unpicked(free, group.with_free[level], picks);
        if (node == kNoNode) continue;
        const std::uint64_t rank = fit_ == Fit::first ? 0 : fit_ == Fit::best ? level : 64 - level;
        best = std::min(best, (rank << kRankShift) | node);
        if (fit_ != Fit::first) break;  // the other levels of this group rank behind
      }
    }
    return best == kNoNode ? best : static_cast<std::uint32_t>(best);
  }

  /// Evenly among the nodes that fit and are not picked yet.
  static std::uint64_t random_node(const FreeNodes& free, int gpus, RandomStream& random,
                                   const Picks& picks) {
    std::vector<const BitSet*> able;
    std::size_t count = 0;
    for (const Group& group : free.groups()) {
      for (std::uint64_t levels = levels_from(group, gpus); levels != 0; levels &= levels - 1) {
        able.push_back(&group.with_free[static_cast<std::size_t>(std::countr_zero(levels)) + 1]);
        count += able.back()->count();
      }
    }
    const auto taken = static_cast<std::size_t>(std::ranges::count_if(
        picks, [&](const Pick& pick) { return free.free(pick.node) >= gpus; }));
    if (count == taken) return kNoNode;
    for (;;) {  // a node picked before is drawn again, so the others stay equally likely
      std::size_t k = random() % count;
      std::size_t set = 0;
      for (; k >= able[set]->count(); ++set) k -= able[set]->count();
      const std::size_t node = able[set]->nth(k);
      if (!picked(picks, free.node_at(node))) return node;
    }
  }

  /// Whatever is free: fewest takes the fullest choice of nodes (most free first), any goes node by
  /// node in fit order.
  void scatter(const FreeNodes& free, int gpus, Picks& picks) const {
    const bool most_first = spread_ == Spread::fewest || fit_ == Fit::worst;
    if (spread_ == Spread::any && fit_ == Fit::first) {
      for (std::size_t i = 0; gpus > 0; ++i) gpus -= take(free, i, gpus, picks);
      return;
    }
    for (int step = 1; step <= free.largest() && gpus > 0; ++step)
      gpus -= take_level(free, most_first ? free.largest() + 1 - step : step, gpus, picks);
  }

  /// Takes from the nodes with exactly `level` GPUs free, by index over all groups.
  static int take_level(const FreeNodes& free, int level, int gpus, Picks& picks) {
    int taken = 0;
    for (std::size_t from = 0; taken < gpus;) {
      std::optional<std::size_t> next;
      for (const Group& group : free.groups()) {
        if (level > group.capacity) continue;
        const auto node = group.with_free[static_cast<std::size_t>(level)].next(from);
        if (node && (!next || *node < *next)) next = node;
      }
      if (!next) break;
      taken += take(free, *next, gpus - taken, picks);
      from = *next + 1;
    }
    return taken;
  }

  static int take(const FreeNodes& free, std::size_t node, int gpus, Picks& picks) {
    const int count = std::min(gpus, free.free(free.node_at(node)));
    if (count > 0) picks.push_back({free.node_at(node), count});
    return count;
  }

  Fit fit_;
  Spread spread_;
  std::uint64_t seed_;
};

/// GPUs without identity: only their number matters.
class CountPlacement final : public Placement {
 public:
  bool place(const FreeNodes&, const Demand&, Picks&) const override {
    throw Fault("fault in Orrery: count places nothing on nodes");
  }
  bool fits(const FreeNodes& free, const Demand& demand) const override {
    return free.total_free() >= demand.gpus;
  }
  bool counts_only() const override { return true; }
};

constexpr std::array kPlacements{
    PlacementEntry{
        "consolidated",
        "fewest nodes: the fullest node that fits, whole idle nodes for a larger gang; else waits",
        "relax=never|fewest|any  when that fails: wait, take the least number of nodes now, take "
        "whatever is free"},
    PlacementEntry{"count", "a pool of GPUs without identity: only their number matters", ""},
    PlacementEntry{
        "first-fit",
        "the first node by index that fits; whole idle nodes for a larger gang; else waits", ""},
    PlacementEntry{"best-fit",
                   "the node with the fewest free GPUs that fits; whole idle nodes for a larger "
                   "gang; else waits",
                   ""},
    PlacementEntry{"spread", "the node with the most free GPUs; whatever is free when no node fits",
                   ""},
    PlacementEntry{
        "random", "evenly among the nodes that fit; whole idle nodes for a larger gang; else waits",
        "seed=N  draws of its own (also random:N); default: the run's seed"}};

}  // namespace

std::span<const PlacementEntry> placement_table() {
  return kPlacements;
}

std::shared_ptr<const Placement> make_placement(const Spec& spec, std::uint64_t seed) {
  const Options options = spec.options();
  std::shared_ptr<const Placement> made;
  if (spec.name == "count") made = std::make_shared<CountPlacement>();
  if (spec.name == "first-fit") made = std::make_shared<GangPlacement>(Fit::first, Spread::never);
  if (spec.name == "best-fit") made = std::make_shared<GangPlacement>(Fit::best, Spread::never);
  if (spec.name == "spread") made = std::make_shared<GangPlacement>(Fit::worst, Spread::any);
  if (spec.name == "consolidated") {
    const std::string relax = options.word("relax", {"never", "fewest", "any"}, "never");
    made = std::make_shared<GangPlacement>(Fit::best, relax == "never"    ? Spread::never
                                                      : relax == "fewest" ? Spread::fewest
                                                                          : Spread::any);
  }
  if (spec.name == "random") {
    const std::int64_t own = options.integer("seed", static_cast<std::int64_t>(seed));
    made = std::make_shared<GangPlacement>(Fit::random, Spread::never,
                                           hash_text("placement", static_cast<std::uint64_t>(own)));
  }
  if (!made) {
    std::vector<std::string> known;
    for (const PlacementEntry& entry : kPlacements) known.emplace_back(entry.name);
    throw UsageError("unknown placement " + quote(spec.name) + did_you_mean(spec.name, known));
  }
  options.check_all_used();
  return made;
}

}  // namespace orrery
