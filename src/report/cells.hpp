// Cells of our tables: numbers as people read them.
#pragma once

#include "orrery/report/summary_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

using Cells = std::vector<std::string>;

/// Columns that a terminal shows for UTF-8 text without wide characters.
std::size_t width(std::string_view text);
/// Filled up with spaces.
std::string padded(std::string text, std::size_t columns);
/// Two units, cut off; "-" for an undefined number.
std::string human_seconds(std::optional<double> seconds);
/// "0.61"; "-" for an undefined number.
std::string fixed2(std::optional<double> value);
/// The line above every table.
std::string title_text(const RunTitle& title);

}  // namespace orrery
