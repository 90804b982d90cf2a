// Another policy takes over while the run goes on: what a branch of a snapshot is made of.
#include "engine/gang/gang_jobs.hpp"

#include "orrery/base/check.hpp"
#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::gang {

/// The policy of choice_, for one pool. Throws UsageError.
std::unique_ptr<LinePolicy> GangJobs::make_policy() const {
  std::unique_ptr<LinePolicy> policy =
      orrery::make_policy(*choice_.policy, choice_.options, estimates_.get());
  const LineRule rule = policy->rule();
  if (rule.blocked == Blocked::reserve && rule.preempts == Preempts::any)
    throw UsageError(std::string{choice_.policy->name} + ": a rule that reserves cannot preempt");
  return policy;
}

/// Those that will take over learn from the first job on.
void GangJobs::add_successors() {
  SimTime last{Duration{-1}};
  for (const Takeover& takeover : options_.takeovers) {
    if (takeover.at <= last)
      throw UsageError(fmt::format("{} takes over at {} s, which is not after what comes before it",
                                   takeover.policy->name,
                                   seconds_text(takeover.at.time_since_epoch())));
    last = takeover.at;
    auto estimates =
        make_estimates(options_.durations, takeover.policy->knows, *workload_, options_.seed);
    orrery::make_policy(*takeover.policy, takeover.options,
                        estimates.get());  // wrong options are told at once
    takeover.options.check_all_used();
    knowledge_ += fmt::format("; from {} s on {}", seconds_text(last.time_since_epoch()),
                              knowledge_text(options_.durations, takeover.policy->knows));
    successors_.push_back({takeover, std::move(estimates)});
  }
  if (!successors_.empty()) next_takeover_ = successors_.front().takeover.at;
}

void GangJobs::schedule_takeover() {
  ORRERY_CHECK(next_takeover_ >= kernel_->now(), "a takeover lies in the past");
  kernel_->schedule({.time = next_takeover_, .kind = takeover_, .subject = 0, .stamp = 0});
  next_takeover_ = kNever;
}

void GangJobs::take_over(SimTime now) {
  Successor& next = successors_.front();
  choice_.policy = next.takeover.policy;
  choice_.options = next.takeover.options;
  estimates_ = std::move(next.estimates);
  successors_.erase(successors_.begin());
  if (!successors_.empty()) next_takeover_ = successors_.front().takeover.at;
  reach_ = kFarReach;
  for (const auto& pool : pools_) renew(*pool);
  std::vector<Slot> active;
  for (Slot slot = 0; slot < jobs_.size(); ++slot)
    if (slot_of_[jobs_[slot].id().index()] == slot) active.push_back(slot);
  std::ranges::sort(active, {}, [&](Slot slot) { return jobs_[slot].id(); });
  for (const Slot slot : active) enter(slot, now);
}

/// An empty line under the new policy, which is asked in this instant.
void GangJobs::renew(Pool& pool) {
  pool.policy = make_policy();
  pool.scheduler = dynamic_cast<Scheduler*>(pool.policy.get());
  pool.waiting_jobs.clear();
  pool.running_jobs.clear();
  pool.next_ask = kNever;
  pool.rule = pool.policy->rule();
  pool.line = WaitLine{pool.rule.blocked == Blocked::skip};
  pool.backfill = Backfill{};
  pool.victims = pool.preempts() ? make_victims(pool) : nullptr;
  pool.next_tick = kNever;
  pool.rising = false;
  pool.dirty = true;
  touch(pool);
}

/// A job that waits or holds GPUs takes its place under the new policy.
void GangJobs::enter(Slot slot, SimTime now) {
  ActiveJob& job = jobs_[slot];
  Pool& pool = pool_of(job);
  ask_key(pool, job, now);
  if (pool.scheduler != nullptr) {
    list(job.holds ? pool.running_jobs : pool.waiting_jobs, job.id());
    return;
  }
  const bool reserves = pool.rule.blocked == Blocked::reserve;
  if (!job.holds) {
    if (reserves) {
      pool.backfill.push(job, slot, expected(job, now));
    } else {
      pool.line.push(jobs_, slot, place_of(job, now));
    }
    return;
  }
  if (reserves) {
    const auto run_time = expected(job, now);
    job.known_end = run_time ? now + *run_time : kNever;
    pool.backfill.started(job, slot);
  }
  if (!pool.victims) return;
  pool.victims->add(jobs_, slot, now);
  schedule_key_limit(job, now);
}

/// How long a job is expected to hold GPUs from now on, or from its next start on: its estimate
/// without what it has run, with the overhead that is still to come.
std::optional<Duration> GangJobs::expected(const ActiveJob& job, SimTime now) const {
  const auto run_time = estimates_ ? estimates_->run_time(job.id()) : std::nullopt;
  if (!run_time) return std::nullopt;
  Duration ran = job.account.run;
  Duration overhead{};
  if (!job.holds && job.account.preemptions > 0) overhead = options_.preempt_cost;
  if (job.holds && job.in_overhead) overhead = options_.preempt_cost - (now - job.held_since);
  if (job.holds && !job.in_overhead) ran += now - job.progress_since;
  return overhead + std::max(Duration::zero(), *run_time - ran);
}

}  // namespace orrery::gang
