// What the reference simulator is made of: the state of the pool, and the two kinds of pass over
// it.
#pragma once

#include "invariants/reference/reference.hpp"

#include <compare>
#include <vector>

namespace orrery::reference {

/// A job that has arrived and not ended.
struct Active {
  int id = 0;
  Job job;
  Second progress = 0, held = 0;  ///< held: overhead included
  Second overhead_left = 0;
  bool was_preempted = false;  ///< waits since a preemption
  std::size_t level = 0;       ///< mlfq, mlfq2d, tiresias
  Holding holding;             ///< empty: waits
  bool running() const { return !holding.empty(); }
};

/// Free GPUs by node, and the jobs, by id.
struct State {
  Pool capacity;
  std::vector<int> free;
  std::vector<Active> jobs;
  bool anyone_waits() const;
  void give(Active& job, const Holding& nodes);
  void take_back(Active& job);
};

/// (value, second, id): a job's place in the order.
struct Key {
  Second value = 0, second = 0;
  int id = 0;
  friend auto operator<=>(const Key&, const Key&) = default;
};

// Policies (policies.cpp)
Key key_of(const Rules& rules, const Active& job);
bool preempts(const Rules& rules);
bool stops(const Rules& rules);  ///< what does not fit ends the walk
bool has_quantum(const Rules& rules);
/// How many limits a job has reached.
std::size_t level_of(const Rules& rules, const Active& job);

// Placement (placement.cpp)
/// The placement rule on free GPUs; empty: it finds no room.
std::optional<Holding> place(const Rules& rules, const Pool& capacity, const std::vector<int>& free,
                             int gpus);

/// What one pass did, by place in State::jobs. Their GPUs are taken and given already.
struct Pass {
  struct Gone {
    std::size_t job;
    Holding held;
  };
  std::vector<Gone> preempted;
  std::vector<std::size_t> migrated, started;
};
Pass line_pass(const Rules& rules, State& state);              // line_pass.cpp
Pass easy_pass(const Rules& rules, Second now, State& state);  // easy_pass.cpp

}  // namespace orrery::reference
