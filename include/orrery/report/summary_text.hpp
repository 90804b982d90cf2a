// A run's summary as text for a terminal and as JSON.
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
/// "1 job", "1,234 jobs".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);
/// Sixteen hexadecimal digits.
std::string fingerprint_text(std::uint64_t fingerprint);

/// The table that `orrery run` prints.
std::string summary_text(const RunTitle& title, const Summary& summary);
/// summary.json: null where a number is undefined.
std::string summary_json(const Summary& summary);
inline constexpr int kSummarySchema = 1;

/// Columns padded to one width, two spaces between them; the first `left` columns are aligned left,
/// the others right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t left = 1);

}  // namespace orrery
