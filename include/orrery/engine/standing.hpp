// Where a job stands between two instants of a run: for those who ask why it waits.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/engine/recorder.hpp"

#include <cstdint>
#include <vector>

namespace orrery {

struct Standing {
  enum class Phase : std::uint8_t {
    unseen,   ///< not submitted so far
    waiting,  ///< submitted, without GPUs
    holding,  ///< GPUs, overhead included
    gone      ///< ended or rejected
  };
  Phase phase = Phase::unseen;
  WaitCause cause = WaitCause::order;  ///< while waiting: what the time until the next instant of
                                       ///< its pool counts as
};

/// Another job of the same pool.
struct Rival {
  JobId job;
  int gpus;
  friend bool operator==(const Rival&, const Rival&) = default;
};

/// What stands between a waiting job and GPUs. Jobs are in the policy's order at the present
/// instant.
struct Obstacles {
  std::int64_t free_gpus = 0;       ///< of its pool
  std::int64_t evictable_gpus = 0;  ///< held by jobs later in the order, where the policy preempts
  std::vector<Rival> holders;       ///< whose GPUs it may not take
  std::vector<Rival> ahead;         ///< waiting, earlier in the order
};

}  // namespace orrery
