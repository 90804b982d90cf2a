#include "orrery/report/summary_text.hpp"

#include "report/cells.hpp"

#include "orrery/base/error.hpp"
#include "orrery/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

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

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  return fmt::format("{:016x}", fingerprint);
}

std::string summary_text(const RunTitle& title, const Summary& summary) {
  return title_text(title) + "jobs      " + jobs_text(summary.jobs) + "\n" + times_text(summary) +
         "GPUs      " + gpus_text(summary) + "\n" + "makespan  " + makespan_text(summary) + "\n" +
         "engine    " + engine_text(summary) + "\n";
}

}  // namespace orrery
