// The tables of a comparison that people read.
#include "report/cells.hpp"

#include "orrery/base/error.hpp"
#include "orrery/report/comparison.hpp"

#include <fmt/format.h>

namespace orrery {
namespace {

std::string percent(double change) {
  return fmt::format("{:+.1f}", change * 100);
}

/// "-22.8 % (-25.1 to -20.4)"; what the runs cannot tell apart is said to be so.
std::string change_text(const CompareRow& row) {
  if (!row.change) return "-";
  std::string text = percent(*row.change) + " %";
  if (row.change_interval)
    text += fmt::format(" ({} to {})", percent(row.change_interval->low),
                        percent(row.change_interval->high));
  const bool told = row.same || row.change_interval;
  return told && !row.is_distinguishable() ? text + ", not distinguishable" : text;
}

std::string preemptions_text(const std::optional<double>& preemptions) {
  return preemptions ? grouped(static_cast<std::uint64_t>(*preemptions + 0.5)) : "-";
}

const Cells& headings() {
  static const Cells cells{"policy",
                           "jobs",
                           "JCT mean",
                           "p50",
                           "p99",
                           "wait mean",
                           "p99",
                           "utilization",
                           "preemptions",
                           "makespan",
                           "change of mean JCT",
                           "seconds"};
  return cells;
}

Cells row_cells(const LoadComparison& load, std::size_t i) {
  const CompareRow& row = load.rows[i];
  const RowMeans& means = row.means;
  return {row_label(load.rows, i),
          grouped(load.jobs),
          human_seconds(means.jct_mean_s),
          human_seconds(means.jct_p50_s),
          human_seconds(means.jct_p99_s),
          human_seconds(means.wait_mean_s),
          human_seconds(means.wait_p99_s),
          fixed2(means.utilization),
          preemptions_text(means.preemptions),
          human_seconds(means.makespan_s),
          i == 0 ? "" : change_text(row),
          means.seconds ? fmt::format("{:.2f}", *means.seconds) : "-"};
}

Cells bound_cells(const char* label, const std::optional<double>& jct_mean_s,
                  const std::optional<double>& makespan_s) {
  return {label, "", human_seconds(jct_mean_s), "", "", "", "",
          "",    "", human_seconds(makespan_s), "", ""};
}

/// The policies, and below them what none of them can beat. Texts are as they came.
std::vector<Cells> table_of(const LoadComparison& load) {
  std::vector<Cells> rows{headings()};
  for (std::size_t i = 0; i < load.rows.size(); ++i) rows.push_back(row_cells(load, i));
  const Bounds& bounds = load.bounds;
  if (bounds.best_jct_mean_s)
    rows.push_back(
        bound_cells("best without preemption", bounds.best_jct_mean_s, bounds.best_makespan_s));
  if (bounds.jct_mean_s)
    rows.push_back(bound_cells("lower bound", bounds.jct_mean_s, bounds.makespan_s));
  return rows;
}

/// What the table is about, a sentence an entry.
std::vector<std::string> notes_of(const LoadComparison& load) {
  std::vector<std::string> notes;
  if (load.left_out > 0)
    notes.push_back(
        fmt::format("{} jobs compared; {} did not finish under every policy and are left out",
                    grouped(load.jobs), grouped(load.left_out)));
  if (load.seeds > 1)
    notes.push_back(load.traces > 1
                        ? fmt::format("means over {} made-up traces, one a seed", load.traces)
                        : fmt::format("means over {} seeds", load.seeds));
  if (load.intervals != IntervalKind::none)
    notes.push_back(fmt::format("changes are against the first row, with {:.0f} % intervals: {}",
                                kConfidence * 100, name(load.intervals)));
  return notes;
}

/// "load 0.9", where a comparison has several.
std::string load_text(const Comparison& comparison, const LoadComparison& load) {
  return comparison.loads.size() > 1 ? fmt::format("load {}", load.load) : std::string{};
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : printable(text)) {
    if (std::string_view{"\\`*_{}[]<>#!|~&"}.find(c) != std::string_view::npos) cell += '\\';
    cell += c;
  }
  return cell;
}

std::string latex_cell(const std::string& text) {
  std::string cell;
  for (const char c : printable(text)) {
    if (std::string_view{"&%$#_{}"}.find(c) != std::string_view::npos) {
      cell += '\\';
      cell += c;
    } else if (c == '\\') {
      cell += "\\textbackslash{}";
    } else if (c == '~') {
      cell += "\\textasciitilde{}";
    } else if (c == '^') {
      cell += "\\textasciicircum{}";
    } else {
      cell += c;
    }
  }
  return cell;
}

template <class Escape>
std::string joined(const Cells& cells, std::string_view between, Escape escape) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += between;
    line += escape(cells[i]);
  }
  return line;
}

std::string plain_title(const Comparison& comparison) {
  std::string title = title_text(comparison.title);
  title.pop_back();
  return title;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text = title_text(comparison.title);
  for (const LoadComparison& load : comparison.loads) {
    if (const std::string heading = load_text(comparison, load); !heading.empty())
      text += "\n" + heading + "\n";
    std::vector<Cells> rows = table_of(load);
    for (Cells& row : rows) row.front() = printable(row.front());
    text += aligned(rows);
    for (const std::string& note : notes_of(load)) text += note + "\n";
  }
  return text;
}

std::string comparison_markdown(const Comparison& comparison) {
  std::string text = markdown_cell(plain_title(comparison)) + "\n";
  for (const LoadComparison& load : comparison.loads) {
    if (const std::string heading = load_text(comparison, load); !heading.empty())
      text += "\n## " + heading + "\n";
    const std::vector<Cells> rows = table_of(load);
    text += "\n| " + joined(rows.front(), " | ", markdown_cell) + " |\n| ---";
    for (std::size_t i = 1; i < rows.front().size(); ++i) text += " | ---:";
    text += " |\n";
    for (std::size_t i = 1; i < rows.size(); ++i)
      text += "| " + joined(rows[i], " | ", markdown_cell) + " |\n";
    for (const std::string& note : notes_of(load)) text += "\n" + markdown_cell(note) + ".\n";
  }
  return text;
}

std::string comparison_latex(const Comparison& comparison) {
  std::string text;
  for (const LoadComparison& load : comparison.loads) {
    const std::vector<Cells> rows = table_of(load);
    std::string caption = latex_cell(plain_title(comparison));
    if (const std::string heading = load_text(comparison, load); !heading.empty())
      caption += ", " + heading;
    for (const std::string& note : notes_of(load)) caption += ". " + latex_cell(note);
    text += fmt::format("\\begin{{table}}\n\\centering\n\\caption{{{}.}}\n", caption);
    text += fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\n",
                        std::string(rows.front().size() - 1, 'r'));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 1 || i == load.rows.size() + 1) text += "\\midrule\n";
      text += joined(rows[i], " & ", latex_cell) + " \\\\\n";
    }
    text += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
  }
  return text;
}

}  // namespace orrery
