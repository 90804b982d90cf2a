// Simulated time: whole microseconds from the trace's origin. Nothing in a run can read the wall
// clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

struct SimClock {};  // deliberately has no now()
using Duration = std::chrono::duration<std::int64_t, std::micro>;
using SimTime = std::chrono::time_point<SimClock, Duration>;  ///< since the trace's origin

/// Later than every instant of a run: "not yet", "no end known".
inline constexpr SimTime kNever{Duration{std::numeric_limits<std::int64_t>::max()}};

/// No time and no duration read from a file may pass this (about 9,100 years), so that a sum of a
/// submit time and a run time always fits, with room for waiting.
inline constexpr Duration kLongestTime{std::int64_t{1} << 58};

constexpr SimTime at(Duration since_origin) {
  return SimTime{since_origin};
}
constexpr std::int64_t micros(Duration d) {
  return d.count();
}
constexpr std::int64_t micros(SimTime t) {
  return t.time_since_epoch().count();
}
constexpr double seconds(Duration d) {
  return static_cast<double>(d.count()) / 1e6;
}

/// Smallest integer not below numerator / denominator; denominator > 0.
constexpr std::int64_t ceil_div(std::int64_t numerator, std::int64_t denominator) {
  return numerator / denominator + (numerator % denominator > 0 ? 1 : 0);
}

/// The one place where a floating-point number of seconds becomes time: rounded up to a
/// microsecond.
Duration duration_rounded_up(double seconds);

/// A decimal number of seconds ("12", "0.25", "-3", "2.5e6"), rounded once to the nearest
/// microsecond, halves away from zero. Empty when the text is not such a number; values past
/// kLongestTime come back as kLongestTime + 1 microsecond with their sign, so that the caller can
/// say "too large" rather than "not a number".
std::optional<Duration> parse_seconds(std::string_view text);

/// The same for a number in another unit, each `unit` long: parse_decimal("40822000000", 1us),
/// parse_decimal("0.6", 1ms).
std::optional<Duration> parse_decimal(std::string_view text, Duration unit);

/// What a user types for a duration: a number with one of us ms s m h d, or a bare number of
/// seconds.
std::optional<Duration> parse_duration(std::string_view text);

/// Seconds with at most six decimals and no trailing zeros: "0", "12.5", "-0.000001".
std::string seconds_text(Duration d);

/// The same text at `out`, which has room for 24 characters; returns the end.
char* write_seconds(char* out, Duration d);

/// The two largest units, the rest cut off: "4 h 49 m", "19 m 04 s", "117 d 14 h", "1.234 s" below
/// ten seconds when not whole.
std::string human_duration(Duration d);

/// A duration as settings spell it, in its largest whole unit: "6m", "3250s", "1500us".
std::string duration_text(Duration d);

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
std::int64_t days_from_civil(int year, int month, int day);

/// "2017-10-07 01:00:10" for microseconds since 1970-01-01 00:00:00, naive; fractions are cut off.
std::string calendar_text(std::int64_t micros_since_1970);

}  // namespace orrery
