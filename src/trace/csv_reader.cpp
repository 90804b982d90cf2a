#include "trace/csv_reader.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace orrery {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

/// 0x80 in each byte of `word` that equals `byte`; exact for every byte.
constexpr std::uint64_t bytes_equal(std::uint64_t word, char byte) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL, kLow = 0x7f7f7f7f7f7f7f7fULL;
  const std::uint64_t x = word ^ (kOnes * static_cast<unsigned char>(byte));
  return ~(((x & kLow) + kLow) | x | kLow);
}

}  // namespace

CsvReader::CsvReader(TextInput& input, const ReadLimits& limits)
    : input_{&input}, limits_{limits}, buffer_(2 * kBlock) {}

bool CsvReader::refill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() - end_ < kBlock) buffer_.resize(end_ + kBlock);
  const std::size_t count = input_->read(buffer_.data() + end_, kBlock);
  end_ += count;
  at_end_ = count == 0;
  return !at_end_;
}

bool CsvReader::next_line(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* from = buffer_.data() + begin_ + searched;
    const auto* newline =
        static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - searched));
    if (newline != nullptr) {
      line = {buffer_.data() + begin_, static_cast<std::size_t>(newline - buffer_.data()) - begin_};
      begin_ += line.size() + 1;
      break;
    }
    searched = end_ - begin_;
    if (searched > limits_.longest_line) {
      ++line_;
      fail(0, fmt::format("the line is longer than the limit of {} bytes", limits_.longest_line));
    }
    if (refill()) continue;
    if (begin_ == end_) return false;
    line = {buffer_.data() + begin_, end_ - begin_};
    begin_ = end_;
    break;
  }
  ++line_;
  if (line.size() > limits_.longest_line)
    fail(0, fmt::format("the line is longer than the limit of {} bytes", limits_.longest_line));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

bool CsvReader::next() {
  std::string_view line;
  while (next_line(line)) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    row_ = line;
    columns_.clear();
    fields_.clear();
    if (!split(line)) split_quoted(line);
    if (fields_.size() > limits_.most_fields)
      fail(0, fmt::format("{} fields, more than the limit of {}", fields_.size(),
                          limits_.most_fields));
    return true;
  }
  return false;
}

/// Splits at commas, eight bytes at a time; false, with fields left over, at the first quote.
bool CsvReader::split(std::string_view line) {
  const char* field = line.data();
  const char* const end = line.data() + line.size();
  const auto end_field = [&](const char* comma) {
    fields_.emplace_back(field, static_cast<std::size_t>(comma - field));
    field = comma + 1;
  };
  const char* c = field;
  for (; end - c >= 8; c += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, c, 8);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    if (bytes_equal(word, '"') != 0) return false;
    for (std::uint64_t commas = bytes_equal(word, ','); commas != 0; commas &= commas - 1)
      end_field(c + std::countr_zero(commas) / 8);
  }
  for (; c != end; ++c) {
    if (*c == '"') return false;
    if (*c == ',') end_field(c);
  }
  end_field(end);
  return true;
}

/// A row with quoted fields: "" inside quotes is one quote; a quoted field ends at a comma or at
/// the end of the line.
void CsvReader::split_quoted(std::string_view line) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());
  std::size_t i = 0;
  for (;;) {
    columns_.push_back(i + 1);
    const std::size_t start = unquoted_.size();
    if (i < line.size() && line[i] == '"') {
      for (++i;; ++i) {
        if (i >= line.size()) fail(columns_.back(), "the quoted field is never closed");
        if (line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"')
          ++i;
        else if (line[i] == '"')
          break;
        unquoted_ += line[i];
      }
      ++i;
      if (i < line.size() && line[i] != ',') fail(i + 1, "a comma must follow a quoted field");
    } else {
      for (; i < line.size() && line[i] != ','; ++i) unquoted_ += line[i];
    }
    fields_.emplace_back(unquoted_.data() + start, unquoted_.size() - start);
    if (i >= line.size()) return;
    ++i;
  }
}

std::size_t CsvReader::column(std::size_t field) const {
  if (field >= fields_.size()) return row_.size() + 1;
  if (!columns_.empty()) return columns_[field];
  return static_cast<std::size_t>(fields_[field].data() - row_.data()) + 1;
}

void CsvReader::fail(std::size_t column, const std::string& message) const {
  ErrorList errors{input_->name()};
  errors.add(line_, column, message);
  errors.throw_if_any();
  throw InputError(message);  // not reached: the list has an error
}

}  // namespace orrery
