// One thing that will happen, 16 bytes. Modules register their kinds; within an instant kinds go by
// rank, then by subject.
#pragma once

#include "orrery/base/time.hpp"

#include <compare>
#include <cstdint>

namespace orrery {

/// What comes first within an instant. Arrivals stand beside the queue, in a cursor, at their own
/// rank.
enum class Rank : std::uint8_t {
  completion,
  repair,
  capacity,
  failure,
  arrival,
  timer,
  quantum,
  round
};

/// A registered kind: its rank and a number inside the rank.
struct EventKind {
  std::uint8_t code = 0;
  static constexpr EventKind of(Rank rank, unsigned number) {
    return {static_cast<std::uint8_t>((static_cast<unsigned>(rank) << 4) | number)};
  }
  constexpr Rank rank() const { return static_cast<Rank>(code >> 4); }
  friend constexpr auto operator<=>(EventKind, EventKind) = default;
};

struct Event {
  static constexpr std::uint32_t kStampMask = (1U << 24) - 1;
  SimTime time;
  EventKind kind;
  std::uint32_t subject = 0;  ///< a JobId, a PoolId, ...: the module that owns the kind knows
  std::uint32_t stamp = 0;    ///< an event whose subject has moved on since is dropped; 24 bits
};

}  // namespace orrery
