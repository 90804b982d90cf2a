// What is reported of one job: the columns of jobs.csv beside what its row in the trace says.
#pragma once

#include "orrery/engine/recorder.hpp"
#include "orrery/metrics/job_table.hpp"
#include "orrery/workload/workload.hpp"

#include <optional>
#include <string_view>

namespace orrery {

struct JobReport {
  JobOutcome outcome{.job = JobId{0U}};
  std::optional<Duration> jct;            ///< end - submit, of a job that ended
  std::optional<Duration> wait;           ///< all time without GPUs; none for a rejected job
  std::optional<double> slowdown;         ///< JCT / exclusive run time; none when that is zero
  std::optional<Duration> recorded_wait;  ///< in the real cluster, where the trace tells
  Duration run_time{};                    ///< exclusive: on its GPUs at rate 1
  std::string_view trace_status;          ///< completed, killed, failed, unknown
  GpuTime::Wide gpu_time_us = 0;          ///< held, overhead included, in GPU-microseconds
};
JobReport job_report(const Workload& workload, const JobTable& jobs, JobId job);

}  // namespace orrery
