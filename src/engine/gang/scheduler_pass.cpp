// A pass of a Scheduler: it is asked, its decision is checked, then enacted as that of a line.
#include "engine/gang/gang_jobs.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::gang {

/// A pool as its scheduler sees it.
class GangJobs::PoolView final : public View {
 public:
  PoolView(const GangJobs& jobs, const Pool& pool, SimTime now)
      : jobs_{jobs}, pool_{pool}, now_{now} {}
  SimTime now() const override { return now_; }
  std::span<const JobId> waiting() const override { return pool_.waiting_jobs; }
  std::span<const JobId> running() const override { return pool_.running_jobs; }
  JobView job(JobId job) const override { return jobs_.view_of(of(job), now_); }
  std::span<const Slice> held(JobId job) const override { return span_of(of(job).slices); }
  const FreeNodes& free() const override { return jobs_.cluster_.free(pool_.id); }
  const Placement& placement() const override { return *jobs_.choice_.placement; }

 private:
  const ActiveJob& of(JobId job) const {
    return jobs_.jobs_[jobs_.slot_in(pool_, job, now_, "looks at")];
  }
  const GangJobs& jobs_;
  const Pool& pool_;
  SimTime now_;
};

void GangJobs::broken_decision(JobId job, SimTime now, const std::string& rule) const {
  const std::string name = job.index() < workload_->size() ? quote(workload_->id_text(job))
                                                           : fmt::format("number {}", job.value());
  throw Fault(fmt::format("policy {}, job {} at {} s: {}", choice_.policy->name, name,
                          seconds_text(now.time_since_epoch()), rule));
}

void GangJobs::check_nobody_waits() const {
  if (jobs_waiting_ == 0) return;
  std::size_t first = 0;  // a job that waits
  while (slot_of_[first] == kNoSlot || jobs_[slot_of_[first]].holds) ++first;
  throw Fault(fmt::format(
      "policy {} leaves {} waiting at {} s, the first {}, and nothing is left to happen",
      choice_.policy->name, jobs_waiting_ == 1 ? "a job" : fmt::format("{} jobs", jobs_waiting_),
      seconds_text(kernel_->now().time_since_epoch()), quote(workload_->id_text(JobId{first}))));
}

/// The slot of a job that waits or runs in this pool.
Slot GangJobs::slot_in(const Pool& pool, JobId job, SimTime now, const char* doing) const {
  const Slot slot = job.index() < next_ ? slot_of_[job.index()] : kNoSlot;
  if (slot == kNoSlot || jobs_[slot].pool != pool.id.index())
    broken_decision(job, now,
                    fmt::format("the policy {} a job that neither waits nor runs here", doing));
  return slot;
}

void GangJobs::list(std::vector<JobId>& jobs, JobId job) {
  jobs.insert(std::ranges::lower_bound(jobs, job), job);
}

void GangJobs::unlist(std::vector<JobId>& jobs, JobId job) {
  const auto found = std::ranges::lower_bound(jobs, job);
  if (found != jobs.end() && *found == job) jobs.erase(found);
}

void GangJobs::ask_scheduler(Pool& pool, SimTime now) {
  Decision decision;
  pool.scheduler->decide(PoolView{*this, pool, now}, decision);
  for (const JobId job : decision.preempts()) take_back(pool, job, now);
  for (const Decision::Start& start : decision.starts()) start_as_told(pool, start, now);
  if (!decision.asks_at()) return;
  if (*decision.asks_at() <= now)
    throw Fault(fmt::format("policy {} asks at {} s to be asked at {} s, which is not ahead",
                            choice_.policy->name, seconds_text(now.time_since_epoch()),
                            seconds_text(decision.asks_at()->time_since_epoch())));
  pool.next_ask = *decision.asks_at();
  kernel_->schedule({.time = pool.next_ask, .kind = ask_, .subject = pool.id.value(), .stamp = 0});
}

void GangJobs::take_back(Pool& pool, JobId job, SimTime now) {
  const Slot slot = slot_in(pool, job, now, "preempts");
  ActiveJob& mine = jobs_[slot];
  if (!mine.holds || mine.evicted)
    broken_decision(job, now,
                    mine.evicted ? "the policy preempts it twice in one decision"
                                 : "the policy preempts it, but it does not run");
  pool.evicted.emplace_back(slot, mine.slices);
  give_back(mine, pool);
  mine.evicted = true;
}

void GangJobs::start_as_told(Pool& pool, const Decision::Start& start, SimTime now) {
  const Slot slot = slot_in(pool, start.job, now, "starts");
  ActiveJob& job = jobs_[slot];
  if (job.placed || std::ranges::find(pool.started, slot) != pool.started.end())
    broken_decision(start.job, now, "the policy starts it twice in one decision");
  if (job.holds && !job.evicted)
    broken_decision(start.job, now, "the policy starts it, but it runs already");
  Picks picks = start.picks;
  ++tries_;
  if (!picks.empty()) {
    check_picks(pool, start, now);
  } else if (!(counts_only_ ? free(pool).total_free() >= job.gpus()
                            : choice_.placement->place(free(pool), demand(job), picks))) {
    if (start.must)
      broken_decision(start.job, now, "the policy starts it where the placement finds no room");
    return;
  }
  grant(pool, slot, picks);
}

/// GPUs that a policy names: of this pool, free, and as many as the gang wants.
void GangJobs::check_picks(const Pool& pool, const Decision::Start& start, SimTime now) const {
  if (counts_only_)
    broken_decision(start.job, now, "the policy names GPUs, but they have no identity under count");
  const FreeNodes& nodes = cluster_.free(pool.id);
  const std::size_t first = nodes.first_node().index();
  int granted = 0;
  for (std::size_t i = 0; i < start.picks.size(); ++i) {
    const Pick& pick = start.picks[i];
    int wanted = 0;  // of this node, by all picks up to this one
    for (std::size_t k = 0; k <= i; ++k)
      if (start.picks[k].node == pick.node) wanted += start.picks[k].gpus;
    if (pick.node.index() < first || pick.node.index() >= first + nodes.nodes() || pick.gpus < 1)
      broken_decision(start.job, now,
                      fmt::format("the policy grants {} GPUs of node {}, which cannot be",
                                  pick.gpus, pick.node.index()));
    if (wanted > nodes.free(pick.node))
      broken_decision(start.job, now,
                      fmt::format("the policy grants {} GPUs of node {}, where {} are free", wanted,
                                  pick.node.index(), nodes.free(pick.node)));
    granted += pick.gpus;
  }
  const int gang = jobs_[slot_of_[start.job.index()]].gpus();
  if (granted != gang)
    broken_decision(start.job, now,
                    fmt::format("the policy grants {} GPUs to a gang of {}", granted, gang));
}

}  // namespace orrery::gang
