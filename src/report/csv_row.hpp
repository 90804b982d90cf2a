// Rows of our CSV files: fields appended to one buffer, without a locale.
#pragma once

#include "orrery/base/time.hpp"
#include "orrery/engine/recorder.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

class CsvRow {
 public:
  /// Bytes as they are; in quotes where a reader would misread them otherwise.
  CsvRow& text(std::string_view field) {
    comma();
    if (field.find_first_of(",\"\r\n") == std::string_view::npos &&
        (field.empty() || (field.front() != ' ' && field.back() != ' '))) {
      row_ += field;
      return *this;
    }
    row_ += '"';
    for (const char c : field) {
      if (c == '"') row_ += '"';
      row_ += c;
    }
    row_ += '"';
    return *this;
  }
  template <std::integral Number>
  CsvRow& number(Number value) {
    comma();
    std::array<char, 24> digits;
    row_.append(digits.data(),
                std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    return *this;
  }
  /// The shortest text that reads back as the same number; nothing for no value.
  CsvRow& number(std::optional<double> value) {
    comma();
    if (!value) return *this;
    std::array<char, 32> digits;
    row_.append(digits.data(),
                std::to_chars(digits.data(), digits.data() + digits.size(), *value).ptr);
    return *this;
  }
  CsvRow& seconds(std::optional<Duration> value) {
    comma();
    if (!value) return *this;
    std::array<char, 24> digits;
    row_.append(digits.data(), write_seconds(digits.data(), *value));
    return *this;
  }
  CsvRow& seconds(SimTime value) {
    return seconds(value == kNever ? std::nullopt : std::optional{value.time_since_epoch()});
  }
  CsvRow& wide_seconds(GpuTime::Wide micros);
  CsvRow& empty() {
    comma();
    return *this;
  }
  /// Ends the row.
  void end() {
    row_ += '\n';
    first_ = true;
  }
  const std::string& buffer() const { return row_; }
  void clear() { row_.clear(); }

 private:
  void comma() {
    if (!first_) row_ += ',';
    first_ = false;
  }
  std::string row_;
  bool first_ = true;
};

/// An integer with up to six decimals: micros / 10^6, also past 64 bits.
std::string wide_seconds_text(GpuTime::Wide micros);

inline CsvRow& CsvRow::wide_seconds(GpuTime::Wide micros) {
  if (micros <= std::numeric_limits<std::int64_t>::max() && micros >= 0)
    return seconds(Duration{static_cast<std::int64_t>(micros)});
  comma();
  row_ += wide_seconds_text(micros);
  return *this;
}

}  // namespace orrery
