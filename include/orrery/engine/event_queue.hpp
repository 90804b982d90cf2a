// The future: a 4-ary heap of 16-byte events in their total order (time, kind, subject, stamp).
#pragma once

#include "orrery/engine/event.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  SimTime next_time() const { return heap_.empty() ? kNever : unpack_time(heap_.front()); }
  EventKind next_kind() const { return {static_cast<std::uint8_t>(heap_.front() >> 56)}; }
  void push(const Event& event);
  Event pop();

 private:
  using Packed = unsigned __int128;  // time, kind, subject, stamp: one comparison orders two events
  static SimTime unpack_time(Packed p) { return at(Duration{static_cast<std::int64_t>(p >> 64)}); }
  std::vector<Packed> heap_;
};

inline void EventQueue::push(const Event& event) {
  const Packed packed = (static_cast<Packed>(micros(event.time)) << 64) |
                        (static_cast<std::uint64_t>(event.kind.code) << 56) |
                        (static_cast<std::uint64_t>(event.subject) << 24) |
                        (event.stamp & Event::kStampMask);
  std::size_t i = heap_.size();
  heap_.push_back(packed);
  while (i > 0) {
    const std::size_t parent = (i - 1) / 4;
    if (heap_[parent] <= packed) break;
    heap_[i] = heap_[parent];
    i = parent;
  }
  heap_[i] = packed;
}

inline Event EventQueue::pop() {
  const Packed first = heap_.front();
  const Packed last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size > 0) {
    std::size_t i = 0;
    for (;;) {
      const std::size_t child = 4 * i + 1;
      if (child >= size) break;
      std::size_t least = child;
      const std::size_t end = child + 4 < size ? child + 4 : size;
      for (std::size_t c = child + 1; c < end; ++c) least = heap_[c] < heap_[least] ? c : least;
      if (last <= heap_[least]) break;
      heap_[i] = heap_[least];
      i = least;
    }
    heap_[i] = last;
  }
  const auto low = static_cast<std::uint64_t>(first);
  return {.time = unpack_time(first),
          .kind = {static_cast<std::uint8_t>(low >> 56)},
          .subject = static_cast<std::uint32_t>(low >> 24),
          .stamp = static_cast<std::uint32_t>(low) & Event::kStampMask};
}

}  // namespace orrery
