// Questions about one job between two instants; they change nothing.
#include "engine/gang/gang_jobs.hpp"

#include "orrery/base/check.hpp"

#include <algorithm>

namespace orrery::gang {

Standing GangJobs::standing(JobId job) const {
  if (job.index() >= next_) return {.phase = Standing::Phase::unseen};
  const Slot slot = slot_of_[job.index()];
  if (slot == kNoSlot) return {.phase = Standing::Phase::gone};
  const ActiveJob& mine = jobs_[slot];
  if (mine.holds) return {.phase = Standing::Phase::holding};
  if (mine.account.first_start != kNever)
    return {.phase = Standing::Phase::waiting, .cause = WaitCause::preempted};
  return {.phase = Standing::Phase::waiting,
          .cause = pools_[mine.pool]->waits.state(mine.demand_class)};
}

Obstacles GangJobs::obstacles(JobId job) const {
  ORRERY_CHECK(standing(job).phase == Standing::Phase::waiting, "only a waiting job has obstacles");
  const SimTime now = kernel_->now();
  const ActiveJob& mine = jobs_[slot_of_[job.index()]];
  const Pool& pool = *pools_[mine.pool];
  const Place here = place_of(mine, now);
  Obstacles obstacles{.free_gpus = cluster_.free(pool.id).total_free()};
  std::vector<Slot> holders, ahead;
  for (Slot slot = 0; slot < jobs_.size(); ++slot) {
    const ActiveJob& other = jobs_[slot];
    // A slot between two jobs still tells of the last one.
    if (slot_of_[other.id().index()] != slot || other.pool != mine.pool || &other == &mine)
      continue;
    const bool later = here < place_of(other, now);
    if (!other.holds && !later) ahead.push_back(slot);
    if (!other.holds) continue;
    if (later && pool.preempts()) {
      obstacles.evictable_gpus += other.gpus();
    } else {
      holders.push_back(slot);
    }
  }
  const auto in_order = [&](std::vector<Slot>& slots) {
    std::ranges::sort(slots, {}, [&](Slot slot) { return place_of(jobs_[slot], now); });
    std::vector<Rival> rivals;
    for (const Slot slot : slots) rivals.push_back({jobs_[slot].id(), jobs_[slot].gpus()});
    return rivals;
  };
  obstacles.holders = in_order(holders);
  obstacles.ahead = in_order(ahead);
  return obstacles;
}

std::string GangJobs::limit_on(JobId job) const {
  const std::uint32_t pool_number = pool_index(job);
  if (pool_number != kNoPool) return limit_of(*pools_[pool_number], workload_->gang_size(job));
  const std::string& vc = workload_->vcs()[workload_->vc(job)];
  return vc.empty() ? "no VC, where each VC has its own nodes"
                    : "VC " + quote(vc) + " has no nodes";
}

}  // namespace orrery::gang
