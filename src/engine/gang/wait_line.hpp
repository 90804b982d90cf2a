// The waiting jobs of a pool, one class a gang size, each class in order. A walk only ever wants
// the first job of each class, since a failure closes the class. Closed classes stay closed from
// pass to pass until something may have made room (docs/architecture.md).
#pragma once

#include "engine/gang/active_job.hpp"

#include <cstdint>
#include <vector>

namespace orrery::gang {

/// One waiting job: its place in the order, fixed while it waits.
struct Waiting {
  Place place;
  Slot slot = kNoSlot;
  std::uint32_t stamp = 0;
};

/// Waiting jobs in order: a sorted run for what comes in order, a heap for the rest. An entry whose
/// job has moved on since is stale and dropped before it is seen.
class WaitQueue {
 public:
  void push(const Waiting& entry);
  /// The first entry, or nullptr. Drops stale entries.
  const Waiting* front(const JobSlots& jobs);
  void pop();

 private:
  void drop_stale(const JobSlots& jobs);
  const Waiting* least() const;
  std::vector<Waiting> run_;  // ascending from run_head_ on
  std::size_t run_head_ = 0;
  std::vector<Waiting> heap_;  // least first
};

class WaitLine {
 public:
  /// `by_size`: one class a gang size (skip); else one class for all (stop).
  explicit WaitLine(bool by_size) : by_size_{by_size} {}

  /// Adds a waiting job at `place`; its class opens when the job becomes its first.
  void push(const JobSlots& jobs, Slot slot, const Place& place);
  /// The first job over the open classes with fewer than `below` GPUs, or nullptr.
  const Waiting* first_open(const JobSlots& jobs, int below);
  /// Takes the job that first_open() showed out of the line.
  void pop_first();
  /// A demand of `gpus` failed: every class of as many GPUs or more closes (the only class, when
  /// there is one).
  void close_from(int gpus);
  void open_all();
  /// Opens every class whose first job is not before `place`.
  void open_from(const JobSlots& jobs, const Place& place);

 private:
  struct Class {
    int gpus = 0;
    bool open = false;
    WaitQueue queue;
  };
  Class& class_of(int gpus);
  bool by_size_;
  std::vector<Class> classes_;  // ascending by GPUs
  std::size_t shown_ = 0;       // class of the job that first_open() showed
};

}  // namespace orrery::gang
