// Work that is done at a rate which may change at any event. Progress is piecewise linear and
// exact.
#pragma once

#include "orrery/base/check.hpp"
#include "orrery/base/time.hpp"
#include "orrery/models/rate.hpp"

#include <cstdint>

namespace orrery {

/// Progress in microseconds of reference work and 2^20ths of one: (whole, part) with 0 <= part <
/// 2^20.
struct Progress {
  std::int64_t whole = 0;
  std::uint32_t part = 0;
  friend constexpr auto operator<=>(const Progress&, const Progress&) = default;
};

/// Work left and the rate at which it is done, since the instant it last changed. Re-rating it,
/// however often, never changes its end: progress is kept exactly, and only the end is rounded, up,
/// once.
class Activity {
 public:
  Activity() = default;
  explicit Activity(Duration work) : work_{micros(work)} {}

  Duration work() const { return Duration{work_}; }
  Rate rate() const { return rate_; }

  Progress progress(SimTime now) const {
    if (rate_ == 0) return progress_;
    const std::int64_t elapsed = micros(now) - since_;
    if (rate_ == kFullRate) return {progress_.whole + elapsed, progress_.part};
    const auto done = static_cast<unsigned __int128>(elapsed) * rate_ + progress_.part;
    return {progress_.whole + static_cast<std::int64_t>(done >> 20),
            static_cast<std::uint32_t>(done) & (kFullRate - 1)};
  }

  /// From `now` on work is done at `rate` (0: not at all).
  void set_rate(SimTime now, Rate rate) {
    progress_ = progress(now);
    since_ = micros(now);
    rate_ = rate;
  }

  /// The instant at which the work is done if nothing changes, rounded up to a microsecond; kNever
  /// at rate 0.
  SimTime done_at() const {
    if (progress_.whole >= work_) return at(Duration{since_});
    if (rate_ == 0) return kNever;
    if (rate_ == kFullRate && progress_.part == 0)
      return at(Duration{since_ + work_ - progress_.whole});
    const auto left =
        (static_cast<unsigned __int128>(work_ - progress_.whole) << 20) - progress_.part;
    return at(Duration{since_ + static_cast<std::int64_t>((left + rate_ - 1) / rate_)});
  }

 private:
  std::int64_t work_ = 0, since_ = 0;
  Progress progress_;
  Rate rate_ = 0;
};

}  // namespace orrery
