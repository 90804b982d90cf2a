// What a job's user declared; constant during a run. How long it really runs is JobTruth's business
// (truth.hpp).
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"

#include <cstdint>
#include <optional>

namespace orrery {

struct JobSpec {
  JobId id;
  SimTime arrival;
  int gang_size = 1;                 ///< GPUs, held all together or not at all; at least 1
  std::optional<Duration> walltime;  ///< the user's own limit, where the trace has one
  std::uint32_t vc = 0;              ///< index into Workload::vcs()
  std::uint32_t user = 0;            ///< index into Workload::users()
  std::uint32_t name = 0;            ///< index into Workload::job_names()
  std::uint32_t model = 0;           ///< index into Workload::models()
};

}  // namespace orrery
