// A pass of a line policy: the rules of semantics.md, "A pass of a line policy", in order.
#include "engine/gang/gang_jobs.hpp"

#include "orrery/base/check.hpp"

#include <limits>

namespace orrery::gang {

void GangJobs::pass(Pool& pool, SimTime now) {
  ++decisions_;
  if (pool.scheduler != nullptr) {
    ask_scheduler(pool, now);
  } else if (pool.rule.blocked == Blocked::reserve) {
    walk_with_reservation(pool, now);
  } else {
    walk(pool, now);
  }
  settle(pool, now);
}

void GangJobs::walk(Pool& pool, SimTime now) {
  // What a closed class lacks only an event can bring, but for keys that rise and placements that
  // are not monotone.
  if (pool.rising || !choice_.placement->monotone(free(pool))) pool.line.open_all();
  Room& room = room_;
  int below = std::numeric_limits<int>::max();
  // 1. The jobs without GPUs in key order; an evicted job enters at its own place. 2. A holder
  // keeps its GPUs, unless it is evicted.
  while (const Waiting* first = pool.line.first_open(jobs_, below)) {
    const Slot slot = first->slot;
    const Place place = first->place;
    const int gpus = jobs_[slot].gpus();
    if (find_room(pool, jobs_[slot], place, now, room)) {
      pool.line.pop_first();
      for (const Slot victim : room.evicted) evict(pool, victim, now);
      grant(pool, slot, room.picks);
      continue;
    }
    // 6. What does not fit stops the walk, or is skipped with every later job that wants as many
    // GPUs or more.
    pool.line.close_from(gpus);
    if (pool.rule.blocked == Blocked::stop) break;
    below = gpus;
  }
}

/// Rules 3 and 4: free GPUs by the placement rule, else at the cost of holders later in the order.
bool GangJobs::find_room(Pool& pool, const ActiveJob& job, const Place& place, SimTime now,
                         Room& room) {
  ++tries_;
  room.evicted.clear();
  room.picks.clear();
  const Demand wanted = demand(job);
  FreeNodes& nodes = free(pool);
  if (counts_only_ ? nodes.total_free() >= wanted.gpus
                   : choice_.placement->place(nodes, wanted, room.picks))
    return true;
  return pool.victims && pool.victims->find(jobs_, nodes, wanted, place, now, room);
}

void GangJobs::evict(Pool& pool, Slot slot, SimTime now) {
  ActiveJob& job = jobs_[slot];
  ORRERY_CHECK(job.holds && !job.evicted, "a job is evicted twice in one pass");  // I14
  pool.victims->remove(jobs_, slot);
  pool.evicted.emplace_back(slot, job.slices);
  give_back(job, pool);
  job.evicted = true;
  const Place place = place_of(job, now);
  pool.line.push(jobs_, slot, place);
  pool.line.open_from(jobs_, place);
}

void GangJobs::grant(Pool& pool, Slot slot, const Picks& picks) {
  ActiveJob& job = jobs_[slot];
  take(job, pool, picks);
  if (job.evicted) {
    job.placed = true;
  } else {
    pool.started.push_back(slot);
  }
}

/// Rule 5: an evicted job that was placed again has migrated, otherwise it is preempted. Keys are
/// asked now, never inside a walk.
void GangJobs::settle(Pool& pool, SimTime now) {
  for (const auto& [slot, held] : pool.evicted)
    if (!jobs_[slot].placed) settle_preempted(pool, slot, held, now);
  for (const auto& [slot, held] : pool.evicted)
    if (jobs_[slot].placed) settle_migrated(pool, slot, now);
  for (const Slot slot : pool.started) settle_started(pool, slot, now);
  pool.evicted.clear();
  pool.started.clear();
}

void GangJobs::settle_preempted(Pool& pool, Slot slot, const Slices& held, SimTime now) {
  ActiveJob& job = jobs_[slot];
  const Place before = place_of(job, now);
  end_stretch(job, now);
  job.evicted = false;
  ++job.account.preemptions;
  ++preemptions_;
  record(now, job, Verb::preempt, span_of(held));
  pool.waits.begin_preempted(job, now);
  ++pool.waiting;
  ++jobs_waiting_;
  --jobs_running_;
  gpus_waited_for_ += job.gpus();
  if (pool.scheduler != nullptr) {
    unlist(pool.running_jobs, job.id());
    list(pool.waiting_jobs, job.id());
    return;
  }
  ask_key(pool, job, now);
  if (const Place after = place_of(job, now); after != before) {
    pool.line.forget(job);  // the entry made at its eviction
    pool.line.push(jobs_, slot, after);
  }
}

void GangJobs::settle_migrated(Pool& pool, Slot slot, SimTime now) {
  ActiveJob& job = jobs_[slot];
  job.evicted = false;
  job.placed = false;
  if (counts_only_) {  // GPUs have no identity: it holds what it held, and nothing has happened
    if (pool.victims) pool.victims->add(jobs_, slot, now);
    return;
  }
  ++job.account.migrations;
  ++migrations_;
  if (options_.preempt_cost > Duration::zero()) {
    end_stretch(job, now);
    begin_stretch(slot, now, options_.preempt_cost);
    schedule_key_limit(job, now);
  } else if (options_.rates != nullptr) {
    job.activity.set_rate(now, options_.rates->rate(job.id(), span_of(job.slices), now));
    schedule_completion(job);
  }
  record(now, job, Verb::migrate, span_of(job.slices));
  if (pool.victims) pool.victims->add(jobs_, slot, now);
}

void GangJobs::settle_started(Pool& pool, Slot slot, SimTime now) {
  ActiveJob& job = jobs_[slot];
  const Place before = place_of(job, now);
  pool.waits.end(job, now);
  job.just_arrived = false;
  if (job.account.first_start == kNever) job.account.first_start = now;
  begin_stretch(slot, now, job.account.preemptions > 0 ? options_.preempt_cost : Duration::zero());
  record(now, job, Verb::start, span_of(job.slices));
  --pool.waiting;
  --jobs_waiting_;
  ++jobs_running_;
  gpus_waited_for_ -= job.gpus();
  if (pool.scheduler != nullptr) {
    unlist(pool.waiting_jobs, job.id());
    list(pool.running_jobs, job.id());
  }
  if (!pool.victims) return;
  ask_key(pool, job, now);
  if (before < place_of(job, now))
    pool.line.open_all();  // it is later now than when it was placed: others may evict it
  pool.victims->add(jobs_, slot, now);
  schedule_key_limit(job, now);
}

void GangJobs::walk_with_reservation(Pool& pool, SimTime now) {
  const bool monotone = choice_.placement->monotone(free(pool));
  std::uint32_t from = pool.backfill.untried;
  if (!monotone || !pool.backfill.reservation_stands(now)) {
    // The first in the order start while there is room; the next one gets a reservation.
    std::optional<BackfillClass::Entry> head = pool.backfill.head();
    Picks picks;
    while (head && start_where_free(pool, head->slot, now, picks)) head = pool.backfill.head();
    pool.backfill.forget_reservation();
    if (!head) return;
    if (free(pool).total_free() == 0) return;  // nobody can be moved ahead: no need to know when
    pool.backfill.reserve(jobs_, free(pool), *choice_.placement, demand(jobs_[head->slot]), now);
    from = head->job + 1;
  }
  backfill(pool, from, now);
  pool.backfill.untried = static_cast<std::uint32_t>(next_);
}

/// Starts a job on free GPUs by the placement rule, if there is room.
bool GangJobs::start_where_free(Pool& pool, Slot slot, SimTime now, Picks& picks) {
  ++tries_;
  const Demand wanted = demand(jobs_[slot]);
  picks.clear();
  if (!(counts_only_ ? free(pool).total_free() >= wanted.gpus
                     : choice_.placement->place(free(pool), wanted, picks)))
    return false;
  start_reserved_line(pool, slot, picks, now);
  return true;
}

void GangJobs::start_reserved_line(Pool& pool, Slot slot, const Picks& picks, SimTime now) {
  ActiveJob& job = jobs_[slot];
  pool.backfill.remove(job);
  grant(pool, slot, picks);
  const auto run_time = expected(job, now);
  job.known_end = run_time ? now + *run_time : kNever;
  pool.backfill.started(job, slot);
}

/// Later jobs, in order: one that ends before the reserved instant may take any free GPUs, another
/// only those that the head leaves over.
void GangJobs::backfill(Pool& pool, std::uint32_t from, SimTime now) {
  const SimTime reserved = pool.backfill.reserved_at();
  const std::int64_t longest =
      reserved == kNever ? BackfillClass::kUnknown - 1 : micros(reserved - now);
  int below_any = std::numeric_limits<int>::max();
  int below_long = below_any;
  while (free(pool).total_free() > 0) {
    const auto next = pool.backfill.next(from, below_any, below_long, longest);
    if (!next) return;
    from = next->job + 1;
    const int gpus = jobs_[next->slot].gpus();
    const auto run_time = expected(jobs_[next->slot], now);
    const bool ends_in_time = run_time && micros(*run_time) <= longest;
    if (try_backfill(pool, next->slot, ends_in_time, now)) continue;
    below_long = std::min(below_long, gpus);
    if (ends_in_time) below_any = std::min(below_any, gpus);
  }
}

bool GangJobs::try_backfill(Pool& pool, Slot slot, bool ends_in_time, SimTime now) {
  Picks picks;
  if (ends_in_time) return start_where_free(pool, slot, now, picks);
  const Demand wanted = demand(jobs_[slot]);
  const bool placed = pool.backfill.beside_head(free(pool), counts_only_, [&] {
    return counts_only_ ? free(pool).total_free() >= wanted.gpus
                        : choice_.placement->place(free(pool), wanted, picks);
  });
  if (!placed) return false;
  pool.backfill.took_beside_head(picks, wanted.gpus);
  start_reserved_line(pool, slot, picks, now);
  return true;
}

}  // namespace orrery::gang
