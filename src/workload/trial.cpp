#include "orrery/workload/trial.hpp"

#include "orrery/base/random.hpp"
#include "orrery/workload/builder.hpp"

#include <algorithm>

namespace orrery {

Workload workload_of(const std::vector<TrialJob>& jobs) {
  WorkloadBuilder builder;
  for (const TrialJob& job : jobs)
    builder.add({.id = job.id,
                 .arrival = at(job.submit),
                 .run_time = job.run,
                 .gang_size = job.gpus,
                 .walltime = job.walltime,
                 .vc = job.vc,
                 .user = job.user,
                 .name = job.name,
                 .recorded_start = {}});
  return builder.build();
}

std::vector<TrialJob> trial_jobs(const Workload& workload) {
  std::vector<TrialJob> jobs;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const JobId job{i};
    jobs.push_back({.id = std::string{workload.id_text(job)},
                    .submit = workload.arrival(job).time_since_epoch(),
                    .gpus = workload.gang_size(job),
                    .run = workload.truth().run_time(job),
                    .walltime = workload.walltime(job),
                    .vc = workload.vcs()[workload.vc(job)],
                    .user = workload.users()[workload.user(job)],
                    .name = workload.job_names()[workload.name(job)]});
  }
  return jobs;
}

std::vector<TrialJob> random_jobs(std::uint64_t seed, int count, int largest) {
  RandomStream random{seed};
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  std::vector<TrialJob> jobs;
  Duration submit{};
  for (int j = 0; j < count; ++j) {
    if (up_to(2) > 0) submit += Duration{up_to(1) == 0 ? up_to(6'000'000) : up_to(6) * 1'000'000};
    const auto gpus = static_cast<int>(up_to(3) == 0 ? 1 + up_to(largest - 1) : 1 + up_to(2));
    const Duration run{up_to(9) == 0   ? 0
                       : up_to(1) == 0 ? up_to(30'000'000)
                                       : up_to(20) * 1'000'000};
    jobs.push_back(
        {.id = std::to_string(j), .submit = submit, .gpus = std::min(gpus, largest), .run = run});
    if (up_to(3) > 0) jobs.back().walltime = run + Duration{up_to(5'000'000)};
  }
  return jobs;
}

}  // namespace orrery
