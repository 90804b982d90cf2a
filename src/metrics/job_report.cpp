#include "orrery/metrics/job_report.hpp"

#include "orrery/workload/truth.hpp"

#include <array>

namespace orrery {

JobReport job_report(const Workload& workload, const JobTable& jobs, JobId job) {
  constexpr std::array<std::string_view, 4> kStatus{"unknown", "completed", "killed", "failed"};
  const JobTruth& truth = workload.truth();
  const SimTime arrival = workload.arrival(job);
  JobReport report;
  report.outcome = jobs[job];
  const JobOutcome& outcome = report.outcome;
  report.run_time = truth.run_time(job);
  report.trace_status = kStatus[static_cast<std::size_t>(truth.status(job))];
  report.gpu_time_us = GpuTime::Wide{micros(outcome.run + outcome.overhead)} * outcome.gang_size;
  if (const auto start = truth.recorded_start(job)) report.recorded_wait = *start - arrival;
  if (outcome.status != JobStatus::rejected) report.wait = outcome.total_wait();
  if (outcome.end == kNever) return report;
  report.jct = outcome.end - arrival;
  if (outcome.status == JobStatus::finished && report.run_time > Duration::zero())
    report.slowdown = seconds(*report.jct) / seconds(report.run_time);
  return report;
}

}  // namespace orrery
