#include "orrery/policy/spec.hpp"

#include "orrery/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace orrery {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void reject(const std::string& owner, const std::string& key, const std::string& rule,
                         const std::string& value) {
  throw UsageError(owner + ": " + key + " must be " + rule + ", got " + quote(value));
}

}  // namespace

const std::string* Options::find(const std::string& key) const {
  asked_.insert(key);
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

Duration Options::duration(const std::string& key, Duration fallback) const {
  const std::string* text = find(key);
  if (text == nullptr) return fallback;
  const auto value = parse_duration(*text);
  if (!value || *value <= Duration::zero() || *value > kLongestTime)
    reject(owner_, key, "a duration above zero such as 6m or 3250s", *text);
  return *value;
}

std::vector<Duration> Options::durations(const std::string& key,
                                         std::vector<Duration> fallback) const {
  const std::string* text = find(key);
  if (text == nullptr) return fallback;
  std::vector<Duration> values;
  for (const std::string_view part : split(*text, '/')) {
    const auto value = parse_duration(part);
    if (!value || *value > kLongestTime ||
        *value <= (values.empty() ? Duration::zero() : values.back()))
      reject(owner_, key, "ascending durations above zero joined by /, such as 3250s/7200s", *text);
    values.push_back(*value);
  }
  return values;
}

std::int64_t Options::integer(const std::string& key, std::int64_t fallback) const {
  const std::string* text = find(key);
  if (text == nullptr) return fallback;
  const auto value = parse_number<std::int64_t>(*text);
  if (!value) reject(owner_, key, "a whole number", *text);
  return *value;
}

double Options::number(const std::string& key, double fallback) const {
  const std::string* text = find(key);
  if (text == nullptr) return fallback;
  const auto value = parse_number<double>(*text);
  if (!value || !std::isfinite(*value)) reject(owner_, key, "a number", *text);
  return *value;
}

std::string Options::word(const std::string& key, const std::vector<std::string>& allowed,
                          const std::string& fallback) const {
  const std::string* text = find(key);
  if (text == nullptr) return fallback;
  if (std::ranges::find(allowed, *text) == allowed.end()) {
    std::string list;
    for (const std::string& one : allowed) list += (list.empty() ? "" : ", ") + one;
    throw UsageError(owner_ + ": " + key + " must be one of " + list + ", got " + quote(*text) +
                     did_you_mean(*text, allowed));
  }
  return *text;
}

void Options::check_all_used() const {
  for (const auto& [key, value] : values_) {
    if (asked_.contains(key)) continue;
    const std::vector<std::string> known{asked_.begin(), asked_.end()};
    throw UsageError(owner_ + " has no option " + quote(key) + did_you_mean(key, known));
  }
}

Spec parse_spec(std::string_view text, std::string_view positional) {
  Spec spec{.text = std::string{text}, .name = {}, .values = {}};
  const auto colon = text.find(':');
  spec.name = std::string{text.substr(0, colon)};
  if (spec.name.empty())
    throw UsageError("a policy or placement needs a name before its options, got " + quote(text));
  if (colon == std::string_view::npos) return spec;
  bool first = true;
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    const auto equals = part.find('=');
    std::string key{part.substr(0, equals)};
    std::string value{equals == std::string_view::npos ? std::string_view{}
                                                       : part.substr(equals + 1)};
    if (equals == std::string_view::npos && first && !positional.empty()) {
      value = std::exchange(key, std::string{positional});
    } else if (equals == std::string_view::npos || key.empty() || value.empty()) {
      throw UsageError(spec.name + ": an option is key=value, got " + quote(part));
    }
    if (!spec.values.emplace(key, value).second)
      throw UsageError(spec.name + ": option " + quote(key) + " is given twice");
    first = false;
  }
  return spec;
}

}  // namespace orrery
