#include "orrery/api/simulate.hpp"

#include "orrery/base/check.hpp"
#include "orrery/base/error.hpp"
#include "orrery/verify/checker.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace orrery {
namespace {

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto time = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return time(used.ru_utime) + time(used.ru_stime);
}

double peak_rss_mib() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

/// First job submitted at or after `time`.
std::size_t first_at(const Workload& workload, SimTime time) {
  std::size_t low = 0, high = workload.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (workload.arrival(JobId{middle}) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Which jobs and which stretch of time a summary is about.
struct Accounts {
  JobRange range;
  SimTime from{}, to = kNever;  ///< GPU time; kNever: to the last end
  SimTime first_submit{}, last_submit{};
};

Accounts accounts_of(const Workload& workload, const RunOptions& options) {
  const std::size_t jobs = workload.size();
  Accounts accounts{.range = {0, jobs}};
  if (jobs == 0) return accounts;
  const auto arrival = [&](std::size_t i) { return workload.arrival(JobId{i}); };
  accounts.from = options.sim.until ? options.from : arrival(0);
  if (options.sim.until) accounts.to = *options.sim.until;
  if (const auto& window = options.measure) {
    if (window->ranks) {
      accounts.range = {std::min(window->first_rank, jobs), std::min(window->last_rank, jobs)};
      if (accounts.range.first < jobs) accounts.from = arrival(accounts.range.first);
      if (accounts.range.last < jobs) accounts.to = arrival(accounts.range.last);
    } else {
      accounts.range = {first_at(workload, window->from), first_at(workload, window->to)};
      accounts.from = window->from;
      if (window->to != kNever) accounts.to = window->to;
    }
    if (accounts.range.first >= accounts.range.last)
      throw UsageError("--measure: no job is submitted in this window");
  }
  accounts.first_submit = arrival(accounts.range.first);
  accounts.last_submit = arrival(accounts.range.last - 1);
  return accounts;
}

/// GPU time between two instants, from what the engine took at its marks and at the end of the run.
class GpuTimes {
 public:
  GpuTimes(const std::vector<SimTime>& marks, const RunTotals& totals, std::int64_t gpus)
      : marks_{marks}, totals_{totals}, gpus_{gpus} {}

  GpuTime between(SimTime from, SimTime to) const { return to_instant(to) - to_instant(from); }

 private:
  GpuTime to_instant(SimTime time) const {
    const auto mark = std::find(marks_.begin(), marks_.end(), time);
    const auto index = static_cast<std::size_t>(mark - marks_.begin());
    if (mark != marks_.end() && index < totals_.at_marks.size()) return totals_.at_marks[index];
    // After the last end nothing is held, and a run that was cut short tells nothing of later.
    GpuTime at_end = totals_.at_end;
    const GpuTime::Wide late = GpuTime::Wide{gpus_} * micros(totals_.end - time);
    if (late > 0) {
      at_end.capacity -= late;
      at_end.idle -= late;
    }
    return at_end;
  }

  const std::vector<SimTime>& marks_;
  const RunTotals& totals_;
  std::int64_t gpus_;
};

SimTime last_end(const JobTable& jobs, SimTime otherwise) {
  SimTime last = SimTime{Duration{-1}};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs.status(JobId{i}) == JobStatus::unfinished) return otherwise;
    if (jobs.end(JobId{i}) != kNever) last = std::max(last, jobs.end(JobId{i}));
  }
  return last < SimTime{} ? otherwise : last;
}

}  // namespace

PolicyChoice policy_choice(std::string_view policy, const RunOptions& options) {
  const Spec spec = parse_spec(policy), placement = parse_spec(options.placement, "seed");
  return {.policy = &policy_entry(spec.name),
          .options = spec.options(),
          .placement = make_placement(placement, options.sim.seed)};
}

RunResult simulate(const Workload& workload, const Topology& topology, std::string_view policy,
                   const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const double cpu_before = cpu_seconds();
  const Accounts accounts = accounts_of(workload, options);
  SimOptions sim = options.sim;
  sim.marks = {accounts.from, accounts.first_submit, accounts.last_submit};
  if (accounts.to != kNever) sim.marks.push_back(accounts.to);
  std::sort(sim.marks.begin(), sim.marks.end());
  sim.marks.erase(std::unique(sim.marks.begin(), sim.marks.end()), sim.marks.end());

  const PolicyChoice choice = policy_choice(policy, options);
  RunResult result{.jobs = JobTable{workload.size()}};
  Fingerprint fingerprint;
  Recorder recorder;
  recorder.add(fingerprint, Recorder::kHistory);
  recorder.add(result.jobs, Recorder::kOutcomes);
  for (const auto& [sink, wants] : options.sinks) recorder.add(*sink, wants);
  std::optional<Checker> checker;
  if (options.verify) {
    CheckedRun checked = checked_run(choice, parse_spec(options.placement, "seed"), sim);
    checked.may_stop_early = options.progress != nullptr;
    recorder.add(checker.emplace(workload, topology, checked), Checker::kWants);
  }

  Simulator simulator{workload, topology, choice, sim, recorder};
  simulator.run(
      [&](const Simulator& now) {
        result.stopped = options.progress && !options.progress(now);
        return !result.stopped;
      },
      options.progress_instants);

  const RunTotals& totals = simulator.totals();
  if (checker) {
    checker->finish(totals);
    result.verified = checker->checked();
  }
  result.end = totals.end;
  result.knowledge = simulator.knowledge();
  const GpuTimes times{sim.marks, totals, topology.total_gpus()};
  const SimTime to = accounts.to != kNever ? accounts.to : last_end(result.jobs, totals.end);
  result.range = accounts.range;
  if (accounts.last_submit <= totals.end)
    result.while_arriving = times.between(accounts.first_submit, accounts.last_submit);
  result.summary = summarize({.workload = &workload,
                              .jobs = &result.jobs,
                              .range = result.range,
                              .among = nullptr,
                              .gpus = topology.total_gpus(),
                              .gpu_time = times.between(accounts.from, to),
                              .while_arriving = result.while_arriving});
  result.summary.jobs.read = workload.size();
  result.summary.jobs.rejections = simulator.rejections();
  result.summary.fingerprint = fingerprint.value();

  Summary::Engine& engine = result.summary.engine;
  engine.events = totals.events;
  engine.decisions = totals.decisions;
  engine.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  engine.cpu_s = cpu_seconds() - cpu_before;
  engine.events_per_s = engine.wall_s > 0 ? static_cast<double>(totals.events) / engine.wall_s : 0;
  engine.peak_rss_mib = peak_rss_mib();
  return result;
}

Summary summary_among(const Workload& workload, const RunResult& result,
                      const std::vector<bool>& among) {
  Summary summary = summarize({.workload = &workload,
                               .jobs = &result.jobs,
                               .range = result.range,
                               .among = &among,
                               .gpus = result.summary.gpus,
                               .gpu_time = result.summary.gpu_time,
                               .while_arriving = result.while_arriving});
  summary.jobs.read = result.summary.jobs.read;
  summary.jobs.left_out = result.summary.jobs.left_out;
  summary.jobs.rejections = result.summary.jobs.rejections;
  summary.fingerprint = result.summary.fingerprint;
  summary.engine = result.summary.engine;
  return summary;
}

}  // namespace orrery
