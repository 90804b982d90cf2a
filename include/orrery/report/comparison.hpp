// Several policies side by side: as text for a terminal, Markdown, LaTeX, CSV and JSON.
#pragma once

#include "orrery/metrics/comparison.hpp"
#include "orrery/report/summary_text.hpp"

#include <string>
#include <vector>

namespace orrery {

/// One table a load. Policies and order of rows are the same in all of them.
struct Comparison {
  RunTitle title;  ///< policy stays empty
  std::vector<LoadComparison> loads;
};

/// "fifo", and "fifo (2)" for the second row of that name.
std::string row_label(const std::vector<CompareRow>& rows, std::size_t row);

std::string comparison_text(const Comparison& comparison);
/// Pipe tables, as GitHub reads them.
std::string comparison_markdown(const Comparison& comparison);
/// One table environment a load; needs \usepackage{booktabs}.
std::string comparison_latex(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace orrery
