// A CSV trace with a header: which column holds what, and typed values of a row with faults told by
// position.
#pragma once

#include "trace/collector.hpp"
#include "trace/csv_reader.hpp"
#include "trace/fields.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// What a column means to us and the names it may have, the preferred one first.
struct ColumnNames {
  std::string_view role;
  std::vector<std::string_view> names;
  bool required = false;
};

class Table {
 public:
  /// Reads the header. `options.map` overrides names by role. Throws InputError when a required
  /// column is missing and UsageError when --map names an unknown role or a column that is not
  /// there.
  Table(TextInput& input, const LoadOptions& options, const std::vector<ColumnNames>& columns,
        Collector& collector);

  bool next() { return reader_.next(); }
  std::size_t line() const { return reader_.line(); }
  bool has(std::size_t role) const { return at_[role] != kAbsent; }
  /// The trimmed text of a role's field; empty when the column is absent.
  std::string_view text(std::size_t role) const;
  /// Faults the row when it has another number of fields than the header.
  bool check_width();

  // Values; nothing and a fault when the text is not one. Missing values are the caller's business:
  // see is_missing().
  std::optional<std::int64_t> whole(std::size_t role, std::int64_t least, std::int64_t most);
  /// Seconds as microseconds.
  std::optional<Duration> duration(std::size_t role);
  /// A time as microseconds since 1970 (calendar) or the origin; the first one read decides which,
  /// for all.
  std::optional<SimTime> time(std::size_t role);

  void fault(std::size_t role, std::string_view rule);
  std::size_t column(std::size_t role) const { return reader_.column(at_[role]); }
  const std::string& header_name(std::size_t role) const { return names_[role]; }
  /// Columns that no role took, in the order of the file.
  const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  static constexpr std::size_t kAbsent = ~std::size_t{0};
  enum class Times : std::uint8_t { undecided, relative, calendar };
  CsvReader reader_;
  Collector* collector_;
  std::vector<std::size_t> at_;
  std::vector<std::string> names_, ignored_;
  std::size_t width_ = 0;
  CalendarParser calendar_;
  Times times_ = Times::undecided;
  std::optional<bool> zoned_;  // by the first calendar time read
};

}  // namespace orrery
