// Workloads that are written down or drawn job by job, to try policies on.
#pragma once

#include "orrery/workload/workload.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

struct TrialJob {
  std::string id;
  Duration submit{};
  int gpus = 1;
  Duration run{};
  std::optional<Duration> walltime{};
  std::string vc{}, user{}, name{};
  friend bool operator==(const TrialJob&, const TrialJob&) = default;
};

/// The jobs as a workload, in canonical order. Throws what WorkloadBuilder throws.
Workload workload_of(const std::vector<TrialJob>& jobs);
/// The jobs of a workload, in canonical order.
std::vector<TrialJob> trial_jobs(const Workload& workload);

/// Jobs "0", "1", ... in the order of their submits: ties, bursts, zeros, gangs of up to `largest`,
/// odd microseconds; three of four with a walltime that is enough.
std::vector<TrialJob> random_jobs(std::uint64_t seed, int count, int largest = 12);

}  // namespace orrery
