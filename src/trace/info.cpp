#include "orrery/trace/info.hpp"

#include "orrery/base/error.hpp"
#include "orrery/workload/truth.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

constexpr Duration kDay = std::chrono::hours{24};
constexpr std::size_t kVcsInText = 20;

TimeQuantiles quantiles(std::vector<std::int64_t> micros) {
  TimeQuantiles result;
  result.n = micros.size();
  if (micros.empty()) return result;
  std::sort(micros.begin(), micros.end());
  const auto at_level = [&](double level) {
    const double rank = level * static_cast<double>(micros.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, micros.size() - 1);
    const auto low = static_cast<double>(micros[below]), high = static_cast<double>(micros[above]);
    return (low + (high - low) * (rank - static_cast<double>(below))) / 1e6;
  };
  __int128 sum = 0;
  for (const std::int64_t value : micros) sum += value;
  result.mean = static_cast<double>(sum) / (static_cast<double>(micros.size()) * 1e6);
  result.p10 = at_level(0.10);
  result.p25 = at_level(0.25);
  result.p50 = at_level(0.50);
  result.p75 = at_level(0.75);
  result.p90 = at_level(0.90);
  result.p99 = at_level(0.99);
  result.max = at_level(1);
  return result;
}

/// Sums of one group before they become a TraceGroup.
struct GroupSums {
  std::uint64_t jobs = 0;
  __int128 gpu_time = 0, run = 0;
  void add(Duration time, int gpus) {
    ++jobs;
    run += micros(time);
    gpu_time += static_cast<__int128>(micros(time)) * gpus;
  }
  TraceGroup group() const {
    return {.jobs = jobs,
            .gpu_hours = static_cast<double>(gpu_time) / 3.6e9,
            .mean_run_s = jobs == 0 ? std::nullopt
                                    : std::optional{static_cast<double>(run) /
                                                    (static_cast<double>(jobs) * 1e6)}};
  }
};

std::string human(std::optional<double> seconds) {
  if (!seconds) return "-";
  return human_duration(Duration{static_cast<std::int64_t>(*seconds * 1e6)});
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

std::string group_row(std::string_view name, const TraceGroup& group, const TraceInfo& all) {
  return fmt::format(
      "  {:<12} {:>10} jobs  {:>8}   {:>12.0f} GPU-hours  {:>8}   mean run {}\n", name, group.jobs,
      percent(static_cast<double>(group.jobs), static_cast<double>(all.jobs)), group.gpu_hours,
      percent(group.gpu_hours, all.gpu_hours), human(group.mean_run_s));
}

std::string quantiles_row(std::string_view name, const TimeQuantiles& of) {
  return fmt::format("{:<10}mean {}, p10 {}, p25 {}, p50 {}, p75 {}, p90 {}, p99 {}, max {}\n",
                     name, human(of.mean), human(of.p10), human(of.p25), human(of.p50),
                     human(of.p75), human(of.p90), human(of.p99), human(of.max));
}

}  // namespace

std::optional<double> TraceInfo::load(std::int64_t gpus) const {
  if (span_s <= 0 || gpus <= 0) return std::nullopt;
  return gpu_hours * 3600 / (span_s * static_cast<double>(gpus));
}

