#include "orrery/report/comparison.hpp"

#include "report/csv_row.hpp"
#include "report/json_parts.hpp"

#include <fmt/format.h>

namespace orrery {
namespace {

CsvRow& ends_of(CsvRow& row, const std::optional<Interval>& interval) {
  if (!interval) return row.empty().empty();
  return row.number(std::optional{interval->low}).number(std::optional{interval->high});
}

Json ends_json(const std::optional<Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json(nullptr);
}

Json row_json(const LoadComparison& load, const CompareRow& row) {
  const RowMeans& means = row.means;
  return {{"policy", row.policy},
          {"load", load.load},
          {"runs", row.runs},
          {"change_of_mean_jct", or_null(row.change)},
          {"change_interval", ends_json(row.change_interval)},
          {"distinguishable", row.is_distinguishable()},
          {"jct_mean_s", or_null(means.jct_mean_s)},
          {"jct_mean_interval_s", ends_json(row.jct_mean_s)},
          {"jct_p50_s", or_null(means.jct_p50_s)},
          {"jct_p99_s", or_null(means.jct_p99_s)},
          {"wait_mean_s", or_null(means.wait_mean_s)},
          {"wait_p99_s", or_null(means.wait_p99_s)},
          {"utilization", or_null(means.utilization)},
          {"preemptions", or_null(means.preemptions)},
          {"makespan_s", or_null(means.makespan_s)},
          {"summary", summary_object(row.summary)}};
}

Json load_json(const LoadComparison& load) {
  return {{"load", load.load},
          {"traces", load.traces},
          {"seeds", load.seeds},
          {"jobs_compared", load.jobs},
          {"jobs_left_out", load.left_out},
          {"intervals", name(load.intervals)},
          {"confidence", kConfidence},
          {"bounds",
           {{"jct_mean_s", or_null(load.bounds.jct_mean_s)},
            {"makespan_s", or_null(load.bounds.makespan_s)},
            {"best_jct_mean_s", or_null(load.bounds.best_jct_mean_s)},
            {"best_makespan_s", or_null(load.bounds.best_makespan_s)}}}};
}

}  // namespace

std::string row_label(const std::vector<CompareRow>& rows, std::size_t row) {
  std::size_t same = 1;
  for (std::size_t i = 0; i < row; ++i) same += rows[i].policy == rows[row].policy ? 1 : 0;
  return same == 1 ? rows[row].policy : fmt::format("{} ({})", rows[row].policy, same);
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text =
      "policy,jobs,jct_mean_s,jct_p50_s,jct_p99_s,wait_mean_s,wait_p99_s,utilization,preemptions,"
      "makespan_s,change_of_mean_jct,seconds,load,runs,jct_mean_low_s,jct_mean_high_s,change_low,"
      "change_high,bound_jct_mean_s,bound_makespan_s\n";
  CsvRow row;
  for (const LoadComparison& load : comparison.loads) {
    for (const CompareRow& one : load.rows) {
      const RowMeans& means = one.means;
      row.text(one.policy).number(load.jobs);
      row.number(means.jct_mean_s).number(means.jct_p50_s).number(means.jct_p99_s);
      row.number(means.wait_mean_s).number(means.wait_p99_s).number(means.utilization);
      row.number(means.preemptions).number(means.makespan_s).number(one.change);
      row.number(means.seconds).number(std::optional{load.load}).number(one.runs);
      ends_of(ends_of(row, one.jct_mean_s), one.change_interval);
      row.number(load.bounds.jct_mean_s).number(load.bounds.makespan_s).end();
    }
  }
  return text.append(row.buffer());
}

std::string comparison_json(const Comparison& comparison) {
  Json rows = Json::array(), loads = Json::array();
  std::uint64_t jobs = 0, left_out = 0;
  for (const LoadComparison& load : comparison.loads) {
    loads.push_back(load_json(load));
    jobs += load.jobs;
    left_out += load.left_out;
    for (const CompareRow& row : load.rows) rows.push_back(row_json(load, row));
  }
  const RunTitle& title = comparison.title;
  return json_text({{"schema", kSummarySchema},
                    {"version", title.version},
                    {"trace", title.trace},
                    {"format", title.format},
                    {"cluster", title.cluster},
                    {"placement", title.placement},
                    {"seed", title.seed},
                    {"jobs_compared", jobs},
                    {"jobs_left_out", left_out},
                    {"loads", std::move(loads)},
                    {"rows", std::move(rows)}});
}

}  // namespace orrery
