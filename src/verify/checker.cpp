#include "orrery/verify/checker.hpp"

#include "verify/broken.hpp"
#include "verify/gpu_books.hpp"
#include "verify/job_books.hpp"
#include "verify/pass_rules.hpp"
#include "verify/run_books.hpp"

#include "orrery/workload/truth.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace orrery {

using verify::broken;
using verify::JobBook;
using verify::Phase;
using verify::Place;

class Checker::Books {
 public:
  Books(const Workload& workload, const Topology& topology, const CheckedRun& run)
      : workload_{workload},
        run_{run},
        gpus_{workload, topology, run.vc_mode, run.gangs},
        jobs_{workload.size()},
        sums_{workload, topology, run} {
    if (run.work_conserving) conservation_.emplace(gpus_);
    if (run.promises) promises_.emplace(workload, gpus_, *run.promises);
  }

  void history(const HistoryEntry& entry);
  void outcome(const JobOutcome& outcome);
  void state(const ClusterState& state);
  void finish(const RunTotals& totals);
  std::uint64_t checked() const { return checked_; }

 private:
  Place place(JobId job) const { return {workload_.id_text(job), now_}; }
  void advance(SimTime time, std::string_view job_id);
  void require(JobId job, Phase phase, std::string_view what) const;
  void close_instant();
  void settle_migrations();
  void count_decision(JobId job, JobBook& book);

  void submit(const HistoryEntry& entry);
  void waits(JobId job, const JobBook& book);
  void reject(JobId job);
  void start(const HistoryEntry& entry);
  void migrate(const HistoryEntry& entry);
  void preempt(const HistoryEntry& entry);
  void end(const HistoryEntry& entry);
  void give_back(const HistoryEntry& entry, JobBook& book);
  void check_work_done(const HistoryEntry& entry, const JobBook& book) const;

  void check_status(const JobOutcome& outcome) const;
  void check_unseen(const JobOutcome& outcome) const;
  void check_parts(const JobOutcome& outcome, const JobBook& book) const;

  const Workload& workload_;
  CheckedRun run_;
  verify::GpuBooks gpus_;
  verify::JobBooks jobs_;
  verify::RunBooks sums_;
  std::optional<verify::WorkConservation> conservation_;
  std::optional<verify::Promises> promises_;
  SimTime now_{};
  std::uint64_t checked_ = 0;
  std::uint32_t ended_now_ = 0;  // jobs that came to their end in the present instant
  std::size_t submitted_ = 0;
  std::vector<JobId> moving_;  // migrated in the present exchange, GPUs not yet taken
};

// ---- time --------------------------------------------------------------------------------------

void Checker::Books::advance(SimTime time, std::string_view job_id) {
  if (time < now_)
    broken("I1", {job_id, now_}, "an entry for " + seconds_text(time.time_since_epoch()) + " s");
  if (run_.until && time > *run_.until)
    broken("I1", {job_id, now_},
           "an entry past the horizon, for " + seconds_text(time.time_since_epoch()) + " s");
  if (time == now_) return;
  close_instant();
  sums_.advance(time);
  now_ = time;
  ended_now_ = 0;
}

void Checker::Books::close_instant() {
  settle_migrations();
  if (promises_) promises_->close_pass(now_);
  if (conservation_) conservation_->close_instant(now_);
}

/// Takes the new GPUs of jobs that migrated: all old ones have been given back by now.
void Checker::Books::settle_migrations() {
  for (const JobId job : moving_) {
    const JobBook& book = jobs_[job];
    gpus_.take(book.pool, workload_.gang_size(job), span_of(book.slices), place(job));
  }
  moving_.clear();
}

void Checker::Books::require(JobId job, Phase phase, std::string_view what) const {
  if (jobs_.phase(job) == phase) return;
  broken("I6", place(job), std::string{what} + " although it is " + name(jobs_.phase(job)));
}

/// One pass decides at most once on a job, and every pass of an instant but the first answers the
/// end of some job in that instant.
void Checker::Books::count_decision(JobId job, JobBook& book) {
  if (book.last_decision != now_) book.decisions = 0;
  book.last_decision = now_;
  if (++book.decisions > ended_now_ + 2)
    broken("I14", place(job),
           std::to_string(book.decisions) + " decisions on it while " + std::to_string(ended_now_) +
               " jobs ended in this instant");
}

// ---- history -----------------------------------------------------------------------------------

