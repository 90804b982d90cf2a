// Rows of our CSV files: fields appended to one buffer, without a locale.
#pragma once

#include "orrery/base/time.hpp"
#include "orrery/engine/recorder.hpp"

#include <charconv>
#include <concepts>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// An integer with up to six decimals: micros / 10^6, also past 64 bits.
std::string wide_seconds_text(GpuTime::Wide micros);

class CsvRow {
 public:
  CsvRow() : bytes_(kFirstSize) {}

  /// Bytes as they are; in quotes where a reader would misread them otherwise.
  CsvRow& text(std::string_view field) {
    char* at = room(2 * field.size() + 3);
    if (is_plain(field)) {
      used_ += copy(at, field);
      return *this;
    }
    char* const begin = at;
    *at++ = '"';
    for (const char c : field) {
      if (c == '"') *at++ = '"';
      *at++ = c;
    }
    *at++ = '"';
    used_ += static_cast<std::size_t>(at - begin);
    return *this;
  }
  template <std::integral Number>
  CsvRow& number(Number value) {
    return written(room(kNumber),
                   [&](char* at) { return std::to_chars(at, at + kNumber, value).ptr; });
  }
  /// The shortest text that reads back as the same number; nothing for no value.
  CsvRow& number(std::optional<double> value) {
    if (!value) return empty();
    return written(room(kNumber),
                   [&](char* at) { return std::to_chars(at, at + kNumber, *value).ptr; });
  }
  CsvRow& seconds(Duration value) {
    char* at = room(kNumber);
    if (value == Duration::zero()) {  // most waits
      *at = '0';
      ++used_;
      return *this;
    }
    return written(at, [&](char* begin) { return write_seconds(begin, value); });
  }
  CsvRow& seconds(const std::optional<Duration>& value) {
    return value ? seconds(*value) : empty();
  }
  CsvRow& seconds(SimTime value) {
    return value == kNever ? empty() : seconds(value.time_since_epoch());
  }
  CsvRow& wide_seconds(GpuTime::Wide micros) {
    if (micros >= 0 && micros <= std::numeric_limits<std::int64_t>::max())
      return seconds(Duration{static_cast<std::int64_t>(micros)});
    return text(wide_seconds_text(micros));
  }
  CsvRow& empty() {
    room(0);
    return *this;
  }
  /// Ends the row.
  void end() {
    bytes_[used_++] = '\n';
    first_ = true;
  }
  std::string_view buffer() const { return {bytes_.data(), used_}; }
  void clear() { used_ = 0; }

 private:
  static constexpr std::size_t kFirstSize = std::size_t{1} << 17, kNumber = 32;

  /// Puts the comma and makes room for so many bytes and an end of row; the place to write them.
  char* room(std::size_t size) {
    if (bytes_.size() - used_ < size + 2) bytes_.resize(2 * bytes_.size() + size);
    if (!first_) bytes_[used_++] = ',';
    first_ = false;
    return bytes_.data() + used_;
  }
  template <class Write>
  CsvRow& written(char* at, Write write) {
    used_ += static_cast<std::size_t>(write(at) - at);
    return *this;
  }
  static std::size_t copy(char* at, std::string_view field) {
    std::memcpy(at, field.data(), field.size());
    return field.size();
  }
  static bool is_plain(std::string_view field) {
    for (const char c : field)
      if (c == ',' || c == '"' || c == '\n' || c == '\r') return false;
    return field.empty() || (field.front() != ' ' && field.back() != ' ');
  }

  std::vector<char> bytes_;
  std::size_t used_ = 0;
  bool first_ = true;
};

}  // namespace orrery
