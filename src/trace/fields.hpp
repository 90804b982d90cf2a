// Values of trace files: numbers, times in their several spellings, words for "nothing", states.
#pragma once

#include "orrery/base/time.hpp"
#include "orrery/workload/truth.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery {

/// Empty, None, null, nan, NA, NaT, Unknown: the value is missing.
bool is_missing(std::string_view text);

/// A whole number of at most 64 bits; "8.0" counts as 8.
std::optional<std::int64_t> parse_whole(std::string_view text);

struct CalendarTime {
  std::int64_t micros = 0;  ///< since 1970-01-01 00:00:00, in UTC when zoned, else naive
  bool zoned = false;
};

/// "2017-10-07", "2017-10-07 01:00:10[.25]" or with T; then perhaps Z or +08:00. Remembers the day
/// of the last date, since neighbouring rows share it.
class CalendarParser {
 public:
  std::optional<CalendarTime> operator()(std::string_view text);

 private:
  std::optional<std::int64_t> day(const char* text);
  bool read_one_ = false;
  std::uint64_t last_head_ = 0;  // the ten characters of the last date
  std::uint16_t last_tail_ = 0;
  std::int64_t last_day_ = 0;
};

/// Whether a text looks like a date rather than a number of seconds.
inline bool looks_like_date(std::string_view text) {
  return text.size() >= 10 && text[4] == '-' && text[7] == '-';
}

/// The states of Philly, Slurm (Helios) and our own csv, in any case; anything else is unknown.
TraceStatus parse_status(std::string_view text);

}  // namespace orrery
