#include "orrery/base/time.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace orrery {
namespace {

using Wide = unsigned __int128;
constexpr std::uint64_t kLongest = static_cast<std::uint64_t>(micros(kLongestTime));
constexpr std::int64_t kMicrosPerSecond = 1'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A decimal number taken apart without rounding: the digits of `whole` followed by those of
/// `fraction`, times ten to the `exponent`.
struct Decimal {
  bool negative = false;
  std::string_view whole, fraction;
  std::int64_t exponent = 0;
  char digit(std::size_t i) const {
    return i < whole.size() ? whole[i] : fraction[i - whole.size()];
  }
  std::size_t digits() const { return whole.size() + fraction.size(); }
};

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

/// The exponent's value; one that is too long to matter is cut to a billion either way.
std::optional<std::int64_t> take_exponent(std::string_view& text) {
  const bool negative = take_sign(text);
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) value = std::min<std::int64_t>(value * 10 + (c - '0'), 1'000'000'000);
  return negative ? -value : value;
}

std::optional<Decimal> take_apart(std::string_view text) {
  Decimal number;
  number.negative = take_sign(text);
  number.whole = take_digits(text);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    number.fraction = take_digits(text);
  }
  if (number.digits() == 0) return std::nullopt;
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    text.remove_prefix(1);
    const auto exponent = take_exponent(text);
    if (!exponent) return std::nullopt;
    number.exponent = *exponent;
  }
  if (!text.empty()) return std::nullopt;
  return number;
}

/// The digits [first, last) of the number as an integer, times ten to the `zeros`; kLongest + 1
/// when it is larger.
std::uint64_t whole_part(const Decimal& number, std::size_t last, std::int64_t zeros) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < last; ++i) {
    value = value * 10 + static_cast<std::uint64_t>(number.digit(i) - '0');
    if (value > kLongest) return kLongest + 1;
  }
  if (value == 0) return 0;
  for (; zeros > 0; --zeros) {
    value *= 10;
    if (value > kLongest) return kLongest + 1;
  }
  return value;
}

/// 0.000ddd (with `zeros` zeros before the digits from `first` on) times `unit`, to the nearest
/// integer, halves up. Multiplies from the last digit on, so nothing is lost however long it is.
std::uint64_t fraction_part(const Decimal& number, std::size_t first, std::int64_t zeros,
                            std::uint64_t unit) {
  std::uint64_t carry = 0;        // integer part of the product so far
  std::uint64_t first_place = 0;  // its first digit after the point
  for (std::size_t i = number.digits(); i > first; --i) {
    carry += static_cast<std::uint64_t>(number.digit(i - 1) - '0') * unit;
    first_place = carry % 10;
    carry /= 10;
  }
  for (; zeros > 0; --zeros) {
    if (carry == 0 && zeros > 1) return 0;
    first_place = carry % 10;
    carry /= 10;
  }
  return carry + (first_place >= 5 ? 1 : 0);
}

