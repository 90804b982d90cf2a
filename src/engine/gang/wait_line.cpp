#include "engine/gang/wait_line.hpp"

#include <algorithm>

namespace orrery::gang {
namespace {

constexpr auto kLater = [](const Waiting& a, const Waiting& b) { return b.place < a.place; };

}  // namespace

void WaitQueue::push_heap(const Waiting& entry) {
  heap_.push_back(entry);
  std::ranges::push_heap(heap_, kLater);
}

void WaitQueue::pop_heap() {
  std::ranges::pop_heap(heap_, kLater);
  heap_.pop_back();
}

void WaitQueue::forget_taken() {
  run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(run_head_));
  run_head_ = 0;
}

WaitLine::Class& WaitLine::add_class(int gpus) {
  const auto after = std::ranges::upper_bound(classes_, gpus, {}, &Class::gpus);
  return *classes_.insert(after, Class{.gpus = gpus, .open = false, .queue = {}});
}

}  // namespace orrery::gang