void Checker::Books::history(const HistoryEntry& entry) {
  ++checked_;
  if (entry.job.index() >= jobs_.jobs()) broken("I6", {{}, entry.time}, "an unknown job");
  if (entry.verb != Verb::migrate) settle_migrations();
  advance(entry.time, workload_.id_text(entry.job));
  if (promises_ && entry.verb != Verb::start) promises_->close_pass(now_);
  if (static_cast<int>(entry.gpus) != workload_.gang_size(entry.job))
    broken("I5", place(entry.job), "an entry for " + std::to_string(entry.gpus) + " GPUs");
  switch (entry.verb) {
    case Verb::submit:
      return submit(entry);
    case Verb::start:
      return start(entry);
    case Verb::migrate:
      return migrate(entry);
    case Verb::preempt:
      return preempt(entry);
    case Verb::reject:
      return reject(entry.job);
    case Verb::finish:
    case Verb::timeout:
    case Verb::horizon:
      return end(entry);
  }
}

void Checker::Books::submit(const HistoryEntry& entry) {
  require(entry.job, Phase::unseen, "submitted");
  if (entry.time != workload_.arrival(entry.job))
    broken("I1", place(entry.job), "submitted at another time than the trace says");
  if (entry.job.index() != submitted_) broken("I6", place(entry.job), "submitted out of order");
  ++submitted_;
  JobBook& book = jobs_.open(entry.job);
  book.waits_since = entry.time;
  jobs_.set_phase(entry.job, Phase::waiting);
  sums_.waits(entry.gpus);
  const auto pool = gpus_.pool_of_vc(workload_.vc(entry.job));
  if (!pool) return;  // only reject() may follow: start() checks
  book.pool = *pool;
  waits(entry.job, book);
}

void Checker::Books::waits(JobId job, const JobBook& book) {
  if (conservation_) conservation_->waits(book.pool, workload_.gang_size(job));
  if (promises_) promises_->waits(book.pool, job);
}

void Checker::Books::reject(JobId job) {
  require(job, Phase::waiting, "rejected");
  const JobBook& book = jobs_[job];
  if (book.first_start != kNever || now_ != workload_.arrival(job))
    broken("I6", place(job), "rejected later than on arrival");
  const auto pool = gpus_.pool_of_vc(workload_.vc(job));
  if (pool && !gpus_.impossible(*pool, workload_.gang_size(job)).value_or(true))
    broken("I4", place(job), "rejected although its pool can hold it");
  jobs_.set_phase(job, Phase::rejected);
  if (pool && conservation_) conservation_->leaves(*pool, workload_.gang_size(job));
  if (pool && promises_) promises_->leaves(*pool, job);
  sums_.leaves(static_cast<std::uint32_t>(workload_.gang_size(job)));
  ++ended_now_;
}

void Checker::Books::start(const HistoryEntry& entry) {
  const JobId job = entry.job;
  require(job, Phase::waiting, "started");
  if (!gpus_.pool_of_vc(workload_.vc(job)))
    broken("I4", place(job), "started although its VC has no GPUs");
  JobBook& book = jobs_[job];
  gpus_.take(book.pool, workload_.gang_size(job), entry.slices, place(job));
  count_decision(job, book);
  if (book.first_start == kNever) book.first_start = now_;
  const Duration waited = now_ - book.waits_since;
  book.wait += waited;
  if (book.was_preempted) book.wait_preempted += waited;
  book.overhead_due = book.was_preempted ? run_.preempt_cost : Duration{0};
  book.was_preempted = false;
  book.holds_since = now_;
  book.last_nodes = static_cast<std::uint32_t>(entry.slices.size());
  book.slices.assign(entry.slices.begin(), entry.slices.end());
  jobs_.set_phase(job, Phase::running);
  sums_.starts(entry.gpus, workload_.vc(job));
  if (conservation_) conservation_->leaves(book.pool, workload_.gang_size(job));
  if (promises_) promises_->starts(book.pool, job, now_, entry.slices);
}

void Checker::Books::migrate(const HistoryEntry& entry) {
  const JobId job = entry.job;
  require(job, Phase::running, "migrated");
  JobBook& book = jobs_[job];
  count_decision(job, book);
  book.close_stretch(now_);
  book.overhead_due = run_.preempt_cost;
  ++book.migrations;
  sums_.migrates();
  gpus_.give(book.pool, workload_.gang_size(job), span_of(book.slices));
  book.last_nodes = static_cast<std::uint32_t>(entry.slices.size());
  book.slices.assign(entry.slices.begin(), entry.slices.end());
  moving_.push_back(job);
  if (conservation_) conservation_->frees(book.pool);
}

void Checker::Books::give_back(const HistoryEntry& entry, JobBook& book) {
  if (!std::equal(entry.slices.begin(), entry.slices.end(), book.slices.begin(), book.slices.end()))
    broken("I2", place(entry.job), "gives back other GPUs than it holds");
  gpus_.give(book.pool, workload_.gang_size(entry.job), span_of(book.slices));
  book.close_stretch(now_);
  if (promises_) promises_->ends(book.pool, entry.job);
  if (conservation_) conservation_->frees(book.pool);
}

