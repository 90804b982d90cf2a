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

/// Waiting jobs in order: a sorted run for what comes in order, a heap for the rest.
class WaitQueue {
 public:
  void push(const Waiting& entry) {
    if (run_head_ == run_.size()) {
      run_.clear();
      run_head_ = 0;
    } else if (!(run_.back().place < entry.place)) {
      push_heap(entry);
      return;
    }
    run_.push_back(entry);
  }
  /// The first entry, or nullptr.
  const Waiting* first() const {
    const Waiting* run = run_head_ < run_.size() ? &run_[run_head_] : nullptr;
    if (heap_.empty()) return run;
    return run != nullptr && run->place < heap_.front().place ? run : &heap_.front();
  }
  /// Takes the first entry out.
  void pop() {
    if (!heap_.empty() && first() == &heap_.front()) {
      pop_heap();
    } else if (++run_head_ >= 1024 && 2 * run_head_ >= run_.size()) {
      forget_taken();  // keeps the run as long as what waits
    }
  }

 private:
  void push_heap(const Waiting& entry);
  void pop_heap();
  void forget_taken();
  std::vector<Waiting> run_;  // ascending from run_head_ on
  std::size_t run_head_ = 0;
  std::vector<Waiting> heap_;  // least first
};

class WaitLine {
 public:
  /// `by_size`: one class a gang size (skip); else one class for all (stop).
  explicit WaitLine(bool by_size) : by_size_{by_size}, classes_(by_size ? 0 : 1) {}

  /// Adds a waiting job at `place`; its class opens when the job becomes its first.
  void push(const JobSlots& jobs, Slot slot, const Place& place) {
    const ActiveJob& job = jobs[slot];
    Class& mine = class_of(job.gpus());
    if (!mine.open) {
      const Waiting* first = first_of(mine, jobs);
      mine.open = first == nullptr || place < first->place;
    }
    mine.queue.push({.place = place, .slot = slot, .stamp = job.line_stamp});
  }
  /// The entry made at the job's last push() does not count any more: it waits at another place.
  void forget(ActiveJob& job) {
    ++job.line_stamp;
    ++stale_;
  }
  /// The first job over the open classes with fewer than `below` GPUs, or nullptr.
  const Waiting* first_open(const JobSlots& jobs, int below) {
    const Waiting* best = nullptr;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      Class& one = classes_[i];
      if (!one.open || one.gpus >= below) continue;
      const Waiting* first = first_of(one, jobs);
      if (first == nullptr) {
        one.open = false;
      } else if (best == nullptr || first->place < best->place) {
        best = first;
        shown_ = i;
      }
    }
    return best;
  }
  /// Takes the job that first_open() showed out of the line.
  void pop_first() { classes_[shown_].queue.pop(); }
  /// A demand of `gpus` failed: every class of as many GPUs or more closes (the only class, when
  /// there is one).
  void close_from(int gpus) {
    for (Class& one : classes_)
      if (!by_size_ || one.gpus >= gpus) one.open = false;
  }
  void open_all() {
    for (Class& one : classes_) one.open = true;
  }
  /// Opens every class whose first job is not before `place`.
  void open_from(const JobSlots& jobs, const Place& place) {
    for (Class& one : classes_) {
      if (one.open) continue;
      const Waiting* first = first_of(one, jobs);
      one.open = first != nullptr && !(first->place < place);
    }
  }

 private:
  struct Class {
    int gpus = 0;
    bool open = false;
    WaitQueue queue;
  };
  Class& class_of(int gpus) {
    if (!by_size_) return classes_.front();
    for (Class& one : classes_)
      if (one.gpus == gpus) return one;
    return add_class(gpus);
  }
  Class& add_class(int gpus);
  /// Its first job; drops entries that were forgotten.
  const Waiting* first_of(Class& one, const JobSlots& jobs) {
    const Waiting* first = one.queue.first();
    while (stale_ > 0 && first != nullptr && jobs[first->slot].line_stamp != first->stamp) {
      one.queue.pop();
      --stale_;
      first = one.queue.first();
    }
    return first;
  }
  bool by_size_;
  std::vector<Class> classes_;  // ascending by GPUs
  std::size_t stale_ = 0;       // entries that were forgotten and are still in a queue
  std::size_t shown_ = 0;       // class of the job that first_open() showed
};

}  // namespace orrery::gang