struct Unit {
  std::string_view name;
  std::int64_t micros;
};
constexpr std::array<Unit, 6> kUnits{{{"us", 1},
                                      {"ms", 1'000},
                                      {"s", kMicrosPerSecond},
                                      {"m", 60 * kMicrosPerSecond},
                                      {"h", 3'600 * kMicrosPerSecond},
                                      {"d", 86'400 * kMicrosPerSecond}}};

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

/// Below ten seconds: to the millisecond, or to the microsecond when that would read 0.
std::string short_duration(std::uint64_t micros) {
  const std::uint64_t shown = micros >= 1'000 ? micros / 1'000 * 1'000 : micros;
  return seconds_text(Duration{static_cast<std::int64_t>(shown)}) + " s";
}

}  // namespace

Duration duration_rounded_up(double seconds) {
  if (std::isnan(seconds)) throw Fault("fault in Orrery: a duration is not a number");
  const double longest = static_cast<double>(kLongest);
  return Duration{
      static_cast<std::int64_t>(std::ceil(std::clamp(seconds * 1e6, -longest, longest)))};
}

std::optional<Duration> parse_decimal(std::string_view text, Duration unit) {
  const auto number = take_apart(text);
  if (!number) return std::nullopt;
  // Digits before the point once the exponent has moved it; may lie outside the digits.
  const std::int64_t point = static_cast<std::int64_t>(number->whole.size()) + number->exponent;
  const auto digits = static_cast<std::int64_t>(number->digits());
  const auto split = static_cast<std::size_t>(std::clamp<std::int64_t>(point, 0, digits));
  const auto unit_micros = static_cast<std::uint64_t>(micros(unit));

  const Wide whole = Wide{whole_part(*number, split, point - digits)} * unit_micros;
  const Wide total = whole + fraction_part(*number, split, -point, unit_micros);
  const auto value = static_cast<std::int64_t>(total > kLongest ? Wide{kLongest + 1} : total);
  return Duration{number->negative ? -value : value};
}

std::optional<Duration> parse_seconds(std::string_view text) {
  return parse_decimal(text, Duration{kMicrosPerSecond});
}

std::optional<Duration> parse_duration(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && text[end - 1] >= 'a' && text[end - 1] <= 'z') --end;
  const std::string_view suffix = text.substr(end);
  if (suffix.empty()) return parse_seconds(text);
  const auto unit = std::ranges::find(kUnits, suffix, &Unit::name);
  if (unit == kUnits.end()) return std::nullopt;
  return parse_decimal(text.substr(0, end), Duration{unit->micros});
}

char* write_seconds(char* out, Duration d) {
  const std::uint64_t value = magnitude(d.count());
  if (d.count() < 0) *out++ = '-';
  out = std::to_chars(out, out + 20, value / kMicrosPerSecond).ptr;
  auto fraction = static_cast<std::uint32_t>(value % kMicrosPerSecond);
  if (fraction == 0) return out;
  int places = 6;
  for (; fraction % 10 == 0; fraction /= 10) --places;
  *out = '.';
  for (int i = places; i > 0; --i, fraction /= 10) out[i] = static_cast<char>('0' + fraction % 10);
  return out + 1 + places;
}

std::string seconds_text(Duration d) {
  std::array<char, 24> buffer;
  return {buffer.data(), write_seconds(buffer.data(), d)};
}

std::string human_duration(Duration d) {
  const std::uint64_t value = magnitude(d.count());
  const std::string sign = d.count() < 0 ? "-" : "";
  const std::uint64_t s = value / kMicrosPerSecond;
  const std::uint64_t m = s / 60, h = m / 60, days = h / 24;
  if (days > 0) return fmt::format("{}{} d {:02} h", sign, days, h % 24);
  if (h > 0) return fmt::format("{}{} h {:02} m", sign, h, m % 60);
  if (m > 0) return fmt::format("{}{} m {:02} s", sign, m, s % 60);
  if (s >= 10) return fmt::format("{}{} s", sign, s);
  return sign + short_duration(value);
}

std::string duration_text(Duration d) {
  if (d.count() == 0) return "0s";
  const auto unit = std::find_if(kUnits.rbegin(), kUnits.rend(),
                                 [&](const Unit& u) { return d.count() % u.micros == 0; });
  return fmt::format("{}{}", d.count() / unit->micros, unit->name);
}

std::int64_t days_from_civil(int year, int month, int day) {
  // Years begin in March here, so that the leap day is the last of its year (Hinnant's algorithm).
  const std::int64_t y = std::int64_t{year} - (month <= 2 ? 1 : 0);
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

std::string calendar_text(std::int64_t micros_since_1970) {
  using std::chrono::floor;
  const std::chrono::sys_time<Duration> instant{Duration{micros_since_1970}};
  const auto midnight = floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date{midnight};
  const std::chrono::hh_mm_ss time{floor<std::chrono::seconds>(instant - midnight)};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace orrery
