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
  void rise(std::size_t i, Packed packed);
  static SimTime unpack_time(Packed p) { return at(Duration{static_cast<std::int64_t>(p >> 64)}); }
  std::vector<Packed> heap_;
};

inline void EventQueue::push(const Event& event) {
  const Packed packed = (static_cast<Packed>(micros(event.time)) << 64) |
                        (static_cast<std::uint64_t>(event.kind.code) << 56) |
                        (static_cast<std::uint64_t>(event.subject) << 24) |
                        (event.stamp & Event::kStampMask);
  heap_.push_back(packed);
  rise(heap_.size() - 1, packed);
}

/// Puts `packed` at its place above the hole at `i`.
inline void EventQueue::rise(std::size_t i, Packed packed) {
  Packed* const heap = heap_.data();
  while (i > 0) {
    const std::size_t parent = (i - 1) / 4;
    if (heap[parent] <= packed) break;
    heap[i] = heap[parent];
    i = parent;
  }
  heap[i] = packed;
}

/// The hole at the root sinks to a leaf along the least children; the last event, which nearly
/// always belongs down there, rises from it.
inline Event EventQueue::pop() {
  const Packed first = heap_.front();
  const Packed last = heap_.back();
  heap_.pop_back();
  Packed* const heap = heap_.data();
  const std::size_t size = heap_.size();
  if (size > 0) {
    std::size_t i = 0;
    std::size_t child = 1;
    for (; child + 4 <= size; child = 4 * i + 1) {
      const std::size_t left = child + static_cast<std::size_t>(heap[child + 1] < heap[child]);
      const std::size_t right =
          child + 2 + static_cast<std::size_t>(heap[child + 3] < heap[child + 2]);
      const std::size_t least = heap[right] < heap[left] ? right : left;
      heap[i] = heap[least];
      i = least;
    }
    if (child < size) {
      std::size_t least = child;
      for (std::size_t c = child + 1; c < size; ++c) least = heap[c] < heap[least] ? c : least;
      heap[i] = heap[least];
      i = least;
    }
    rise(i, last);
  }
  const auto low = static_cast<std::uint64_t>(first);
  return {.time = unpack_time(first),
          .kind = {static_cast<std::uint8_t>(low >> 56)},
          .subject = static_cast<std::uint32_t>(low >> 24),
          .stamp = static_cast<std::uint32_t>(low) & Event::kStampMask};
}

}  // namespace orrery
