// A run's summary, or several side by side, as text for a terminal, as JSON and as CSV.
#pragma once

#include "orrery/metrics/summary.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// What stands above the numbers: which run they are of. The texts may come from data.
struct RunTitle {
  std::string version, trace, format, cluster, policy, placement;
  std::uint64_t seed = 1;
};

/// "82,247"
std::string grouped(std::uint64_t number);
/// Sixteen hexadecimal digits.
std::string fingerprint_text(std::uint64_t fingerprint);

/// The table that `orrery run` prints.
std::string summary_text(const RunTitle& title, const Summary& summary);
/// summary.json: null where a number is undefined.
std::string summary_json(const Summary& summary);
inline constexpr int kSummarySchema = 1;

/// One policy of a comparison.
struct CompareRow {
  std::string policy;
  Summary summary;
};
/// Several policies over the jobs that finished under every one of them.
struct Comparison {
  RunTitle title;              ///< policy stays empty
  std::uint64_t jobs = 0;      ///< compared
  std::uint64_t left_out = 0;  ///< replayed, but not finished under every policy
  std::vector<CompareRow> rows;
  /// Change of the mean JCT against the first row: -0.25 is a quarter shorter.
  std::optional<double> change(std::size_t row) const;
};
std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);

/// Columns padded to one width, two spaces between them; the first `left` columns are aligned left,
/// the others right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t left = 1);

}  // namespace orrery
