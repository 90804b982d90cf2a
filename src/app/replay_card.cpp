#include "app/replay_card.hpp"

#include "report/cells.hpp"

#include "orrery/metrics/job_report.hpp"
#include "orrery/workload/truth.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::app {
namespace {

/// Sums over the jobs that the card is about, in seconds and GPU-seconds.
struct Sums {
  std::uint64_t jobs = 0, on_time = 0;
  double late = 0, latest = 0, recorded_wait = 0, wait = 0, run = 0, gpu_time = 0;
  SimTime recorded_end{};
};

Sums sums_of(const Workload& workload, const RunResult& result) {
  Sums sums;
  for (std::size_t i = result.range.first; i < result.range.last; ++i) {
    const JobReport report = job_report(workload, result.jobs, JobId{i});
    const auto start = workload.truth().recorded_start(JobId{i});
    if (report.outcome.status != JobStatus::finished || !start) continue;
    const double late = seconds(report.outcome.first_start - *start);
    ++sums.jobs;
    sums.on_time += late == 0 ? 1 : 0;
    sums.late += late;
    sums.latest = std::max(sums.latest, late);
    sums.recorded_wait += seconds(*start - workload.arrival(JobId{i}));
    sums.wait += seconds(*report.wait);
    sums.run += seconds(report.outcome.run);
    sums.gpu_time += seconds(report.outcome.run) * report.outcome.gang_size;
    sums.recorded_end = std::max(sums.recorded_end, *start + report.outcome.run);
  }
  return sums;
}

}  // namespace

std::string replay_card(const Settings& settings, const Prepared& prepared,
                        const RunResult& result) {
  if (policy_entry(parse_spec(settings.policies.front()).name).knows != Knows::recorded) return {};
  const Sums sums = sums_of(prepared.trace.workload, result);
  if (sums.jobs == 0) return "recorded  no finished job has a recorded start\n";
  const auto n = static_cast<double>(sums.jobs);
  const SimTime from = prepared.trace.workload.arrival(JobId{result.range.first});
  const double recorded_capacity =
      static_cast<double>(prepared.topology.total_gpus()) * seconds(sums.recorded_end - from);
  return fmt::format(
      "recorded  {} of {} start when the trace says; the others {} later on average, at most {}\n"
      "          mean wait recorded {}, simulated {} · mean JCT recorded {}, simulated {} · "
      "utilization recorded {}, simulated {}\n",
      grouped(sums.on_time), counted(sums.jobs, "job", "jobs"),
      human_seconds(
          sums.on_time < sums.jobs ? sums.late / static_cast<double>(sums.jobs - sums.on_time) : 0),
      human_seconds(sums.latest), human_seconds(sums.recorded_wait / n),
      human_seconds(sums.wait / n), human_seconds((sums.recorded_wait + sums.run) / n),
      human_seconds((sums.wait + sums.run) / n),
      fixed2(recorded_capacity > 0 ? std::optional{sums.gpu_time / recorded_capacity}
                                   : std::nullopt),
      fixed2(result.summary.utilization));
}

}  // namespace orrery::app
