#include "engine/gang/gang_jobs.hpp"

#include "engine/gang/node_victims.hpp"

#include "orrery/base/check.hpp"
#include "orrery/base/error.hpp"
#include "orrery/workload/truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

namespace orrery::gang {
namespace {

std::string job_text(const Workload& workload, JobId job) {
  return "job " + quote(workload.id_text(job));
}

std::vector<PoolNodes> nodes_of(const std::vector<std::pair<std::string, PoolNodes>>& pools) {
  std::vector<PoolNodes> nodes;
  for (const auto& [name, pool] : pools) nodes.push_back(pool);
  return nodes;
}

/// GPU-microseconds; saturates, as no duration is too long for a gang to be looked at.
std::int64_t service(Duration held, int gpus) {
  std::int64_t product = 0;
  const bool too_long = __builtin_mul_overflow(micros(held), std::int64_t{gpus}, &product);
  return too_long ? std::numeric_limits<std::int64_t>::max() : product;
}

/// A job as its policy sees it. Here, where every key is asked, it must cost no call.
JobView view(const Workload& workload, const ActiveJob& job, SimTime now) {
  const Duration held = job.held_at(now);
  return {.id = job.id(),
          .gpus = job.gpus(),
          .vc = workload.vc(job.id()),
          .user = workload.user(job.id()),
          .arrival = job.arrival,
          .held = held,
          .service = service(held, job.gpus()),
          .preemptions = static_cast<int>(job.account.preemptions),
          .running = job.holds,
          .walltime = workload.walltime(job.id())};
}

}  // namespace

GangJobs::GangJobs(const Workload& workload, const Topology& topology, const PolicyChoice& choice,
                   const SimOptions& options, Recorder& recorder, Kernel& kernel)
    : workload_{&workload},
      choice_{choice},
      options_{options},
      recorder_{&recorder},
      kernel_{&kernel},
      estimates_{make_estimates(options.durations, choice.policy->knows, workload, options.seed)},
      counts_only_{choice.placement->counts_only()},
      cluster_{topology, nodes_of(divide(topology))},
      slot_of_(workload.size(), kNoSlot),
      ledger_{topology.total_gpus(), options.marks} {
  completion_ = kernel.register_kind(Rank::completion, 0);
  walltime_over_ = kernel.register_kind(Rank::completion, 0);
  overhead_over_ = kernel.register_kind(Rank::timer, 0);
  rate_change_ = kernel.register_kind(Rank::timer, 0);
  key_limit_ = kernel.register_kind(Rank::timer, 0);
  tick_ = kernel.register_kind(Rank::quantum, 0);
  takeover_ = kernel.register_kind(Rank::quantum, 0);
  ask_ = kernel.register_kind(Rank::quantum, 0);
  round_ = kernel.register_kind(Rank::round, 0);
  for (auto& [name, nodes] : divide(topology)) {
    auto pool = std::make_unique<Pool>(PoolId{pools_.size()}, name, nodes, make_policy());
    if (pool->preempts()) pool->victims = make_victims(*pool);
    pools_.push_back(std::move(pool));
  }
  choice_.options.check_all_used();
  knowledge_ = knowledge_text(options.durations, choice.policy->knows);
  add_successors();
  if (options.vc_mode != VcMode::fixed) return;
  pool_of_vc_.assign(workload.vcs().size(), kNoPool);
  for (const auto& pool : pools_)
    if (const std::uint32_t vc = workload.vcs().find(pool->name); vc != 0)
      pool_of_vc_[vc] = static_cast<std::uint32_t>(pool->id.index());
}

GangJobs::GangJobs(const GangJobs& other, Recorder& recorder, Kernel& kernel)
    : workload_{other.workload_},
      choice_{other.choice_},
      options_{other.options_},
      recorder_{&recorder},
      kernel_{&kernel},
      completion_{other.completion_},
      walltime_over_{other.walltime_over_},
      overhead_over_{other.overhead_over_},
      rate_change_{other.rate_change_},
      key_limit_{other.key_limit_},
      tick_{other.tick_},
      takeover_{other.takeover_},
      ask_{other.ask_},
      round_{other.round_},
      next_rate_change_{other.next_rate_change_},
      reach_{other.reach_},
      estimates_{other.estimates_ ? other.estimates_->clone() : nullptr},
      next_takeover_{other.next_takeover_},
      knowledge_{other.knowledge_},
      counts_only_{other.counts_only_},
      pool_of_vc_{other.pool_of_vc_},
      cluster_{other.cluster_},
      jobs_{other.jobs_},
      slot_of_{other.slot_of_},
      next_{other.next_},
      ledger_{other.ledger_},
      touched_{other.touched_},
      arrived_{other.arrived_},
      ended_{other.ended_},
      decisions_{other.decisions_},
      tries_{other.tries_},
      preemptions_{other.preemptions_},
      migrations_{other.migrations_},
      jobs_waiting_{other.jobs_waiting_},
      jobs_running_{other.jobs_running_},
      gpus_waited_for_{other.gpus_waited_for_},
      run_by_jobs_{other.run_by_jobs_},
      overhead_by_jobs_{other.overhead_by_jobs_},
      by_status_{other.by_status_},
      last_{other.last_},
      recorded_{other.recorded_},
      rejections_{other.rejections_} {
  for (const auto& pool : other.pools_)
    pools_.push_back(std::make_unique<Pool>(*pool, pool->policy->clone(estimates_.get())));
  for (const Successor& next : other.successors_)
    successors_.push_back({next.takeover, next.estimates ? next.estimates->clone() : nullptr});
}

/// One pool for the whole cluster, or the whole nodes of each VC in the order of the list.
std::vector<std::pair<std::string, PoolNodes>> GangJobs::divide(const Topology& topology) const {
  if (options_.vc_mode == VcMode::shared)
    return {{"", {.first = NodeId{0U}, .nodes = topology.nodes()}}};
  if (topology.vcs().empty())
    throw UsageError(
        "static VCs need their sizes: a cluster file with \"vcs\", or --vc-sizes FILE");
  std::vector<std::pair<std::string, PoolNodes>> pools;
  std::size_t next = 0;
  for (const VcShare& vc : topology.vcs()) {
    PoolNodes pool{.first = NodeId{next}, .nodes = 0};
    int left = vc.gpus;
    while (left > 0 && next < topology.nodes() && topology.gpus(NodeId{next}) <= left) {
      left -= topology.gpus(NodeId{next++});
      ++pool.nodes;
    }
    if (left > 0 && next == topology.nodes()) {
      std::int64_t sum = 0;
      for (const VcShare& each : topology.vcs()) sum += each.gpus;
      throw UsageError(fmt::format(
          "the VCs want {} GPUs in whole nodes, the cluster {} has {}: no nodes are left for VC {}",
          sum, topology.name(), topology.total_gpus(), quote(vc.name)));
    }
    if (left > 0) {
      throw UsageError(
          fmt::format("VC {} wants {} GPUs, which the next nodes, of {} GPUs, do not make up whole",
                      quote(vc.name), vc.gpus, topology.gpus(NodeId{next})));
    }
    if (pool.nodes > 0) pools.emplace_back(vc.name, pool);
  }
  return pools;
}

std::unique_ptr<VictimSearch> GangJobs::make_victims(const Pool& pool) const {
  const FreeNodes& nodes = cluster_.free(pool.id);
  if (counts_only_) return std::make_unique<CountVictims>();
  if (choice_.placement->closed_form(nodes)) return std::make_unique<NodeVictims>(nodes);
  return std::make_unique<LiteralVictims>(choice_.placement);
}

std::uint32_t GangJobs::pool_index(JobId job) const {
  return options_.vc_mode == VcMode::shared ? 0 : pool_of_vc_[workload_->vc(job)];
}

/// Why the empty pool cannot hold a gang of this size; empty when it can.
std::string GangJobs::limit_of(const Pool& pool, int gpus) const {
  const FreeNodes& now = cluster_.free(pool.id);
  const std::string where = pool.name.empty() ? "the cluster" : "VC " + quote(pool.name);
  if (gpus > now.total_capacity())
    return fmt::format("{} GPUs, but {} has {}", gpus, where, now.total_capacity());
  std::vector<std::uint8_t> capacities(now.nodes());
  for (std::size_t i = 0; i < capacities.size(); ++i)
    capacities[i] = static_cast<std::uint8_t>(now.capacity(now.node_at(i)));
  const FreeNodes empty{now.first_node(), std::move(capacities)};
  if (!choice_.placement->fits(empty, {.gpus = gpus}))
    return fmt::format("{} GPUs, which the placement finds on no nodes of {} even when it is empty",
                       gpus, where);
  return {};
}

void GangJobs::arrive(SimTime now) {
  while (next_arrival() == now) {
    kernel_->count_event();
    admit(JobId{next_++}, now);
  }
}

void GangJobs::admit(JobId job, SimTime now) {
  const int gpus = workload_->gang_size(job);
  if (recorder_->wants_submits())
    recorder_->submit({.time = now,
                       .job = job,
                       .verb = Verb::submit,
                       .gpus = static_cast<std::uint32_t>(gpus),
                       .slices = {}});
  if (estimates_) estimates_->arrived(job);
  for (const Successor& next : successors_)
    if (next.estimates) next.estimates->arrived(job);
  const std::uint32_t pool_number = pool_index(job);
  if (pool_number == kNoPool) {
    reject(job, limit_on(job), now);
    return;
  }
  Pool& pool = *pools_[pool_number];
  const std::uint32_t demand_class =
      pool.waits.class_of(gpus, [&](int size) { return limit_of(pool, size); });
  if (pool.waits.never_fits(demand_class)) {
    reject(job, pool.waits.limit(demand_class), now);
    return;
  }
  const Slot slot = jobs_.add();
  ActiveJob& mine = jobs_[slot];
  mine.begin(job, gpus, workload_->truth().run_time(job), now);
  mine.pool = pool_number;
  mine.demand_class = demand_class;
  if (recorder_->wants_history()) mine.id_hash = hash_text(workload_->id_text(job));
  slot_of_[job.index()] = slot;
  arrived_.push_back(slot);
  ask_key(pool, mine, now);
  if (pool.scheduler != nullptr) {
    list(pool.waiting_jobs, job);
  } else if (pool.rule.blocked == Blocked::reserve) {
    pool.backfill.push(mine, slot, expected(mine, now));
  } else {
    pool.line.push(jobs_, slot, place_of(mine, now));
  }
  ++pool.waiting;
  ++jobs_waiting_;
  gpus_waited_for_ += gpus;
  pool.dirty = true;
  touch(pool);
}

void GangJobs::reject(JobId job, const std::string& limit, SimTime now) {
  const auto same =
      std::ranges::find(rejections_, limit, &std::pair<std::string, std::uint64_t>::first);
  if (same == rejections_.end()) {
    rejections_.emplace_back(limit, 1);
  } else {
    ++same->second;
  }
  JobOutcome outcome{.job = job,
                     .status = JobStatus::rejected,
                     .gang_size = static_cast<std::uint32_t>(workload_->gang_size(job))};
  recorder_->history({.time = now,
                      .job = job,
                      .verb = Verb::reject,
                      .gpus = outcome.gang_size,
                      .slices = {},
                      .id_hash = hash_text(workload_->id_text(job))});
  recorder_->outcome(outcome);
  ++by_status_[static_cast<std::size_t>(JobStatus::rejected)];
  ++ended_;
}

JobView GangJobs::view_of(const ActiveJob& job, SimTime now) const {
  return view(*workload_, job, now);
}

void GangJobs::ask_key(Pool& pool, ActiveJob& job, SimTime now) {
  // Made in its place: a copy would wait for the stores that make it.
  new (&job.key) Key(pool.policy->key(view(*workload_, job, now)));
  const Key& key = job.key;
  const std::int64_t slope =
      std::abs(std::int64_t{key.per_progress}) + std::abs(std::int64_t{key.per_held});
  ORRERY_CHECK(slope <= (1 << 20), "policy " + std::string{choice_.policy->name} + ", " +
                                       job_text(*workload_, job.id()));
  if (slope > 1) reach_ = std::min(reach_, at(Duration{kFarthest / slope}));
  if (now > reach_) refuse(now);
  pool.rising = pool.rising || key.per_progress > 0 || key.per_held > 0;
}

void GangJobs::refuse(SimTime now) const {
  throw InputError(
      fmt::format("the run reaches {} s, but with these gangs policy {} keeps its order exactly up "
                  "to {} s only",
                  seconds_text(now.time_since_epoch()), choice_.policy->name,
                  seconds_text(reach_.time_since_epoch())));
}

void GangJobs::handle(const Event& event) {
  const SimTime now = event.time;
  if (event.kind.rank() >= Rank::quantum) {
    occasion(event);
    return;
  }
  if (event.kind == rate_change_) {
    kernel_->count_event();
    rerate_all(now);
    return;
  }
  const Slot slot = slot_of_[event.subject];
  if (slot == kNoSlot) return;
  ActiveJob& job = jobs_[slot];
  const std::uint32_t current = event.kind == completion_ ? job.completion : job.stretch;
  if (event.stamp != (current & Event::kStampMask)) return;
  if (event.kind == key_limit_ && job.key.until_held != job.held_at(now)) return;  // another's key
  kernel_->count_event();
  if (event.kind == completion_) {
    ORRERY_CHECK(job.activity.progress(now).whole >= micros(job.activity.work()),
                 job_text(*workload_, job.id()));  // I8
    end_job(slot, Verb::finish, JobStatus::finished, now);
  } else if (event.kind == walltime_over_) {
    end_job(slot, Verb::timeout, JobStatus::timeout, now);
  } else if (event.kind == overhead_over_) {
    Pool& pool = pool_of(job);
    if (pool.victims) pool.victims->remove(jobs_, slot);
    ledger_.change_overhead(-job.gpus());
    ledger_.change_busy(job.gpus());
    start_progress(job, now);
    if (pool.victims) pool.victims->add(jobs_, slot, now);
  } else {
    key_limit_reached(slot, now);
  }
}

/// What belongs to a pool or to all, and no job: an occasion to ask a policy, or another policy.
void GangJobs::occasion(const Event& event) {
  const SimTime now = event.time;
  if (event.kind == takeover_) {
    kernel_->count_event();
    take_over(now);
    return;
  }
  Pool& pool = *pools_[event.subject];
  const bool stands =
      event.kind == ask_ ? pool.next_ask == now : pool.next_tick == now && pool.waiting > 0;
  if (!stands) return;
  kernel_->count_event();
  pool.dirty = true;
  touch(pool);
}

void GangJobs::key_limit_reached(Slot slot, SimTime now) {
  ActiveJob& job = jobs_[slot];
  Pool& pool = pool_of(job);
  pool.victims->remove(jobs_, slot);
  ask_key(pool, job, now);
  pool.victims->add(jobs_, slot, now);
  schedule_key_limit(job, now);
  pool.line.open_all();
  pool.dirty = true;
  touch(pool);
}

void GangJobs::schedule_key_limit(const ActiveJob& job, SimTime now) {
  if (!job.key.until_held) return;
  const Duration left = *job.key.until_held - job.held_at(now);
  ORRERY_CHECK(left > Duration::zero(),
               "policy " + std::string{choice_.policy->name} + ": until_held is not ahead");
  kernel_->schedule(
      {.time = now + left, .kind = key_limit_, .subject = job.id().value(), .stamp = job.stretch});
}

void GangJobs::take(ActiveJob& job, Pool& pool, const Picks& picks) {
  ORRERY_CHECK(job.slices.empty(), job_text(*workload_, job.id()) + " holds GPUs already");
  if (counts_only_) {
    free(pool).change_total(-job.gpus());
  } else {
    int granted = 0;
    for (const Pick& pick : picks) {
      job.slices.push_back(cluster_.take(pool.id, pick.node, pick.gpus));
      granted += pick.gpus;
      if (pool.victims) pool.victims->touch(pick.node);
    }
    ORRERY_CHECK(granted == job.gpus(),
                 job_text(*workload_, job.id()) + " is granted " + std::to_string(granted));  // I5
  }
  job.account.nodes = static_cast<std::uint32_t>(job.slices.size());
  touch(pool);
}

void GangJobs::give_back(ActiveJob& job, Pool& pool) {
  if (counts_only_) free(pool).change_total(job.gpus());
  for (const Slice& slice : job.slices) {
    cluster_.give(pool.id, slice);
    if (pool.victims) pool.victims->touch(slice.node);
  }
  job.slices.clear();
  touch(pool);
}

void GangJobs::begin_stretch(Slot slot, SimTime now, Duration overhead) {
  ActiveJob& job = jobs_[slot];
  job.holds = true;
  job.held_since = now;
  ++job.stretch;
  if (options_.enforce_walltime) {
    if (const auto walltime = workload_->walltime(job.id()))
      kernel_->schedule({.time = now + std::max(Duration::zero(), *walltime - job.held),
                         .kind = walltime_over_,
                         .subject = job.id().value(),
                         .stamp = job.stretch});
  }
  if (overhead == Duration::zero()) {
    ledger_.change_busy(job.gpus());
    start_progress(job, now);
    return;
  }
  job.in_overhead = true;
  ledger_.change_overhead(job.gpus());
  kernel_->schedule({.time = now + overhead,
                     .kind = overhead_over_,
                     .subject = job.id().value(),
                     .stamp = job.stretch});
}

void GangJobs::start_progress(ActiveJob& job, SimTime now) {
  job.in_overhead = false;
  job.progress_since = now;
  job.activity.set_rate(now, options_.rates == nullptr
                                 ? kFullRate
                                 : options_.rates->rate(job.id(), span_of(job.slices), now));
  schedule_completion(job);
}

void GangJobs::schedule_completion(ActiveJob& job) {
  ++job.completion;
  kernel_->schedule({.time = job.activity.done_at(),
                     .kind = completion_,
                     .subject = job.id().value(),
                     .stamp = job.completion});
}

void GangJobs::end_stretch(ActiveJob& job, SimTime now) {
  const GpuTime::Wide gpus = job.gpus();
  const SimTime progress_from = job.in_overhead ? now : job.progress_since;
  job.account.overhead += progress_from - job.held_since;
  job.account.run += now - progress_from;
  overhead_by_jobs_ += gpus * micros(progress_from - job.held_since);
  run_by_jobs_ += gpus * micros(now - progress_from);
  (job.in_overhead ? ledger_.change_overhead(-job.gpus()) : ledger_.change_busy(-job.gpus()));
  job.held += now - job.held_since;
  job.activity.set_rate(now, 0);
  job.holds = false;
  job.in_overhead = false;
  ++job.stretch;
  ++job.completion;
}

void GangJobs::end_job(Slot slot, Verb verb, JobStatus status, SimTime now) {
  ActiveJob& job = jobs_[slot];
  ORRERY_CHECK(job.holds, job_text(*workload_, job.id()) + " ends while it waits");  // I6
  Pool& pool = pool_of(job);
  if (pool.victims) pool.victims->remove(jobs_, slot);
  if (pool.rule.blocked == Blocked::reserve) pool.backfill.ended(job, slot);
  if (pool.scheduler != nullptr) unlist(pool.running_jobs, job.id());
  end_stretch(job, now);
  record(now, job, verb, span_of(job.slices));
  give_back(job, pool);
  job.account.end = now;
  job.account.status = status;
  ORRERY_CHECK(
      job.account.total_wait() + job.account.run + job.account.overhead == now - job.arrival,
      job_text(*workload_, job.id()) + ": wait, run and overhead do not make up its JCT");  // I9
  recorder_->outcome(job.account);
  if (estimates_) estimates_->ended(job.id(), job.account.run);
  for (const Successor& next : successors_)
    if (next.estimates) next.estimates->ended(job.id(), job.account.run);
  ++by_status_[static_cast<std::size_t>(status)];
  ++ended_;
  --jobs_running_;
  slot_of_[job.id().index()] = kNoSlot;
  jobs_.remove(slot);
  pool.line.open_all();
  pool.dirty = true;
}

void GangJobs::rerate_all(SimTime now) {
  for (Slot slot = 0; slot < jobs_.size(); ++slot) {
    ActiveJob& job = jobs_[slot];
    if (!job.holds || job.in_overhead) continue;
    Pool& pool = pool_of(job);
    const Rate rate = options_.rates == nullptr
                          ? kFullRate
                          : options_.rates->rate(job.id(), span_of(job.slices), now);
    const SimTime done_before = job.activity.done_at();
    if (pool.victims) pool.victims->remove(jobs_, slot);
    job.activity.set_rate(now, rate);
    if (pool.victims) pool.victims->add(jobs_, slot, now);
    if (job.activity.done_at() != done_before) schedule_completion(job);
  }
}

void GangJobs::decide(SimTime now) {
  const bool asks = !options_.round || micros(now) % micros(*options_.round) == 0;
  if (touched_.size() > 1) std::ranges::sort(touched_);
  for (std::size_t i = 0; i < touched_.size() && asks; ++i) {
    Pool& pool = *pools_[touched_[i]];
    if (!pool.dirty) continue;
    pool.dirty = false;
    if (pool.waiting > 0 || pool.scheduler != nullptr) pass(pool, now);
  }
  if (options_.rerate_everything) rerate_all(now);
  if (options_.rates == nullptr) return;
  const SimTime change = options_.rates->next_change(now);
  if (change != kNever && change != next_rate_change_)
    kernel_->schedule({.time = change, .kind = rate_change_, .subject = 0, .stamp = 0});
  next_rate_change_ = change;
}

void GangJobs::settled(SimTime now) {
  for (const Slot slot : arrived_) {
    ActiveJob& job = jobs_[slot];
    if (!job.just_arrived) continue;  // it started, and may have ended, in this instant
    job.just_arrived = false;
    pool_of(job).waits.begin(job, now);
  }
  arrived_.clear();
  if (recorder_->wants_states() && !touched_.empty()) report_state(now);
  for (const std::uint32_t number : touched_) {
    Pool& pool = *pools_[number];
    pool.touched = false;
    if (!std::exchange(pool.changed, false)) continue;
    const std::int64_t fragmented =
        pool.waiting == 0 ? 0 : pool.waits.refresh(free(pool), *choice_.placement, now);
    ledger_.change_fragmented(fragmented - pool.fragmented_free);
    pool.fragmented_free = fragmented;
    schedule_ticks(pool, now);
  }
  touched_.clear();
  if (options_.check_keys) check_keys(now);
}

void GangJobs::check_keys(SimTime now) const {
  for (Slot slot = 0; slot < jobs_.size(); ++slot) {
    const ActiveJob& job = jobs_[slot];
    const Pool& pool = *pools_[job.pool];
    // Where nobody is preempted, nobody asks where a running job stands.
    if (slot_of_[job.id().index()] == slot && (pool.preempts() || !job.holds))
      check_key(pool, job, now);
  }
}

/// A key moves along its line by itself, and nothing in it but `second` depends on whether the job
/// runs.
void GangJobs::check_key(const Pool& pool, const ActiveJob& job, SimTime now) const {
  JobView view = view_of(job, now);
  const Key key = pool.policy->key(view);
  const auto broken = [&](const std::string& what) {
    throw Fault(fmt::format("policy {}, {} at {} s: {}", choice_.policy->name,
                            job_text(*workload_, job.id()), seconds_text(now.time_since_epoch()),
                            what));
  };
  const std::int64_t moved = job.value(now), anew = job.value_of(key, now);
  if (moved != anew || job.key.second != key.second)
    broken(fmt::format("its key has moved to ({}, {}), and asked anew it is ({}, {})", moved,
                       job.key.second, anew, key.second));
  if (job.holds && job.key.until_held != key.until_held)
    broken("asked anew, its key holds until another instant");
  view.running = !view.running;
  const Key other = pool.policy->key(view);
  if (other.base != key.base || other.per_progress != key.per_progress ||
      other.per_held != key.per_held)
    broken("more of its key than `second` depends on whether it runs");
}

/// Quanta, or in their place rounds, fall at multiples from the origin, only while somebody waits.
void GangJobs::schedule_ticks(Pool& pool, SimTime now) {
  const Duration step = options_.round ? *options_.round : pool.rule.quantum;
  if (step == Duration::zero() || pool.waiting == 0) return;
  const SimTime next = at(step * (micros(now) / micros(step) + 1));
  if (pool.next_tick == next) return;
  pool.next_tick = next;
  kernel_->schedule({.time = next,
                     .kind = options_.round ? round_ : tick_,
                     .subject = pool.id.value(),
                     .stamp = 0});
}

void GangJobs::report_state(SimTime now) {
  recorder_->state({.time = now,
                    .gpus_total = ledger_.capacity(),
                    .gpus_busy = ledger_.held(),
                    .gpus_down = 0,
                    .jobs_waiting = jobs_waiting_,
                    .jobs_running = jobs_running_,
                    .gpus_wanted = ledger_.held() + gpus_waited_for_});
}

std::string GangJobs::last_decisions() const {
  std::string text;
  const std::size_t kept = std::min(recorded_, last_.size());
  for (std::size_t i = 0; i < kept; ++i) {
    const auto& [job, verb] = last_[(recorded_ - kept + i) % last_.size()];
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", name(verb), job_text(*workload_, job));
  }
  return text;
}

RunTotals GangJobs::finish(SimTime now) {
  ledger_.advance(now);
  const bool all_ended = next_ == workload_->size() && jobs_waiting_ == 0 && jobs_running_ == 0;
  for (std::size_t i = 0; i < workload_->size(); ++i) {
    if (i >= next_) {  // not seen: submitted after the end of the run
      recorder_->outcome({.job = JobId{i},
                          .gang_size = static_cast<std::uint32_t>(workload_->gang_size(JobId{i}))});
      ++by_status_[static_cast<std::size_t>(JobStatus::unfinished)];
      continue;
    }
    if (slot_of_[i] == kNoSlot) continue;
    ActiveJob& job = jobs_[slot_of_[i]];
    if (job.holds) {
      end_stretch(job, now);
      record(now, job, Verb::horizon, span_of(job.slices));
    } else {
      pool_of(job).waits.end(job, now);
    }
    ++by_status_[static_cast<std::size_t>(JobStatus::unfinished)];
    recorder_->outcome(job.account);
  }
  std::uint64_t accounted = 0;
  for (const std::uint64_t count : by_status_) accounted += count;
  ORRERY_CHECK(accounted == workload_->size(),
               "jobs accounted for: " + std::to_string(accounted));  // I7
  ORRERY_CHECK(
      run_by_jobs_ == ledger_.total().busy && overhead_by_jobs_ == ledger_.total().overhead,
      "GPU time by jobs and by GPUs differ");  // I10
  for (const auto& pool : pools_)
    ORRERY_CHECK(!all_ended || free(*pool).total_free() == free(*pool).total_capacity(),
                 "GPUs are held by nobody");  // I17
  return {.end = now,
          .events = kernel_->events(),
          .decisions = decisions_,
          .tries = tries_,
          .preemptions = preemptions_,
          .migrations = migrations_,
          .at_marks = ledger_.at_marks(),
          .at_end = ledger_.total()};
}

}  // namespace orrery::gang
