// Delta debugging: a small case in place of a large one, in which the same thing goes wrong.
#pragma once

#include "orrery/workload/trial.hpp"

#include <functional>
#include <vector>

namespace orrery::conformance {

/// Jobs and, where it has them, the equal nodes of the cluster.
struct Case {
  std::vector<TrialJob> jobs;
  int nodes = 0, gpus_per_node = 0;  ///< 0: the cluster stays as it is
};

/// A case that still fails and is 1-minimal: no job can be left out, and the cluster cannot be one
/// node, or one GPU a node, smaller. On the way jobs are made plainer, too: shorter, narrower,
/// earlier, in whole seconds, without walltimes and names. Requires fails(from). Calls `fails` at
/// most `most` times; what it has by then may not be minimal. Delta debugging: Zeller and
/// Hildebrandt, TSE 28(2), 2002.
Case shrink(Case from, const std::function<bool(const Case&)>& fails, std::size_t most = 20'000);

}  // namespace orrery::conformance
