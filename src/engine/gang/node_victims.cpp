#include "engine/gang/node_victims.hpp"

#include <algorithm>
#include <bit>

namespace orrery::gang {

NodeVictims::NodeVictims(const FreeNodes& free)
    : first_{free.first_node()},
      capacity_{free.largest()},
      holders_(free.nodes()),
      last_change_(free.nodes(), 0),
      trees_(static_cast<std::size_t>(free.largest()) + 1) {}

void NodeVictims::touch(NodeId node) {
  const std::size_t i = index(node);
  log_.push_back(static_cast<std::uint32_t>(i));
  last_change_[i] = log_.size();
}

void NodeVictims::added(const JobSlots& jobs, Slot slot) {
  for (const Slice& slice : jobs[slot].slices) {
    holders_[index(slice.node)].push_back(slot);
    touch(slice.node);
  }
  const auto same =
      std::ranges::find(slopes_, line(slot).slope, &std::pair<std::int64_t, std::size_t>::first);
  if (same == slopes_.end()) {
    slopes_.emplace_back(line(slot).slope, 1);
  } else {
    ++same->second;
  }
}

void NodeVictims::removed(const JobSlots& jobs, Slot slot) {
  for (const Slice& slice : jobs[slot].slices) {
    auto& here = holders_[index(slice.node)];
    *std::ranges::find(here, slot) = here.back();
    here.pop_back();
    touch(slice.node);
  }
  const auto same =
      std::ranges::find(slopes_, line(slot).slope, &std::pair<std::int64_t, std::size_t>::first);
  if (--same->second == 0) slopes_.erase(same);
}

template <class Order>
NodeVictims::Critical NodeVictims::critical(const JobSlots& jobs, const FreeNodes& free,
                                            std::size_t node, int gpus, Order&& order) const {
  int room = free.free(free.node_at(node));
  if (room >= gpus) return {.kind = Critical::nobody, .place = {}};
  struct Holder {
    Place place;
    int gpus;
  };
  boost::container::small_vector<Holder, 8> holders;
  for (const Slot slot : holders_[node]) {
    for (const Slice& slice : jobs[slot].slices)
      if (index(slice.node) == node) holders.push_back({order(slot), slice.count()});
  }
  while (!holders.empty()) {  // few holders: the latest is looked for each time
    const auto latest = std::ranges::max_element(holders, {}, &Holder::place);
    room += latest->gpus;
    if (room >= gpus) return {.kind = Critical::holder, .place = latest->place};
    *latest = holders.back();
    holders.pop_back();
  }
  return {};
}

bool NodeVictims::later(const Tree& tree, std::uint32_t a, std::uint32_t b) {
  const auto order = tree.leaves[a] <=> tree.leaves[b];
  return order > 0 || (order == 0 && a < b);
}

void NodeVictims::set_leaf(Tree& tree, std::size_t node, const Critical& critical) {
  tree.leaves[node] = critical;
  const auto changed = static_cast<std::uint32_t>(node);
  for (std::size_t i = (tree.width + node) / 2; i >= 1; i /= 2) {
    const auto child = [&](std::size_t c) {
      return c >= tree.width ? static_cast<std::uint32_t>(c - tree.width) : tree.winners[c];
    };
    const std::uint32_t left = child(2 * i);
    const std::uint32_t right = child(2 * i + 1);
    const std::uint32_t winner = later(tree, right, left) ? right : left;
    if (winner != changed && tree.winners[i] == winner)
      return;  // neither was nor is the winner: nothing above sees it
    tree.winners[i] = winner;
  }
}

void NodeVictims::rebuild(const JobSlots& jobs, const FreeNodes& free, Tree& tree, int gpus) {
  tree.width = std::max<std::size_t>(2, std::bit_ceil(holders_.size()));
  tree.leaves.assign(tree.width, {});
  tree.winners.assign(tree.width, 0);
  for (std::size_t node = 0; node < holders_.size(); ++node)
    tree.leaves[node] =
        critical(jobs, free, node, gpus, [&](Slot slot) { return line(slot).intercept; });
  for (std::size_t i = tree.width - 1; i >= 1; --i) {
    const auto child = [&](std::size_t c) {
      return c >= tree.width ? static_cast<std::uint32_t>(c - tree.width) : tree.winners[c];
    };
    const std::uint32_t left = child(2 * i);
    const std::uint32_t right = child(2 * i + 1);
    tree.winners[i] = later(tree, right, left) ? right : left;
  }
  tree.log_position = log_.size();
}

void NodeVictims::refresh(const JobSlots& jobs, const FreeNodes& free, Tree& tree, int gpus) {
  if (tree.width == 0 || log_.size() - tree.log_position > holders_.size()) {
    rebuild(jobs, free, tree, gpus);
    return;
  }
  for (; tree.log_position < log_.size(); ++tree.log_position) {
    const std::size_t node = log_[tree.log_position];
    if (last_change_[node] != tree.log_position + 1) continue;  // it changes again further on
    set_leaf(tree, node,
             critical(jobs, free, node, gpus, [&](Slot slot) { return line(slot).intercept; }));
  }
}

NodeVictims::Tree& NodeVictims::tree(const JobSlots& jobs, const FreeNodes& free, int gpus) {
  if (log_.size() >
      16 * holders_.size() +
          1024) {  // forget what every tree in use has seen, or will see by building anew
    log_.clear();
    std::ranges::fill(last_change_, 0);
    for (Tree& one : trees_) one.width = 0;
  }
  Tree& mine = trees_[static_cast<std::size_t>(gpus)];
  refresh(jobs, free, mine, gpus);
  return mine;
}

template <class Order>
bool NodeVictims::choose(const JobSlots& jobs, const FreeNodes& free, const Demand& wanted,
                         const Place& place, Order&& order, bool one_slope, Room& room) {
  const Critical me{.kind = Critical::holder, .place = place};
  Critical earliest{.kind = Critical::nobody, .place = {}};  // over the chosen nodes
  std::vector<std::pair<Tree*, std::pair<std::size_t, Critical>>>
      hidden;  // leaves of chosen nodes, to be put back
  const auto latest_node = [&](int gpus, Critical& best) {
    std::size_t chosen = 0;
    best = {};
    if (one_slope) {
      Tree& nodes = tree(jobs, free, gpus);
      for (const Pick& pick : room.picks) {
        const std::size_t taken = index(pick.node);
        if (nodes.leaves[taken].kind == Critical::impossible) continue;
        hidden.push_back({&nodes, {taken, nodes.leaves[taken]}});
        set_leaf(nodes, taken, {});
      }
      chosen = nodes.winners[1];
      best = nodes.leaves[chosen];
      return chosen;
    }
    for (std::size_t node = 0; node < holders_.size(); ++node) {
      if (std::ranges::any_of(room.picks,
                              [&](const Pick& pick) { return index(pick.node) == node; }))
        continue;
      const Critical here = critical(jobs, free, node, gpus, order);
      if (here > best) {
        best = here;
        chosen = node;
      }
    }
    return chosen;
  };
  bool found = true;
  for (int left = wanted.gpus; left > 0 && found;) {
    const int part = std::min(left, capacity_);
    Critical best;
    const std::size_t node = latest_node(part, best);
    found = best > me;
    if (!found) break;
    earliest = std::min(earliest, best);
    room.picks.push_back({free.node_at(node), part});
    left -= part;
  }
  for (auto leaf = hidden.rbegin(); leaf != hidden.rend(); ++leaf)
    set_leaf(*leaf->first, leaf->second.first, leaf->second.second);
  if (!found) return false;
  std::vector<std::pair<Place, Slot>>
      go;  // holders at or after `earliest` on the chosen nodes, each once
  for (const Pick& pick : room.picks)
    for (const Slot slot : holders_[index(pick.node)])
      if (const Place here = order(slot);
          earliest.kind == Critical::holder && here >= earliest.place)
        go.emplace_back(here, slot);
  std::ranges::sort(go, std::greater{});
  go.erase(std::unique(go.begin(), go.end()), go.end());
  for (const auto& [here, slot] : go) room.evicted.push_back(slot);
  spare_needless(jobs, free, room);
  return true;
}

bool NodeVictims::find(const JobSlots& jobs, FreeNodes& free, const Demand& wanted,
                       const Place& place, SimTime now, Room& room) {
  room.evicted.clear();
  room.picks.clear();
  if (members().empty()) return false;
  if (all_linear() && slopes_.size() == 1) {
    Place intercept = place;  // in the coordinates of the one slope
    intercept.value -= slopes_.front().first * micros(now);
    return choose(
        jobs, free, wanted, intercept, [&](Slot slot) { return line(slot).intercept; }, true, room);
  }
  return choose(
      jobs, free, wanted, place, [&](Slot slot) { return place_of(jobs[slot], now); }, false, room);
}

}  // namespace orrery::gang
