#include "engine/gang/wait_line.hpp"

#include <algorithm>

namespace orrery::gang {
namespace {

constexpr auto kLater = [](const Waiting& a, const Waiting& b) { return b.place < a.place; };

}  // namespace

void WaitQueue::push(const Waiting& entry) {
  if (run_head_ == run_.size() || run_.back().place < entry.place) {
    if (run_head_ == run_.size()) {
      run_.clear();
      run_head_ = 0;
    }
    run_.push_back(entry);
  } else {
    heap_.push_back(entry);
    std::ranges::push_heap(heap_, kLater);
  }
}

const Waiting* WaitQueue::least() const {
  const Waiting* run = run_head_ < run_.size() ? &run_[run_head_] : nullptr;
  const Waiting* heap = heap_.empty() ? nullptr : &heap_.front();
  if (run == nullptr || heap == nullptr) return run == nullptr ? heap : run;
  return run->place < heap->place ? run : heap;
}

const Waiting* WaitQueue::front(const JobSlots& jobs) {
  drop_stale(jobs);
  return least();
}

void WaitQueue::pop() {
  if (heap_.empty() || least() != &heap_.front()) {
    ++run_head_;
    if (run_head_ >= 1024 && 2 * run_head_ >= run_.size()) {  // keeps the run as long as what waits
      run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(run_head_));
      run_head_ = 0;
    }
  } else {
    std::ranges::pop_heap(heap_, kLater);
    heap_.pop_back();
  }
}

void WaitQueue::drop_stale(const JobSlots& jobs) {
  for (const Waiting* first = least();
       first != nullptr && jobs[first->slot].line_stamp != first->stamp; first = least())
    pop();
}

WaitLine::Class& WaitLine::class_of(int gpus) {
  if (!by_size_) gpus = 0;
  const auto found = std::ranges::lower_bound(classes_, gpus, {}, &Class::gpus);
  if (found != classes_.end() && found->gpus == gpus) return *found;
  return *classes_.insert(found, Class{.gpus = gpus, .open = false, .queue = {}});
}

void WaitLine::push(const JobSlots& jobs, Slot slot, const Place& place) {
  Class& mine = class_of(jobs[slot].gpus());
  const Waiting* first = mine.open ? nullptr : mine.queue.front(jobs);
  if (first == nullptr || place < first->place) mine.open = true;
  mine.queue.push({.place = place, .slot = slot, .stamp = jobs[slot].line_stamp});
}

const Waiting* WaitLine::first_open(const JobSlots& jobs, int below) {
  const Waiting* best = nullptr;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (!classes_[i].open || classes_[i].gpus >= below) continue;
    const Waiting* first = classes_[i].queue.front(jobs);
    if (first == nullptr) {
      classes_[i].open = false;
    } else if (best == nullptr || first->place < best->place) {
      best = first;
      shown_ = i;
    }
  }
  return best;
}

void WaitLine::pop_first() {
  classes_[shown_].queue.pop();
}

void WaitLine::close_from(int gpus) {
  for (Class& one : classes_)
    if (!by_size_ || one.gpus >= gpus) one.open = false;
}

void WaitLine::open_all() {
  for (Class& one : classes_) one.open = true;
}

void WaitLine::open_from(const JobSlots& jobs, const Place& place) {
  for (Class& one : classes_) {
    if (one.open) continue;
    const Waiting* first = one.queue.front(jobs);
    if (first != nullptr && !(first->place < place)) one.open = true;
  }
}

}  // namespace orrery::gang
