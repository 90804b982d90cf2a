// The clock of the reference: second by second, each instant as docs/semantics.md tells it.
#include "invariants/reference/reference.hpp"

#include "invariants/reference/parts.hpp"

#include <algorithm>
#include <numeric>

namespace orrery::reference {

bool State::anyone_waits() const {
  return std::ranges::any_of(jobs, [](const Active& job) { return !job.running(); });
}
void State::give(Active& job, const Holding& nodes) {
  for (const auto& [node, gpus] : nodes) free[static_cast<std::size_t>(node)] -= gpus;
  job.holding = nodes;
}
void State::take_back(Active& job) {
  for (const auto& [node, gpus] : job.holding) free[static_cast<std::size_t>(node)] += gpus;
  job.holding.clear();
}

namespace {

class Clock {
 public:
  Clock(const Pool& pool, const std::vector<Job>& jobs, const Rules& rules)
      : jobs_{jobs}, rules_{rules} {
    all_gpus_ = std::accumulate(pool.begin(), pool.end(), 0);
    state_.capacity = rules.count ? Pool{all_gpus_} : pool;
    state_.free = state_.capacity;
    result_.outcomes.resize(jobs.size());
  }

  Result run() {
    for (;; ++now_) {
      instant();
      if (rules_.until ? now_ == *rules_.until : next_ == jobs_.size() && state_.jobs.empty())
        break;
      let_a_second_pass();
    }
    for (Active& job : state_.jobs) {
      if (!job.running()) continue;
      outcome(job).steps.push_back({now_, Verb::horizon, job.holding});
    }
    return result_;
  }

 private:
  Outcome& outcome(const Active& job) { return result_.outcomes[static_cast<std::size_t>(job.id)]; }

  void instant() {
    for (bool first = true;; first = false) {
      const bool ended = end_jobs();
      const bool arrived = admit_jobs();
      const bool moved = change_levels();
      if (!first && !ended) return;
      const bool event = ended || arrived || moved;
      const bool tick = has_quantum(rules_) && now_ % rules_.quantum == 0 && first;
      const bool asked = rules_.round ? now_ % *rules_.round == 0 : event || tick;
      if (asked && state_.anyone_waits()) pass();
    }
  }

  bool end_jobs() {
    bool any = false;
    for (std::size_t j = 0; j < state_.jobs.size();) {
      Active& job = state_.jobs[j];
      const bool done = job.running() && job.overhead_left == 0 && job.progress >= job.job.run;
      const bool over = job.running() && rules_.enforce_walltime && job.job.walltime &&
                        job.held >= *job.job.walltime;
      if (!done && !over) {
        ++j;
        continue;
      }
      Outcome& mine = outcome(job);
      mine.status = done ? Status::finished : Status::timeout;
      mine.end = now_;
      mine.steps.push_back({now_, done ? Verb::finish : Verb::timeout, job.holding});
      state_.take_back(job);
      state_.jobs.erase(state_.jobs.begin() + static_cast<std::ptrdiff_t>(j));
      any = true;
    }
    return any;
  }

  bool admit_jobs() {
    bool any = false;
    for (; next_ < jobs_.size() && jobs_[next_].submit == now_; ++next_) {
      if (jobs_[next_].gpus > all_gpus_) {
        result_.outcomes[next_].status = Status::rejected;
        result_.outcomes[next_].steps.push_back({now_, Verb::reject, {}});
        continue;
      }
      state_.jobs.push_back({.id = static_cast<int>(next_), .job = jobs_[next_]});
      state_.jobs.back().level = level_of(rules_, state_.jobs.back());
      any = true;
    }
    return any;
  }

  /// Levels that holders leave now.
  bool change_levels() {
    bool any = false;
    for (Active& job : state_.jobs) {
      if (!job.running()) continue;
      const std::size_t level = level_of(rules_, job);
      any = any || level != job.level;
      job.level = level;
    }
    return any;
  }

  void pass() {
    ++result_.passes;
    const Pass pass =
        rules_.policy == "easy" ? easy_pass(rules_, now_, state_) : line_pass(rules_, state_);
    for (const auto& [j, held] : pass.preempted) {
      Active& job = state_.jobs[j];
      job.was_preempted = true;
      job.overhead_left = 0;
      ++outcome(job).preemptions;
      outcome(job).steps.push_back({now_, Verb::preempt, held});
    }
    for (const std::size_t j : pass.migrated) {
      Active& job = state_.jobs[j];
      job.overhead_left = rules_.preempt_cost;
      ++outcome(job).migrations;
      outcome(job).steps.push_back({now_, Verb::migrate, job.holding});
    }
    for (const std::size_t j : pass.started) {
      Active& job = state_.jobs[j];
      job.overhead_left = job.was_preempted ? rules_.preempt_cost : 0;
      job.was_preempted = false;
      if (!outcome(job).start) outcome(job).start = now_;
      outcome(job).steps.push_back({now_, Verb::start, job.holding});
    }
  }

  void let_a_second_pass() {
    const int all_free = std::accumulate(state_.free.begin(), state_.free.end(), 0);
    for (Active& job : state_.jobs) {
      Outcome& mine = outcome(job);
      if (!job.running()) {
        ++mine.wait[static_cast<std::size_t>(cause(job, all_free))];
        continue;
      }
      ++job.held;
      if (job.overhead_left > 0) {
        --job.overhead_left;
        ++mine.overhead;
      } else {
        ++job.progress;
        ++mine.run;
      }
    }
  }

  Cause cause(const Active& job, int all_free) const {
    if (job.was_preempted) return Cause::preempted;
    if (all_free < job.job.gpus) return Cause::capacity;
    return place(rules_, state_.capacity, state_.free, job.job.gpus) ? Cause::order
                                                                     : Cause::fragmented;
  }

  const std::vector<Job>& jobs_;
  const Rules& rules_;
  int all_gpus_ = 0;
  State state_;
  Second now_ = 0;
  std::size_t next_ = 0;  // the next arrival
  Result result_;
};

}  // namespace

Result simulate(const Pool& pool, const std::vector<Job>& jobs, const Rules& rules) {
  return Clock{pool, jobs, rules}.run();
}

}  // namespace orrery::reference
