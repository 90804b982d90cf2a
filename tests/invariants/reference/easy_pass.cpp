// The pass of `easy`, as docs/semantics.md tells it.
#include "invariants/reference/parts.hpp"

#include <algorithm>
#include <set>

namespace orrery::reference {
namespace {

/// Half seconds: the next microsecond after a whole second is the half second after it, as nothing
/// else lies between two seconds.
using Half = std::int64_t;

struct Reservation {
  std::optional<Half> at;      ///< empty: never
  std::vector<int> left_over;  ///< GPUs free at that instant beside the head's, by node
};

Reservation reserve(const Rules& rules, Second now, const State& state, int gpus) {
  std::multimap<Half, const Active*> ends;
  for (const Active& job : state.jobs) {
    if (!job.running() || !job.job.known) continue;
    const Half end = 2 * (now - job.held + *job.job.known);  // it has run without a break
    ends.emplace(std::max(end, 2 * now + 1), &job);
  }
  Reservation reservation{.at = std::nullopt, .left_over = state.free};
  for (auto next = ends.begin(); next != ends.end();) {
    const Half instant = next->first;
    for (; next != ends.end() && next->first == instant; ++next)
      for (const auto& [node, held] : next->second->holding)
        reservation.left_over[static_cast<std::size_t>(node)] += held;
    const auto nodes = place(rules, state.capacity, reservation.left_over, gpus);
    if (!nodes) continue;
    for (const auto& [node, taken] : *nodes)
      reservation.left_over[static_cast<std::size_t>(node)] -= taken;
    reservation.at = instant;
    return reservation;
  }
  return reservation;
}

}  // namespace

Pass easy_pass(const Rules& rules, Second now, State& state) {
  Pass pass;
  std::optional<Reservation> head;
  // Rule 6: the smallest gangs passed over so far, on free GPUs and on those beside the head's.
  std::optional<int> too_large, too_large_beside;
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {  // by id: submit order
    Active& job = state.jobs[j];
    if (job.running()) continue;
    const auto start = [&](const Holding& nodes) {
      state.give(job, nodes);
      pass.started.push_back(j);
    };
    const auto now_free = place(rules, state.capacity, state.free, job.job.gpus);
    if (!head) {
      if (now_free)
        start(*now_free);
      else
        head = reserve(rules, now, state, job.job.gpus);
      continue;
    }
    if (too_large && job.job.gpus >= *too_large) continue;
    // It ends by the head's start. An end that nobody knows is never in time.
    const bool in_time = job.job.known && (!head->at || 2 * (now + *job.job.known) <= *head->at);
    if (in_time) {
      if (now_free)
        start(*now_free);
      else
        too_large = job.job.gpus;
      continue;
    }
    if (!head->at) continue;  // it may hold for ever what the head waits for
    if (too_large_beside && job.job.gpus >= *too_large_beside) continue;
    std::vector<int> harmless = state.free;
    for (std::size_t node = 0; node < harmless.size(); ++node)
      harmless[node] = std::min(harmless[node], head->left_over[node]);
    const auto nodes = place(rules, state.capacity, harmless, job.job.gpus);
    if (!nodes) {
      too_large_beside = job.job.gpus;
      continue;
    }
    start(*nodes);
    for (const auto& [node, taken] : *nodes)
      head->left_over[static_cast<std::size_t>(node)] -= taken;
  }
  return pass;
}

}  // namespace orrery::reference
