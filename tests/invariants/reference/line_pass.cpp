// The pass of docs/semantics.md, rules 1 to 6, as a full walk.
#include "invariants/reference/parts.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace orrery::reference {
namespace {

class LinePass {
 public:
  LinePass(const Rules& rules, State& state) : rules_{rules}, state_{state} {}

  Pass run() {
    // Keys have the value at which the pass begins (rule 1) and are not asked again inside (rule
    // 5).
    for (std::size_t j = 0; j < state_.jobs.size(); ++j) {
      keys_.push_back(key_of(rules_, state_.jobs[j]));
      if (!state_.jobs[j].running()) walk_[keys_[j]] = j;
    }
    std::optional<int> too_large;
    while (!walk_.empty()) {
      const std::size_t j = walk_.begin()->second;
      walk_.erase(walk_.begin());
      const int gpus = state_.jobs[j].job.gpus;
      if (too_large && gpus >= *too_large) continue;  // rule 6
      if (!try_job(j)) {
        if (stops(rules_)) break;
        too_large = gpus;
      }
    }
    return result();
  }

 private:
  struct Room {
    std::vector<std::size_t> victims;
    Holding nodes;
  };

  bool try_job(std::size_t j) {
    Active& job = state_.jobs[j];
    if (const auto nodes = place(rules_, state_.capacity, state_.free, job.job.gpus)) {
      state_.give(job, *nodes);
      placed_.push_back(j);
      return true;
    }
    if (!preempts(rules_)) return false;
    const auto room =
        rules_.spread == Spread::never && equal_nodes() ? room_on_nodes(j) : room_anywhere(j);
    if (!room) return false;
    for (const std::size_t victim : room->victims) {
      evicted_[victim] = state_.jobs[victim].holding;
      state_.take_back(state_.jobs[victim]);
      walk_[keys_[victim]] = victim;
    }
    state_.give(job, room->nodes);
    placed_.push_back(j);
    return true;
  }

  /// Holders that come after job j in the order, the latest first.
  std::vector<std::size_t> holders_behind(std::size_t j) const {
    std::vector<std::size_t> holders;
    for (std::size_t h = 0; h < state_.jobs.size(); ++h)
      if (state_.jobs[h].running() && keys_[j] < keys_[h]) holders.push_back(h);
    std::ranges::sort(holders, [&](auto a, auto b) { return keys_[b] < keys_[a]; });
    return holders;
  }

  int held_on(std::size_t holder, int node) const {
    const Holding& holding = state_.jobs[holder].holding;
    const auto found = holding.find(node);
    return found == holding.end() ? 0 : found->second;
  }

  /// The holders of a node, of those behind j, that go if the latest go first until `need` GPUs are
  /// free, in that order; empty optional: even all of them are not enough.
  std::optional<std::vector<std::size_t>> goers(std::size_t j, int node, int need) const {
    int free = state_.free[static_cast<std::size_t>(node)];
    std::vector<std::size_t> going;
    for (const std::size_t holder : holders_behind(j)) {
      if (free >= need) break;
      if (held_on(holder, node) == 0) continue;
      free += held_on(holder, node);
      going.push_back(holder);
    }
    if (free < need) return std::nullopt;
    return going;
  }

  bool equal_nodes() const {
    return std::ranges::all_of(state_.capacity,
                               [&](int gpus) { return gpus == state_.capacity.front(); });
  }

  /// Whole nodes and the rest, or one part for a gang of at most a node's GPUs.
  std::vector<int> parts_of(int gpus) const {
    std::vector<int> parts;
    for (; gpus > state_.capacity.front(); gpus -= state_.capacity.front())
      parts.push_back(state_.capacity.front());
    parts.push_back(gpus);
    return parts;
  }

  /// Rules 3 and 4 where gangs stay together: the nodes on which the earliest holder that must go
  /// is the latest.
  std::optional<Room> room_on_nodes(std::size_t j) const {
    Room room;
    for (const int need : parts_of(state_.jobs[j].job.gpus)) {
      std::optional<int> best;
      std::vector<std::size_t> best_going;
      for (int node = 0; node < std::ssize(state_.free); ++node) {
        if (room.nodes.contains(node)) continue;
        const auto going = goers(j, node, need);
        if (!going) continue;
        const bool later = best && !best_going.empty() &&
                           (going->empty() || keys_[best_going.back()] < keys_[going->back()]);
        if (best && !later) continue;
        best = node;
        best_going = *going;
      }
      if (!best) return std::nullopt;
      room.nodes[*best] = need;
      room.victims.insert(room.victims.end(), best_going.begin(), best_going.end());
    }
    spare(room);
    return room;
  }

  /// Rules 3 and 4 to the letter.
  std::optional<Room> room_anywhere(std::size_t j) const {
    Room room;
    std::vector<int> free = state_.free;
    std::optional<Holding> chosen;
    for (const std::size_t holder : holders_behind(j)) {
      room.victims.push_back(holder);
      for (const auto& [node, gpus] : state_.jobs[holder].holding)
        free[static_cast<std::size_t>(node)] += gpus;
      chosen = place(rules_, state_.capacity, free, state_.jobs[j].job.gpus);
      if (chosen) break;
    }
    if (!chosen) return std::nullopt;
    room.nodes = *chosen;
    std::erase_if(room.victims, [&](std::size_t victim) {
      return std::ranges::none_of(
          *chosen, [&](const auto& part) { return held_on(victim, part.first) > 0; });
    });
    spare(room);
    return room;
  }

  /// Whether the GPUs chosen on each node are free once `victims` are gone.
  bool fits(const Holding& chosen, const std::vector<std::size_t>& victims) const {
    return std::ranges::all_of(chosen, [&](const auto& part) {
      int free = state_.free[static_cast<std::size_t>(part.first)];
      for (const std::size_t victim : victims) free += held_on(victim, part.first);
      return free >= part.second;
    });
  }

  /// Rule 4: from the earliest to the latest, who need not go stays.
  void spare(Room& room) const {
    std::vector<std::size_t>& victims = room.victims;
    std::ranges::sort(victims, {}, [&](std::size_t victim) { return keys_[victim]; });
    victims.erase(std::unique(victims.begin(), victims.end()), victims.end());
    for (const std::size_t victim : std::vector{victims}) {
      std::vector<std::size_t> rest = victims;
      std::erase(rest, victim);
      if (fits(room.nodes, rest)) victims = rest;
    }
  }

  /// Rule 5.
  Pass result() const {
    Pass pass;
    for (const auto& [job, held] : evicted_)
      if (!state_.jobs[job].running()) pass.preempted.push_back({job, held});
    for (const std::size_t job : placed_) {
      if (!evicted_.contains(job))
        pass.started.push_back(job);
      else if (!rules_.count)  // without identity it holds what it held
        pass.migrated.push_back(job);
    }
    return pass;
  }

  const Rules& rules_;
  State& state_;
  std::vector<Key> keys_;            // by place in State::jobs
  std::map<Key, std::size_t> walk_;  // jobs without GPUs still to be tried
  std::map<std::size_t, Holding> evicted_;
  std::vector<std::size_t> placed_;
};

}  // namespace

Pass line_pass(const Rules& rules, State& state) {
  return LinePass{rules, state}.run();
}

}  // namespace orrery::reference
