// The rules that a policy is held to, each over one trial.
#include "orrery/base/error.hpp"
#include "orrery/conformance/conformance.hpp"
#include "orrery/conformance/history.hpp"
#include "orrery/engine/simulator.hpp"
#include "orrery/verify/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace orrery::conformance {
namespace {

using std::chrono::seconds;
using Found = std::optional<std::string>;

// ---- running a trial

PolicyChoice choice_of(const Subject& subject, const Trial& trial) {
  return {.policy = subject.policy,
          .options = subject.options,
          .placement = make_placement(parse_spec(trial.placement, "seed"), 1)};
}

SimOptions options_of(const Trial& trial) {
  using Kind = DurationKnowledge::Kind;
  SimOptions options;
  options.durations.kind = trial.durations == "oracle"     ? Kind::oracle
                           : trial.durations == "walltime" ? Kind::walltime
                                                           : Kind::history;
  options.preempt_cost = trial.preempt_cost;
  // Where each restart costs more than the turn that it wins, a run need not end.
  options.until = at(seconds{3000});
  return options;
}

/// One run of a trial, step by step.
class Run {
 public:
  Run(const Subject& subject, const Trial& trial, const SimOptions& options)
      : workload_{workload_of(trial.jobs)},
        topology_{*parse_cluster_shorthand(fmt::format("{}x{}", trial.nodes, trial.gpus_per_node))},
        choice_{choice_of(subject, trial)},
        history_{workload_} {
    recorder_.add(history_, Recorder::kHistory);
    checker_.emplace(workload_, topology_,
                     checked_run(choice_, parse_spec(trial.placement, "seed"), options));
    recorder_.add(*checker_, Checker::kWants);
    simulator_.emplace(workload_, topology_, choice_, options, recorder_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Simulator& simulator() { return *simulator_; }
  const Workload& workload() const { return workload_; }
  const std::vector<Line>& lines() const { return history_.lines; }
  const std::vector<Line>& to_the_end() {
    simulator_->run([](const Simulator&) -> bool { throw Fault(kEndless); }, kMostInstants);
    checker_->finish(simulator_->totals());
    return history_.lines;
  }

 private:
  /// Far more than a few jobs need, whatever their policy's quantum is.
  static constexpr std::uint64_t kMostInstants = 100'000;
  static constexpr const char* kEndless =
      "the run goes on and on: more than 100,000 instants for a few jobs";
  Workload workload_;
  Topology topology_;
  PolicyChoice choice_;
  History history_;
  Recorder recorder_;
  std::optional<Checker> checker_;
  std::optional<Simulator> simulator_;
};

std::vector<Line> history_of(const Subject& subject, const Trial& trial) {
  return Run{subject, trial, options_of(trial)}.to_the_end();
}

std::string text(const std::vector<Line>& lines, std::size_t at) {
  if (at >= lines.size()) return "nothing";
  std::ostringstream out;
  out << lines[at];
  return out.str();
}

/// Where two histories part.
Found difference(const std::vector<Line>& expected, const std::vector<Line>& got) {
  const auto [one, other] = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  if (one == expected.end() && other == got.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(one - expected.begin());
  return fmt::format("entry {}: expected {}, got {}", at + 1, text(expected, at), text(got, at));
}

std::vector<Line> before(std::vector<Line> lines, Duration time) {
  std::erase_if(lines, [&](const Line& line) { return line.time >= time; });
  return lines;
}

// ---- the policy itself

/// The same answer for every job.
class Constant final : public Estimates {
 public:
  explicit Constant(std::optional<Duration> answer) : answer_{answer} {}
  std::optional<Duration> run_time(JobId) const override { return answer_; }

 private:
  std::optional<Duration> answer_;
};

std::unique_ptr<LinePolicy> made(const Subject& subject, const Estimates& estimates) {
  const bool asks = subject.policy->knows != Knows::nothing;
  return make_policy(*subject.policy, subject.options, asks ? &estimates : nullptr);
}

bool same_key(const Key& a, const Key& b) {
  return a.base == b.base && a.per_progress == b.per_progress && a.per_held == b.per_held &&
         a.second == b.second && a.until_held == b.until_held;
}

/// A job of `gpus` that has held them for `held`.
JobView a_job(int gpus, Duration held) {
  return {.id = JobId{7U},
          .gpus = gpus,
          .vc = 1,
          .user = 1,
          .arrival = at(seconds{5}),
          .held = held,
          .service = micros(held) * gpus,
          .preemptions = held > Duration::zero() ? 1 : 0,
          .running = false,
          .walltime = std::nullopt};
}

std::vector<JobView> some_jobs() {
  std::vector<JobView> jobs;
  for (const int gpus : {1, 3, 64})
    for (const Duration held : {Duration::zero(), Duration{seconds{1}}, Duration{seconds{86'400}}})
      jobs.push_back(a_job(gpus, held));
  return jobs;
}

bool same_rule(const LineRule& a, const LineRule& b) {
  return a.blocked == b.blocked && a.preempts == b.preempts && a.quantum == b.quantum;
}

Found bad_rule(const Subject& subject, const Trial&) {
  const Constant estimates{seconds{10}};
  const auto policy = made(subject, estimates);
  if (policy == nullptr) return "make() gives no policy";
  const LineRule rule = policy->rule();
  if (rule.quantum < Duration::zero()) return "its quantum is negative";
  if (rule.blocked == Blocked::reserve && rule.preempts == Preempts::any)
    return "a rule that reserves cannot preempt";
  for (const JobView& job : some_jobs()) policy->key(job);
  if (!same_rule(policy->rule(), rule)) return "rule() changes";
  return std::nullopt;
}

Found bad_clone(const Subject& subject, const Trial&) {
  const Constant first{seconds{10}}, second{seconds{5000}};
  const bool asks = subject.policy->knows != Knows::nothing;
  const auto original = made(subject, first), fresh = made(subject, second);
  const auto clone = original->clone(asks ? &second : nullptr);
  if (clone == nullptr) return "clone() gives no policy";
  if (!same_rule(clone->rule(), original->rule())) return "a clone has another rule";
  for (const JobView& job : some_jobs())
    if (!same_key(clone->key(job), fresh->key(job)))
      return "a clone given other estimates has other keys than a policy made with them";
  return std::nullopt;
}

Found unbounded_key(const Subject& subject, const Trial&) {
  for (const std::optional<Duration> known :
       {std::optional<Duration>{}, std::optional<Duration>{seconds{30 * 86'400}}}) {
    const Constant estimates{known};
    const auto policy = made(subject, estimates);
    for (const JobView& job : some_jobs()) {
      const Key key = policy->key(job);
      const std::int64_t slope =
          std::abs(std::int64_t{key.per_progress}) + std::abs(std::int64_t{key.per_held});
      if (key.base > kSortsLast || key.base < -kSortsLast || slope > (1 << 20))
        return fmt::format("a key of base {} and slopes {} and {} is out of bounds", key.base,
                           key.per_progress, key.per_held);
      if (key.until_held && *key.until_held <= job.held)
        return "until_held is not past the time held";
    }
  }
  return std::nullopt;
}

// ---- one run

Found broken_run(const Subject& subject, const Trial& trial) {
  history_of(subject, trial);
  return std::nullopt;
}

Found key_off_its_line(const Subject& subject, const Trial& trial) {
  SimOptions options = options_of(trial);
  options.check_keys = true;
  Run{subject, trial, options}.to_the_end();
  return std::nullopt;
}

// ---- two runs

Found other_second_run(const Subject& subject, const Trial& trial) {
  Run first{subject, trial, options_of(trial)};
  Run second{subject, trial, options_of(trial)};  // at other addresses
  first.to_the_end();
  return difference(first.lines(), second.to_the_end());
}

/// A fork from the middle of the run, carried out after the run has ended, goes on to the same end.
Found other_fork(const Subject& subject, const Trial& trial) {
  Run run{subject, trial, options_of(trial)};
  for (std::size_t instants = trial.jobs.size(); instants > 0; --instants) run.simulator().step();
  History forked{run.workload()};
  forked.lines = run.lines();
  Recorder to_fork;
  to_fork.add(forked, Recorder::kHistory);
  Simulator fork = run.simulator().clone(to_fork);
  run.to_the_end();
  fork.run();
  return difference(run.lines(), forked.lines);
}

Found rows_matter(const Subject& subject, const Trial& trial) {
  Trial reversed = trial;
  std::ranges::reverse(reversed.jobs);
  return difference(history_of(subject, trial), history_of(subject, reversed));
}

Found names_matter(const Subject& subject, const Trial& trial) {
  const auto renamed = [](const std::string& name) {
    return name.empty() ? name : std::string{name.rbegin(), name.rend()} + "x";
  };
  Trial other = trial;
  for (TrialJob& job : other.jobs) {
    job.id = "run" + job.id + "x";
    job.vc = renamed(job.vc);
    job.user = renamed(job.user);
    job.name = renamed(job.name);
  }
  std::vector<Line> expected = history_of(subject, trial);
  for (Line& line : expected) line.id = "run" + line.id + "x";
  return difference(expected, history_of(subject, other));
}

/// Whole quanta, as these fall at multiples from the origin; an odd time without any.
Duration whole_shift(const Subject& subject) {
  const Constant estimates{seconds{10}};
  const Duration quantum = made(subject, estimates)->rule().quantum;
  return quantum > Duration::zero() ? quantum * (1 + seconds{7} / quantum) : Duration{7'261'003};
}

std::vector<Line> shifted(std::vector<Line> lines, Duration by) {
  for (Line& line : lines) line.time += by;
  return lines;
}

Found time_of_day_matters(const Subject& subject, const Trial& trial) {
  const Duration shift = whole_shift(subject);
  Trial later = trial;
  for (TrialJob& job : later.jobs) job.submit += shift;
  SimOptions options = options_of(trial);
  *options.until += shift;
  return difference(shifted(history_of(subject, trial), shift),
                    Run{subject, later, options}.to_the_end());
}

/// A job that has come and gone before the first one arrives. Not under history, which learns of
/// it.
Found past_matters(const Subject& subject, const Trial& trial) {
  if (trial.durations == "history") return std::nullopt;
  const Duration shift = whole_shift(subject);
  Trial later = trial;
  for (TrialJob& job : later.jobs) job.submit += shift;
  later.jobs.insert(later.jobs.begin(), {.id = "gone",
                                         .submit = {},
                                         .gpus = 1,
                                         .run = seconds{1},
                                         .walltime = seconds{1},
                                         .vc = "long",
                                         .user = "gone"});
  SimOptions options = options_of(trial);
  *options.until += shift;
  Run run{subject, later, options};
  std::vector<Line> got = run.to_the_end();
  std::erase_if(got, [](const Line& line) { return line.id == "gone"; });
  return difference(shifted(history_of(subject, trial), shift), got);
}

/// Without the last job nothing is different before it comes.
Found future_matters(const Subject& subject, const Trial& trial) {
  Trial shorter = trial;
  const auto last = std::ranges::max_element(shorter.jobs, {}, &TrialJob::submit);
  const Duration comes = last->submit;
  std::erase_if(shorter.jobs, [&](const TrialJob& job) { return job.submit >= comes; });
  return difference(before(history_of(subject, shorter), comes),
                    before(history_of(subject, trial), comes));
}

/// A job that will run for longer than anybody was told looks no different until it would have
/// ended.
Found truth_is_known(const Subject& subject, const Trial& trial) {
  if (trial.durations == "oracle" && subject.policy->knows != Knows::nothing) return std::nullopt;
  const std::vector<Line> told = history_of(subject, trial);
  const auto last = std::ranges::find(told.rbegin(), told.rend(), Verb::finish, &Line::verb);
  if (last == told.rend()) return std::nullopt;
  Trial longer = trial;
  std::ranges::find(longer.jobs, last->id, &TrialJob::id)->run += seconds{1000};
  return difference(before(told, last->time), before(history_of(subject, longer), last->time));
}

constexpr std::array<Rule, 12> kRules{{
    {"rule", "its rule is one, the same each time it is asked", bad_rule},
    {"clone", "a clone is the policy that its maker would make with the fork's estimates",
     bad_clone},
    {"bounds", "keys and slopes stay within their bounds, until_held lies ahead", unbounded_key},
    {"run", "a run breaks none of the invariants that the engine and the checker watch",
     broken_run},
    {"keys",
     "a key moves along its line by itself, and only `second` depends on whether a job runs",
     key_off_its_line},
    {"again", "a second run is equal to the first", other_second_run},
    {"fork", "a fork goes on to the end of the run it was taken from", other_fork},
    {"rows", "the order of the trace's rows changes nothing", rows_matter},
    {"names", "other names of VCs, users and jobs change nothing", names_matter},
    {"shift", "submits that are all later by whole quanta make a schedule that is later by that",
     time_of_day_matters},
    {"past", "a job that is long gone changes nothing", past_matters},
    {"future", "a job changes nothing before it comes, nor its true run time before its end",
     [](const Subject& subject, const Trial& trial) {
       const Found found = future_matters(subject, trial);
       return found ? found : truth_is_known(subject, trial);
     }},
}};

}  // namespace

std::span<const Rule> rules() {
  return kRules;
}

void check_options(const Subject& subject) {
  made(subject, Constant{seconds{10}});
  subject.options.check_all_used();
}

}  // namespace orrery::conformance
