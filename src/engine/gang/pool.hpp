// The GPUs that one policy instance schedules, with its line and its ledgers.
#pragma once

#include "engine/gang/backfill.hpp"
#include "engine/gang/victims.hpp"
#include "engine/gang/wait_ledger.hpp"
#include "engine/gang/wait_line.hpp"

#include "orrery/cluster/cluster.hpp"
#include "orrery/policy/line.hpp"
#include "orrery/policy/scheduler.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery::gang {

struct Pool {
  Pool(PoolId pool, std::string pool_name, PoolNodes pool_nodes,
       std::unique_ptr<LinePolicy> line_policy)
      : id{pool},
        name{std::move(pool_name)},
        nodes{pool_nodes},
        policy{std::move(line_policy)},
        scheduler{dynamic_cast<Scheduler*>(policy.get())},
        rule{policy->rule()},
        line{rule.blocked == Blocked::skip} {}

  /// A copy under the fork's own policy.
  Pool(const Pool& other, std::unique_ptr<LinePolicy> line_policy)
      : id{other.id},
        name{other.name},
        nodes{other.nodes},
        policy{std::move(line_policy)},
        scheduler{dynamic_cast<Scheduler*>(policy.get())},
        rule{other.rule},
        line{other.line},
        backfill{other.backfill},
        victims{other.victims ? other.victims->clone() : nullptr},
        waits{other.waits},
        waiting{other.waiting},
        waiting_jobs{other.waiting_jobs},
        running_jobs{other.running_jobs},
        next_ask{other.next_ask},
        next_tick{other.next_tick},
        fragmented_free{other.fragmented_free},
        dirty{other.dirty},
        changed{other.changed},
        touched{other.touched},
        rising{other.rising} {}

  bool preempts() const { return rule.preempts == Preempts::any; }

  PoolId id;
  std::string name;
  PoolNodes nodes;
  std::unique_ptr<LinePolicy> policy;
  Scheduler* scheduler;  ///< the same, where it is a whole scheduler; else nullptr
  LineRule rule;
  WaitLine line;                          ///< stop and skip
  Backfill backfill;                      ///< reserve
  std::unique_ptr<VictimSearch> victims;  ///< where the rule preempts
  WaitLedger waits;
  std::int64_t waiting = 0;
  std::vector<JobId> waiting_jobs, running_jobs;  ///< of a scheduler, ascending
  SimTime next_ask = kNever;                      ///< when it wants to be asked again
  SimTime next_tick = kNever;                     ///< the quantum or round scheduled last
  std::int64_t fragmented_free = 0;
  bool dirty = false;         ///< something happened that the policy may answer
  bool changed = false;       ///< free GPUs or waiting jobs changed in this instant
  bool touched = false;       ///< among GangJobs::touched_
  bool rising = false;        ///< some key rises while its job runs: a class may open with no event
  std::vector<Slot> started;  ///< in the pass under way
  std::vector<std::pair<Slot, Slices>>
      evicted;  ///< in the pass under way, with what each held before it
};

}  // namespace orrery::gang
