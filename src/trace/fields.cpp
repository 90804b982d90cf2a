#include "trace/fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace orrery {
namespace {

bool equal_any_case(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() &&
         std::equal(a.begin(), a.end(), lower.begin(), [](char x, char l) {
           return (x >= 'A' && x <= 'Z' ? static_cast<char>(x + 32) : x) == l;
         });
}

bool digits(const char* text, int count) {
  return std::all_of(text, text + count, [](char c) { return c >= '0' && c <= '9'; });
}
int two(const char* text) {
  return (text[0] - '0') * 10 + (text[1] - '0');
}

constexpr std::int64_t kSecond = 1'000'000;

/// "Z", "+08:00", "-0800", "+08"; microseconds east of UTC.
std::optional<std::int64_t> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-') || !digits(text.data() + 1, 2))
    return std::nullopt;
  std::int64_t minutes = std::int64_t{60} * two(text.data() + 1);
  std::string_view rest = text.substr(3);
  if (rest.starts_with(':')) rest.remove_prefix(1);
  if (rest.size() == 2 && digits(rest.data(), 2)) {
    minutes += two(rest.data());
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  if (minutes > std::int64_t{18} * 60) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * minutes * 60 * kSecond;
}

}  // namespace

bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  constexpr std::array<std::string_view, 6> kWords{"none", "null", "nan", "na", "nat", "unknown"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return equal_any_case(text, word); });
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) return std::nullopt;
  if (stop == end) return value;
  if (*stop != '.' || stop + 1 == end) return std::nullopt;
  return std::all_of(stop + 1, end, [](char c) { return c == '0'; }) ? std::optional{value}
                                                                     : std::nullopt;
}

std::optional<std::int64_t> CalendarParser::day(const char* text) {
  std::uint64_t head = 0;
  std::uint16_t tail = 0;
  std::memcpy(&head, text, 8);
  std::memcpy(&tail, text + 8, 2);
  if (read_one_ && head == last_head_ && tail == last_tail_) return last_day_;
  if (!digits(text, 4) || text[4] != '-' || !digits(text + 5, 2) || text[7] != '-' ||
      !digits(text + 8, 2))
    return std::nullopt;
  const int year = two(text) * 100 + two(text + 2);
  const int month = two(text + 5);
  const int date = two(text + 8);
  if (month < 1 || month > 12 || date < 1) return std::nullopt;
  const std::int64_t first = days_from_civil(year, month, 1);
  const std::int64_t next =
      month == 12 ? days_from_civil(year + 1, 1, 1) : days_from_civil(year, month + 1, 1);
  if (first + date > next) return std::nullopt;  // no such day in that month
  read_one_ = true;
  last_head_ = head;
  last_tail_ = tail;
  last_day_ = first + date - 1;
  return last_day_;
}

std::optional<CalendarTime> CalendarParser::operator()(std::string_view text) {
  if (text.size() < 10) return std::nullopt;
  const auto date = day(text.data());
  if (!date) return std::nullopt;
  CalendarTime time{.micros = *date * 86'400 * kSecond, .zoned = false};
  if (text.size() == 10) return time;
  const char* c = text.data() + 10;
  if (text.size() < 19 || (*c != ' ' && *c != 'T') || !digits(c + 1, 2) || c[3] != ':' ||
      !digits(c + 4, 2) || c[6] != ':' || !digits(c + 7, 2))
    return std::nullopt;
  const int hour = two(c + 1);
  const int minute = two(c + 4);
  const int second = two(c + 7);
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
  time.micros += (hour * 3600 + minute * 60 + second) * kSecond;
  if (text.size() == 19) return time;
  std::string_view rest = text.substr(19);
  if (rest.starts_with('.')) {
    const auto end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    const auto fraction = parse_seconds(rest.substr(0, end));
    if (!fraction) return std::nullopt;
    time.micros += micros(*fraction);
    rest.remove_prefix(end);
  }
  if (rest.empty()) return time;
  const auto offset = parse_offset(rest);
  if (!offset) return std::nullopt;
  time.micros -= *offset;
  time.zoned = true;
  return time;
}

TraceStatus parse_status(std::string_view text) {
  struct Word {
    std::string_view word;
    TraceStatus status;
  };
  constexpr std::array kWords{
      Word{"completed", TraceStatus::completed}, Word{"pass", TraceStatus::completed},
      Word{"cancelled", TraceStatus::killed},    Word{"canceled", TraceStatus::killed},
      Word{"killed", TraceStatus::killed},       Word{"failed", TraceStatus::failed},
      Word{"timeout", TraceStatus::failed},      Word{"node_fail", TraceStatus::failed}};
  for (const Word& word : kWords)
    if (equal_any_case(text, word.word)) return word.status;
  return TraceStatus::unknown;
}

}  // namespace orrery