void Checker::Books::preempt(const HistoryEntry& entry) {
  const JobId job = entry.job;
  require(job, Phase::running, "preempted");
  JobBook& book = jobs_[job];
  count_decision(job, book);
  give_back(entry, book);
  ++book.preemptions;
  book.was_preempted = true;
  book.waits_since = now_;
  jobs_.set_phase(job, Phase::waiting);
  sums_.preempts(entry.gpus, workload_.vc(job));
  waits(job, book);
}

void Checker::Books::check_work_done(const HistoryEntry& entry, const JobBook& book) const {
  const Duration needed = workload_.truth().run_time(entry.job);
  const auto walltime = run_.enforce_walltime ? workload_.walltime(entry.job) : std::nullopt;
  const auto text = [](Duration d) { return seconds_text(d) + " s"; };
  if (walltime && book.held() > *walltime)
    broken("I8", place(entry.job),
           "held GPUs for " + text(book.held()) + ", its walltime is " + text(*walltime));
  if (entry.verb == Verb::timeout) {
    if (!walltime || book.held() != *walltime)
      broken("I8", place(entry.job), "timed out after " + text(book.held()) + " on GPUs");
    if (run_.full_rate && book.run >= needed)
      broken("I8", place(entry.job), "timed out although its work is done");
  } else if (run_.full_rate &&
             (entry.verb == Verb::finish ? book.run != needed : book.run > needed)) {
    broken("I8", place(entry.job), "ran for " + text(book.run) + " of " + text(needed));
  }
}

void Checker::Books::end(const HistoryEntry& entry) {
  require(entry.job, Phase::running, name(entry.verb));
  if (entry.verb == Verb::horizon) {  // nobody decides any more
    close_instant();
    conservation_.reset();
  }
  JobBook& book = jobs_[entry.job];
  give_back(entry, book);
  check_work_done(entry, book);
  if (entry.verb == Verb::horizon) {
    jobs_.set_phase(entry.job, Phase::stopped);
    sums_.stops(entry.gpus, workload_.vc(entry.job), place(entry.job));
    return;
  }
  book.end = now_;
  ++ended_now_;
  jobs_.set_phase(entry.job, entry.verb == Verb::finish ? Phase::finished : Phase::timed_out);
  sums_.ends(entry.gpus, workload_.vc(entry.job));
}

// ---- outcomes ----------------------------------------------------------------------------------

/// I6: the final state that is told is the one that was reached.
void Checker::Books::check_status(const JobOutcome& outcome) const {
  const auto expected = [&]() -> std::optional<JobStatus> {
    switch (jobs_.phase(outcome.job)) {
      case Phase::finished:
        return JobStatus::finished;
      case Phase::timed_out:
        return JobStatus::timeout;
      case Phase::rejected:
        return JobStatus::rejected;
      case Phase::unseen:
      case Phase::waiting:
      case Phase::stopped:
        return JobStatus::unfinished;
      case Phase::running:
      case Phase::told:
        break;
    }
    return std::nullopt;
  }();
  if (expected != outcome.status)
    broken("I6", place(outcome.job),
           "reported as " + std::string{name(outcome.status)} + " although it is " +
               name(jobs_.phase(outcome.job)));
}

void Checker::Books::check_unseen(const JobOutcome& outcome) const {
  if (outcome.first_start != kNever || outcome.end != kNever ||
      outcome.total_wait() != Duration{0} || outcome.run != Duration{0} ||
      outcome.overhead != Duration{0})
    broken("I9", place(outcome.job), "has times although it was never submitted");
}

/// I9: what is reported of a job is what the history adds up to.
void Checker::Books::check_parts(const JobOutcome& outcome, const JobBook& book) const {
  const auto check = [&](const char* what, std::int64_t reported, std::int64_t own) {
    if (reported == own) return;
    broken("I9", place(outcome.job),
           std::string{what} + " is reported as " + std::to_string(reported) +
               ", its history gives " + std::to_string(own));
  };
  check("first start (us)", micros(outcome.first_start), micros(book.first_start));
  check("end (us)", micros(outcome.end), micros(book.end));
  check("run (us)", micros(outcome.run), micros(book.run));
  check("overhead (us)", micros(outcome.overhead), micros(book.overhead));
  check("preemptions", outcome.preemptions, book.preemptions);
  check("migrations", outcome.migrations, book.migrations);
  check("nodes", outcome.nodes, book.last_nodes);
  check("gang size", outcome.gang_size, workload_.gang_size(outcome.job));
  check("sum of waits (us)", micros(outcome.total_wait()), micros(book.wait));
  check("wait after preemptions (us)",
        micros(outcome.wait[static_cast<std::size_t>(WaitCause::preempted)]),
        micros(book.wait_preempted));
  for (const Duration part : outcome.wait)
    if (part < Duration{0}) broken("I9", place(outcome.job), "a cause of waiting is negative");
  if (outcome.end == kNever) return;
  const Duration jct = outcome.end - workload_.arrival(outcome.job);
  check("JCT (us)", micros(jct), micros(book.wait + book.run + book.overhead));
}

