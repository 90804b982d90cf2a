#include "report/cells.hpp"

#include "orrery/base/error.hpp"
#include "orrery/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t used = width(text);
  return used >= columns ? text : text.append(columns - used, ' ');
}

std::string human_seconds(std::optional<double> seconds) {
  if (!seconds) return "-";
  return human_duration(Duration{static_cast<std::int64_t>(*seconds * 1e6)});
}

std::string fixed2(std::optional<double> value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string title_text(const RunTitle& title) {
  std::string text = fmt::format("Orrery {} · {} ({}) · {}", title.version, printable(title.trace),
                                 title.format, printable(title.cluster));
  text += title.policy.empty()
              ? fmt::format(" · {}", printable(title.placement))
              : fmt::format(" · {} + {}", printable(title.policy), printable(title.placement));
  return text + fmt::format(" · seed {}\n", title.seed);
}

std::string aligned(const std::vector<Cells>& rows, std::size_t left) {
  std::vector<std::size_t> columns;
  for (const Cells& row : rows) {
    columns.resize(std::max(columns.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) columns[i] = std::max(columns[i], width(row[i]));
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string space(columns[i] - width(row[i]), ' ');
      line += i < left ? row[i] + space : space + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace orrery
