#include "orrery/report/summary_text.hpp"

#include "report/csv_row.hpp"

#include "orrery/base/error.hpp"
#include "orrery/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

using Cells = std::vector<std::string>;

/// Columns that a terminal shows for UTF-8 text without wide characters.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t used = width(text);
  return used >= columns ? text : text.append(columns - used, ' ');
}

/// Two units, cut off; "-" for an undefined number.
std::string human_seconds(std::optional<double> seconds) {
  if (!seconds) return "-";
  return human_duration(Duration{static_cast<std::int64_t>(*seconds * 1e6)});
}

std::string fixed2(std::optional<double> value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string human_count(double value) {
  if (value >= 1e9) return fmt::format("{:.1f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.0f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

std::string count_of(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}", grouped(number), what);
}

std::string joined(const Cells& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

/// "preempted 82 %, capacity 18 %": the causes that round to a percent at least, the largest first.
std::string causes_text(const Summary& summary) {
  GpuTime::Wide total = 0;
  for (const GpuTime::Wide part : summary.wait_by_cause_us) total += part;
  if (total == 0) return {};
  std::vector<std::pair<long, std::string_view>> parts;
  for (std::size_t cause = 0; cause < kWaitCauses; ++cause) {
    const double share =
        static_cast<double>(summary.wait_by_cause_us[cause]) / static_cast<double>(total);
    const long percent = std::lround(share * 100);
    if (percent > 0) parts.emplace_back(percent, name(static_cast<WaitCause>(cause)));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  Cells texts;
  for (const auto& [percent, cause] : parts)
    texts.push_back(fmt::format("{} {} %", cause, percent));
  return joined(texts, ", ");
}

std::string jobs_text(const Summary::Jobs& jobs) {
  Cells parts{count_of(jobs.read, "read")};
  std::uint64_t left_out = 0;
  for (const auto& [reason, count] : jobs.left_out) left_out += count;
  if (left_out > 0) parts.push_back(count_of(left_out, "left out"));
  parts.push_back(count_of(jobs.replayed, "replayed"));
  if (jobs.measured != jobs.replayed) parts.push_back(count_of(jobs.measured, "measured"));
  parts.push_back(count_of(jobs.finished, "finished"));
  if (jobs.timeout > 0) parts.push_back(count_of(jobs.timeout, "timeout"));
  if (jobs.rejected > 0) parts.push_back(count_of(jobs.rejected, "rejected"));
  if (jobs.unfinished > 0) parts.push_back(count_of(jobs.unfinished, "unfinished"));
  return joined(parts, " · ");
}

/// The two rows of times, their columns one below the other.
std::string times_text(const Summary& summary) {
  if (summary.jct_s.n == 0) return "JCT       no job finished\nwaiting   no job finished\n";
  const auto cells = [](const Distribution& of) {
    return Cells{"mean " + human_seconds(of.mean), "p50 " + human_seconds(of.p50),
                 "p90 " + human_seconds(of.p90), "p99 " + human_seconds(of.p99)};
  };
  Cells jct = cells(summary.jct_s), wait = cells(summary.wait_s);
  std::string rows[2] = {"JCT       ", "waiting   "};
  for (std::size_t i = 0; i < jct.size(); ++i) {
    const std::size_t columns = std::max(width(jct[i]), width(wait[i])) + 3;
    rows[0] += padded(jct[i], columns);
    rows[1] += padded(wait[i], columns);
  }
  rows[0] += "max " + human_seconds(summary.jct_s.max);
  rows[1] += causes_text(summary);
  while (rows[1].back() == ' ') rows[1].pop_back();
  return rows[0] + "\n" + rows[1] + "\n";
}

std::string gpus_text(const Summary& summary) {
  Cells parts{grouped(static_cast<std::uint64_t>(summary.gpus)),
              "utilization " + fixed2(summary.utilization)};
  if (summary.utilization_while_arriving)
    parts.back() += fmt::format(" ({:.2f} while jobs arrive)", *summary.utilization_while_arriving);
  parts.push_back("fragmentation " + fixed2(summary.fragmentation));
  parts.push_back(count_of(summary.preemptions, "preemptions"));
  if (summary.migrations > 0) parts.push_back(count_of(summary.migrations, "migrations"));
  return joined(parts, " · ");
}

std::string makespan_text(const Summary& summary) {
  std::string text = human_seconds(summary.makespan_s);
  if (const auto& wait = summary.recorded_wait)
    text += fmt::format(" · recorded mean wait {}, simulated {}", human_seconds(wait->recorded_s),
                        human_seconds(wait->simulated_s));
  return text;
}

std::string engine_text(const Summary& summary) {
  const Summary::Engine& engine = summary.engine;
  const std::string print = fingerprint_text(summary.fingerprint);
  return fmt::format("{} events · {:.2f} s · {} events/s · {:.0f} MiB · fingerprint {}…{}",
                     grouped(engine.events), engine.wall_s, human_count(engine.events_per_s),
                     engine.peak_rss_mib, print.substr(0, 4), print.substr(14));
}

std::string title_text(const RunTitle& title) {
  std::string text = fmt::format("Orrery {} · {} ({}) · {}", title.version, printable(title.trace),
                                 title.format, printable(title.cluster));
  text += title.policy.empty()
              ? fmt::format(" · {}", printable(title.placement))
              : fmt::format(" · {} + {}", printable(title.policy), printable(title.placement));
  return text + fmt::format(" · seed {}\n", title.seed);
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  return fmt::format("{:016x}", fingerprint);
}

std::string summary_text(const RunTitle& title, const Summary& summary) {
  return title_text(title) + "jobs      " + jobs_text(summary.jobs) + "\n" + times_text(summary) +
         "GPUs      " + gpus_text(summary) + "\n" + "makespan  " + makespan_text(summary) + "\n" +
         "engine    " + engine_text(summary) + "\n";
}

std::optional<double> Comparison::change(std::size_t row) const {
  const auto& first = rows.front().summary.jct_s.mean;
  const auto& mine = rows[row].summary.jct_s.mean;
  if (!first || !mine || *first == 0) return std::nullopt;
  return *mine / *first - 1;
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

std::string comparison_text(const Comparison& comparison) {
  std::vector<Cells> rows{{"policy", "jobs", "JCT mean", "p50", "p99", "wait mean", "p99",
                           "utilization", "preemptions", "makespan", "mean JCT", "seconds"}};
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    const auto& [policy, summary] = comparison.rows[i];
    const auto change = comparison.change(i);
    rows.push_back({printable(policy), grouped(summary.jct_s.n), human_seconds(summary.jct_s.mean),
                    human_seconds(summary.jct_s.p50), human_seconds(summary.jct_s.p99),
                    human_seconds(summary.wait_s.mean), human_seconds(summary.wait_s.p99),
                    fixed2(summary.utilization), grouped(summary.preemptions),
                    human_seconds(summary.makespan_s),
                    i == 0   ? ""
                    : change ? fmt::format("{:+.1f} %", *change * 100)
                             : "-",
                    fmt::format("{:.2f}", summary.engine.wall_s)});
  }
  std::string text = title_text(comparison.title) + aligned(rows);
  if (comparison.left_out > 0)
    text += fmt::format("{} jobs compared; {} did not finish under every policy and are left out\n",
                        grouped(comparison.jobs), grouped(comparison.left_out));
  return text;
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text =
      "policy,jobs,jct_mean_s,jct_p50_s,jct_p99_s,wait_mean_s,wait_p99_s,utilization,preemptions,"
      "makespan_s,change_of_mean_jct,seconds\n";
  CsvRow row;
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    const auto& [policy, summary] = comparison.rows[i];
    row.text(policy).number(summary.jct_s.n);
    row.number(summary.jct_s.mean).number(summary.jct_s.p50).number(summary.jct_s.p99);
    row.number(summary.wait_s.mean).number(summary.wait_s.p99).number(summary.utilization);
    row.number(summary.preemptions).number(summary.makespan_s);
    row.number(comparison.change(i)).number(std::optional{summary.engine.wall_s}).end();
  }
  return text.append(row.buffer());
}

}  // namespace orrery