TraceInfo trace_info(const Workload& workload) {
  constexpr const char* kStatus[] = {"unknown", "completed", "killed", "failed"};
  const JobTruth& truth = workload.truth();
  TraceInfo info;
  info.jobs = workload.size();
  info.users = workload.users().size() - 1;  // index 0 is "the trace does not say"
  info.vcs = workload.vcs().size() - 1;
  info.names = workload.job_names().size() - 1;
  GroupSums all;
  std::map<int, GroupSums> by_size;
  std::map<std::string, GroupSums> by_status;
  std::vector<GroupSums> by_vc(workload.vcs().size());
  std::vector<std::int64_t> runs, waits;
  std::map<std::int64_t, std::uint64_t> by_day;
  std::int64_t gpus = 0;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const JobId job{i};
    const Duration run = truth.run_time(job);
    const int size = workload.gang_size(job);
    gpus += size;
    all.add(run, size);
    by_size[size].add(run, size);
    by_status[kStatus[static_cast<std::size_t>(truth.status(job))]].add(run, size);
    by_vc[workload.vc(job)].add(run, size);
    runs.push_back(micros(run));
    if (const auto start = truth.recorded_start(job))
      waits.push_back(micros(*start - workload.arrival(job)));
    ++by_day[micros(workload.arrival(job)) / micros(kDay)];
  }
  info.run_s = quantiles(std::move(runs));
  info.recorded_wait_s = quantiles(std::move(waits));
  for (const auto& [size, sums] : by_size) info.by_size[size] = sums.group();
  for (const auto& [status, sums] : by_status) info.by_status[status] = sums.group();
  for (std::uint32_t vc = 0; vc < by_vc.size() && info.vcs > 0; ++vc)
    if (by_vc[vc].jobs > 0) info.by_vc[workload.vcs()[vc]] = by_vc[vc].group();
  info.gpu_hours = all.group().gpu_hours;
  for (const auto& [day, jobs] : by_day) info.busiest_day = std::max(info.busiest_day, jobs);
  if (info.jobs == 0) return info;
  info.mean_gpus = static_cast<double>(gpus) / static_cast<double>(info.jobs);
  const SimTime first = workload.arrival(JobId{0U}), last = workload.arrival(JobId{info.jobs - 1});
  info.span_s = seconds(last - first);
  if (info.span_s > 0) info.jobs_a_day = static_cast<double>(info.jobs) / (info.span_s / 86400);
  if (const auto origin = workload.calendar_origin()) {
    info.first_submit = calendar_text(*origin + micros(first));
    info.last_submit = calendar_text(*origin + micros(last));
  }
  return info;
}

std::string trace_info_text(const LoadReport& report, const TraceInfo& info) {
  std::string text = fmt::format("{} ({}): {} read, {} can be replayed\n", printable(report.path),
                                 report.format, report.read, report.replayed);
  for (const auto& [reason, count] : report.left_out)
    text += fmt::format("  left out   {} {}\n", count, reason);
  text += fmt::format("jobs      {} of {} users, {} VCs, {} names\n", info.jobs, info.users,
                      info.vcs, info.names);
  if (info.first_submit)
    text += fmt::format("submits   {} to {}\n", *info.first_submit, *info.last_submit);
  text += fmt::format("span      {}", human(info.span_s));
  if (info.jobs_a_day)
    text +=
        fmt::format(", {:.0f} jobs a day, {} on the busiest", *info.jobs_a_day, info.busiest_day);
  text += fmt::format("\nGPU time  {:.0f} GPU-hours", info.gpu_hours);
  if (info.mean_gpus) text += fmt::format(", {:.3f} GPUs a job", *info.mean_gpus);
  text += "\n" + quantiles_row("run time", info.run_s);
  if (info.recorded_wait_s.n > 0) text += quantiles_row("waited", info.recorded_wait_s);
  text += "by GPUs\n";
  for (const auto& [size, group] : info.by_size)
    text += group_row(std::to_string(size), group, info);
  text += "by how they ended\n";
  for (const auto& [status, group] : info.by_status) text += group_row(status, group, info);
  if (info.by_vc.empty()) return text;
  std::vector<std::pair<std::string, TraceGroup>> vcs{info.by_vc.begin(), info.by_vc.end()};
  std::stable_sort(vcs.begin(), vcs.end(), [](const auto& a, const auto& b) {
    return a.second.gpu_hours > b.second.gpu_hours;
  });
  text += "by VC\n";
  for (std::size_t i = 0; i < std::min(vcs.size(), kVcsInText); ++i)
    text += group_row(vcs[i].first.empty() ? "(none)" : printable(vcs[i].first, 40), vcs[i].second,
                      info);
  if (vcs.size() > kVcsInText) text += fmt::format("  and {} more\n", vcs.size() - kVcsInText);
  return text;
}

}  // namespace orrery
