// Random scenarios, biased to what breaks schedulers.
#pragma once

#include "invariants/scenario_pair.hpp"

#include "orrery/base/hash.hpp"
#include "orrery/base/random.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace orrery::test {

/// How large scenarios get.
struct Sizes {
  int jobs = 12, nodes = 3, gpus_per_node = 4;
  int longest = 12;  ///< seconds that a job runs
};

/// Draws scenarios biased to ties, zeros, bursts and gangs of the whole cluster.
class Draw {
 public:
  explicit Draw(std::uint64_t seed, const Sizes& sizes) : random_{seed}, sizes_{sizes} {}
  int up_to(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most + 1)); }
  bool one_in(int n) { return up_to(n - 1) == 0; }

  Scenario scenario(const std::string& policy, const std::string& placement) {
    Scenario scenario;
    scenario.placement = placement;
    scenario.rules.policy = policy;
    scenario.pool = pool(sizes_.nodes, sizes_.gpus_per_node);
    const int largest = std::accumulate(scenario.pool.begin(), scenario.pool.end(), 0);
    const int longest = one_in(2) ? 3 : sizes_.longest, gap = up_to(3);
    reference::Second submit = 0;
    for (int j = 1 + up_to(sizes_.jobs - 1); j > 0; --j) {
      submit += one_in(2) ? 0 : up_to(gap);
      reference::Job job{.submit = submit, .gpus = gang(largest), .run = up_to(longest)};
      if (!one_in(4)) job.walltime = std::max(0, static_cast<int>(job.run) + up_to(4) - 2);
      scenario.jobs.push_back(job);
    }
    scenario.rules.quantum = 1 + up_to(3);
    scenario.rules.limits = {1 + up_to(3), 5 + up_to(10)};
    settings(scenario);
    return scenario;
  }

 private:
  /// Equal nodes, or one time in three nodes of any sizes.
  reference::Pool pool(int most_nodes, int most_gpus) {
    reference::Pool pool(static_cast<std::size_t>(1 + up_to(most_nodes - 1)),
                         1 + up_to(most_gpus - 1));
    if (one_in(3))
      for (int& gpus : pool) gpus = 1 + up_to(most_gpus - 1);
    return pool;
  }
  int gang(int largest) {
    if (one_in(6)) return largest;
    if (one_in(12)) return largest + 1;  // rejected
    return one_in(2) ? 1 + up_to(largest - 1) : 1 + up_to(std::min(largest, 2) - 1);
  }
  void settings(Scenario& scenario) {
    if (one_in(4)) scenario.rules.round = 1 + up_to(4);
    if (one_in(4)) scenario.rules.until = up_to(20);
    if (one_in(3)) {
      scenario.rules.preempt_cost = 1 + up_to(2);
      if (!scenario.rules.until)
        scenario.rules.until = 5 * sizes_.longest;  // it may never end otherwise
    }
    scenario.rules.enforce_walltime = one_in(4);
    scenario.knowledge = static_cast<Scenario::Knowledge>(up_to(2));
    if (one_in(5)) scenario.second_pool = pool(2, 3);
  }
  RandomStream random_;
  Sizes sizes_;
};

}  // namespace orrery::test
