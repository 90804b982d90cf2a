// Comparisons as tables: labels, verdicts, and names that would break a table.
#include "orrery/report/comparison.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orrery::test {
namespace {

CompareRow row(const std::string& policy, std::optional<double> change,
               std::optional<Interval> interval) {
  CompareRow row;
  row.policy = policy;
  row.runs = 1;
  row.means.jct_mean_s = 90;
  row.change = change;
  row.change_interval = interval;
  return row;
}

Comparison comparison(std::vector<CompareRow> rows) {
  LoadComparison load;
  load.jobs = 1234;
  load.intervals = IntervalKind::blocks;
  load.bounds.jct_mean_s = 60;
  load.bounds.makespan_s = 3600;
  load.rows = std::move(rows);
  return {.title = {.version = "1",
                    .trace = "t|_&.csv",
                    .format = "csv",
                    .cluster = "1x4",
                    .policy = "",
                    .placement = "count"},
          .loads = {load}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ComparisonText, SaysWhatCannotBeToldApart) {
  const std::string text = comparison_text(
      comparison({row("fifo", 0, Interval{0, 0}), row("sjf", -0.25, Interval{-0.3, -0.2}),
                  row("srtf", 0.01, Interval{-0.02, 0.04}), row("las", 0.5, std::nullopt)}));
  EXPECT_TRUE(contains(text, "-25.0 % (-30.0 to -20.0)  ")) << text;
  EXPECT_TRUE(contains(text, "+1.0 % (-2.0 to +4.0), not distinguishable")) << text;
  EXPECT_TRUE(contains(text, "+50.0 %  ")) << text;
  EXPECT_TRUE(contains(text, "95 % intervals: block bootstrap over jobs\n")) << text;
}

TEST(ComparisonText, BoundsStandBelowThePolicies) {
  const std::string text = comparison_text(comparison({row("fifo", 0, std::nullopt)}));
  EXPECT_LT(text.find("fifo  "), text.find("lower bound")) << text;
  EXPECT_TRUE(contains(text, "1 m 00 s")) << text;
  EXPECT_FALSE(contains(text, "best without preemption"));
}

TEST(ComparisonText, APolicyNamedTwiceIsNumbered) {
  const auto rows = std::vector{row("fifo", 0, {}), row("srtf", 0, {}), row("fifo", 0, {})};
  EXPECT_EQ(row_label(rows, 0), "fifo");
  EXPECT_EQ(row_label(rows, 2), "fifo (2)");
}

TEST(ComparisonText, OneTableALoad) {
  Comparison two = comparison({row("fifo", 0, std::nullopt)});
  two.loads.push_back(two.loads.front());
  two.loads.back().load = 1.5;
  const std::string text = comparison_text(two);
  EXPECT_TRUE(contains(text, "\nload 1\n")) << text;
  EXPECT_TRUE(contains(text, "\nload 1.5\n")) << text;
}

// Reliability P4: names from data are never trusted.
TEST(ComparisonTables, NamesCannotBreakOut) {
  const Comparison evil = comparison({row("a|b & c_d <script> \\input{x} $1$ %\x1b[2J", 0, {})});
  EXPECT_FALSE(contains(comparison_text(evil), "\x1b"));
  const std::string markdown = comparison_markdown(evil);
  EXPECT_TRUE(contains(markdown, "a\\|b \\& c\\_d \\<script\\>")) << markdown;
  EXPECT_TRUE(contains(markdown, "t\\|\\_\\&.csv")) << markdown;
  const std::string latex = comparison_latex(evil);
  EXPECT_TRUE(contains(latex, "a|b \\& c\\_d <script> ")) << latex;
  EXPECT_FALSE(contains(latex, "\\input")) << latex;
  EXPECT_TRUE(contains(latex, "\\$1\\$ \\%")) << latex;
  EXPECT_TRUE(nlohmann::json::accept(comparison_json(evil)));
}

TEST(ComparisonTables, LatexIsOneBooktabsTable) {
  const std::string latex = comparison_latex(
      comparison({row("fifo", 0, Interval{0, 0}), row("srtf", -0.5, Interval{-0.6, -0.4})}));
  for (const char* part : {"\\begin{table}", "\\begin{tabular}{lrrrrrrrrrrr}\n\\toprule\npolicy & ",
                           "\\midrule\nfifo & 1,234 & 1 m 30 s", "-50.0 \\% (-60.0 to -40.0)",
                           "\\midrule\nlower bound & ", "\\bottomrule\n\\end{tabular}"})
    EXPECT_TRUE(contains(latex, part)) << part << "\n" << latex;
}

TEST(ComparisonCsv, HasARowAPolicyAndLoad) {
  Comparison two = comparison({row("fifo", 0, Interval{0, 0}), row("a,b", -0.5, std::nullopt)});
  two.loads.push_back(two.loads.front());
  two.loads.back().load = 1.5;
  const std::string csv = comparison_csv(two);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_TRUE(contains(csv, "\nfifo,1234,90,,,,,,,,0,,1,1,,,0,0,60,3600\n")) << csv;
  EXPECT_TRUE(contains(csv, "\n\"a,b\",1234,90,,,,,,,,-0.5,,1.5,1,,,,,60,3600\n")) << csv;
}

}  // namespace
}  // namespace orrery::test