void Checker::Books::outcome(const JobOutcome& outcome) {
  ++checked_;
  if (outcome.job.index() >= jobs_.jobs()) broken("I6", {{}, now_}, "an outcome of no job");
  settle_migrations();
  check_status(outcome);
  const Phase phase = jobs_.phase(outcome.job);
  jobs_.set_phase(outcome.job, Phase::told);
  if (phase == Phase::unseen) {
    check_unseen(outcome);
    sums_.outcome(outcome, workload_.vc(outcome.job));
    return;
  }
  JobBook& book = jobs_[outcome.job];
  if (phase == Phase::waiting) {  // the run ends: its wait goes on to that instant
    const SimTime until =
        sums_.end_of_run(outcome, workload_.arrival(outcome.job), place(outcome.job));
    const Duration waited = until - book.waits_since;
    book.wait += waited;
    if (book.was_preempted) book.wait_preempted += waited;
  }
  check_parts(outcome, book);
  sums_.outcome(outcome, workload_.vc(outcome.job));
  jobs_.close(outcome.job);
}

// ---- the run -----------------------------------------------------------------------------------

void Checker::Books::state(const ClusterState& state) {
  ++checked_;
  settle_migrations();
  advance(state.time, {});
  sums_.state(state);
}

void Checker::Books::finish(const RunTotals& totals) {
  close_instant();
  now_ = std::max(now_, totals.end);
  for (std::size_t j = 0; j < jobs_.jobs(); ++j)
    if (jobs_.phase(JobId{j}) != Phase::told)
      broken("I7", place(JobId{j}),
             "no outcome came, it is " + std::string{name(jobs_.phase(JobId{j}))});
  for (const verify::PoolBook& pool : gpus_.pools())
    if (pool.free != pool.capacity)
      broken("I17", {{}, now_}, std::to_string(pool.capacity - pool.free) + " GPUs are still held");
  sums_.finish(totals);
}

CheckedRun checked_run(const PolicyChoice& choice, const Spec& placement,
                       const SimOptions& options) {
  CheckedRun run{.vc_mode = options.vc_mode,
                 .preempt_cost = options.preempt_cost,
                 .enforce_walltime = options.enforce_walltime,
                 .full_rate = options.rates == nullptr,
                 .until = options.until};
  const auto relax = placement.values.find("relax");
  if (choice.placement->counts_only()) {
    run.gangs = GangRule::count;
  } else if (placement.name == "spread" ||
             (relax != placement.values.end() && relax->second != "never")) {
    run.gangs = GangRule::anywhere;
  }
  using Kind = DurationKnowledge::Kind;
  const auto blocked = [](const PolicyEntry& policy, const Options& with) {
    return make_policy(policy, with, nullptr)->rule().blocked;
  };
  const Blocked first = blocked(*choice.policy, choice.options);
  run.work_conserving = first == Blocked::skip && !options.round;
  for (const Takeover& next : options.takeovers)
    run.work_conserving &= blocked(*next.policy, next.options) == Blocked::skip;
  // A promise is only kept by who made it.
  if (first != Blocked::reserve || !options.takeovers.empty()) return run;
  const Kind kind =
      options.durations.kind == Kind::by_policy ? Kind::walltime : options.durations.kind;
  if (kind == Kind::oracle || kind == Kind::walltime) run.promises = kind;
  return run;
}

// ---- the public face ---------------------------------------------------------------------------

Checker::Checker(const Workload& workload, const Topology& topology, const CheckedRun& run)
    : books_{std::make_unique<Books>(workload, topology, run)} {}
Checker::~Checker() = default;
void Checker::history(const HistoryEntry& entry) {
  books_->history(entry);
}
void Checker::outcome(const JobOutcome& outcome) {
  books_->outcome(outcome);
}
void Checker::state(const ClusterState& state) {
  books_->state(state);
}
void Checker::finish(const RunTotals& totals) {
  books_->finish(totals);
}
std::uint64_t Checker::checked() const {
  return books_->checked();
}

}  // namespace orrery
