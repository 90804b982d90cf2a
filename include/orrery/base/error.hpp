// The errors that carry an exit code. Libraries throw them and never print; main catches them once.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Bad input data (exit code 3). Each line of what() is "file:line:column: what was expected, got
/// what".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bad settings or usage (exit code 2).
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The machine would not do it: disk full, permission, missing folder (exit code 4).
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A broken promise of the program or of a policy (exit code 5); what() says whose.
class Fault : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Faults of one file, gathered up to a limit and thrown together as one InputError.
class ErrorList {
 public:
  static constexpr std::size_t kLimit = 20;
  explicit ErrorList(std::string file) : file_{std::move(file)} {}
  /// Adds "file:line:column: message" (line and column from 1; 0 leaves them out) and throws when
  /// the list is full.
  void add(std::size_t line, std::size_t column, std::string_view message);
  bool empty() const { return lines_.empty(); }
  std::size_t size() const { return lines_.size(); }
  /// Throws one InputError with every line, if there is any.
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<std::string> lines_;
};

/// Text from data made safe for a message or a terminal: quoted, control codes and broken UTF-8 as
/// \xNN, cut at `limit` bytes.
std::string quote(std::string_view text, std::size_t limit = 60);
/// The same without the quotes, for table cells.
std::string printable(std::string_view text, std::size_t limit = 200);

/// The word of `known` nearest to `word` by edit distance, or empty when none is near enough to be
/// a typing slip.
std::string nearest(std::string_view word, const std::vector<std::string>& known);
/// " (did you mean 'srtf'?)" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace orrery
