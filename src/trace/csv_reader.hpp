// Rows of comma-separated values with their positions: CR LF, quotes and blank lines are
// understood; fields are views.
#pragma once

#include "trace/text_input.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

class CsvReader {
 public:
  CsvReader(TextInput& input, const ReadLimits& limits);

  /// The next row that is not blank; false at the end. Views live until the next call. Throws
  /// InputError past a limit or for a quote that is never closed.
  bool next();
  std::span<const std::string_view> fields() const { return fields_; }
  std::size_t line() const { return line_; }
  /// Where a field begins in its line, in bytes from 1.
  std::size_t column(std::size_t field) const;

 private:
  bool next_line(std::string_view& line);
  bool split(std::string_view line);
  void split_quoted(std::string_view line);
  bool refill();
  [[noreturn]] void fail(std::size_t column, const std::string& message) const;

  TextInput* input_;
  ReadLimits limits_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
  std::size_t line_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<std::size_t> columns_;  // of a row with quotes; else empty
  std::string_view row_;
  std::string unquoted_;
};

}  // namespace orrery
