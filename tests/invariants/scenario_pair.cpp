#include "invariants/scenario_pair.hpp"

#include "support/scenario.hpp"

#include "orrery/base/error.hpp"
#include "orrery/verify/checker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace orrery::test {
namespace {

using reference::Holding;
using reference::Outcome;
using reference::Second;
using reference::Step;

Duration duration(Second seconds) {
  return std::chrono::seconds{seconds};
}

/// Whole seconds of what the engine tells; it must not tell anything else here.
Second whole_seconds(Duration time) {
  if (micros(time) % 1'000'000 != 0) throw Fault(seconds_text(time) + " is not a whole second");
  return micros(time) / 1'000'000;
}

/// What the engine tells, in the words of the reference.
class Told final : public Sink {
 public:
  Told(std::size_t jobs, bool count) : outcomes(jobs), count_{count} {}
  void history(const HistoryEntry& entry) override {
    Holding nodes;
    if (count_ && entry.verb != Verb::reject) nodes[0] = static_cast<int>(entry.gpus);
    for (const Slice& slice : entry.slices)
      nodes[static_cast<int>(slice.node.index())] += slice.count();
    outcomes[entry.job.index()].steps.push_back(
        {whole_seconds(entry.time.time_since_epoch()), verb_of(entry.verb), nodes});
  }
  void outcome(const JobOutcome& told) override {
    Outcome& mine = outcomes[told.job.index()];
    mine.status = static_cast<reference::Status>(told.status);
    if (told.first_start != kNever) mine.start = whole_seconds(told.first_start.time_since_epoch());
    if (told.end != kNever) mine.end = whole_seconds(told.end.time_since_epoch());
    mine.run = whole_seconds(told.run);
    mine.overhead = whole_seconds(told.overhead);
    mine.preemptions = static_cast<int>(told.preemptions);
    mine.migrations = static_cast<int>(told.migrations);
    const std::array causes{WaitCause::preempted, WaitCause::capacity, WaitCause::fragmented,
                            WaitCause::order};
    for (std::size_t c = 0; c < causes.size(); ++c)
      mine.wait[c] = whole_seconds(told.wait[static_cast<std::size_t>(causes[c])]);
  }
  std::vector<Outcome> outcomes;

 private:
  static reference::Verb verb_of(Verb verb) {
    switch (verb) {
      case Verb::submit:
        break;
      case Verb::start:
        return reference::Verb::start;
      case Verb::migrate:
        return reference::Verb::migrate;
      case Verb::preempt:
        return reference::Verb::preempt;
      case Verb::finish:
        return reference::Verb::finish;
      case Verb::timeout:
        return reference::Verb::timeout;
      case Verb::horizon:
        return reference::Verb::horizon;
      case Verb::reject:
        return reference::Verb::reject;
    }
    throw Fault("not asked for");
  }
  bool count_;
};

std::string policy_spec(const reference::Rules& rules) {
  std::vector<std::string> limits;
  for (const Second limit : rules.limits) limits.push_back(std::to_string(limit));
  if (rules.policy == "las" || rules.policy == "las2d")
    return fmt::format("{}:quantum={}", rules.policy, rules.quantum);
  if (rules.policy == "mlfq" || rules.policy == "mlfq2d" || rules.policy == "tiresias")
    return fmt::format("{}:limits={},grain=1s", rules.policy, fmt::join(limits, "/"));
  return rules.policy;
}

std::vector<Outcome> engine_outcomes(const Scenario& scenario) {
  std::vector<TestJob> rows;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const reference::Job& job = scenario.jobs[j];
    rows.push_back(
        {.id = std::to_string(j),
         .submit = duration(job.submit),
         .gpus = job.gpus,
         .run = duration(job.run),
         .walltime = job.walltime ? std::optional{duration(*job.walltime)} : std::nullopt,
         .vc = !scenario.second_pool ? ""
               : j % 2 == 0          ? "even"
                                     : "odd"});
  }
  const Workload workload = make_workload(rows);
  std::vector<NodeGroup> groups;
  std::vector<VcShare> shares;
  const auto add_pool = [&](const std::string& vc, const reference::Pool& pool) {
    for (const int gpus : pool) groups.push_back({.count = 1, .gpus = gpus});
    shares.push_back({vc, std::accumulate(pool.begin(), pool.end(), 0)});
  };
  add_pool("even", scenario.pool);
  SimOptions options{.preempt_cost = duration(scenario.rules.preempt_cost),
                     .enforce_walltime = scenario.rules.enforce_walltime};
  if (scenario.second_pool) {
    add_pool("odd", *scenario.second_pool);
    options.vc_mode = VcMode::fixed;
  }
  if (scenario.knowledge == Scenario::Knowledge::oracle)
    options.durations.kind = DurationKnowledge::Kind::oracle;
  if (scenario.knowledge == Scenario::Knowledge::walltime)
    options.durations.kind = DurationKnowledge::Kind::walltime;
  if (scenario.rules.round) options.round = duration(*scenario.rules.round);
  if (scenario.rules.until) options.until = at(duration(*scenario.rules.until));
  const Topology topology{"test", groups, shares};
  const PolicyChoice chosen = choice(policy_spec(scenario.rules), scenario.placement);
  Recorder recorder;
  Told told{rows.size(), chosen.placement->counts_only()};
  recorder.add(told, Recorder::kHistory | Recorder::kOutcomes);
  Checker checker{workload, topology,
                  checked_run(chosen, parse_spec(scenario.placement, "seed"), options)};
  recorder.add(checker, Checker::kWants);
  Simulator simulator{workload, topology, chosen, options, recorder};
  simulator.run();
  checker.finish(simulator.totals());
  return told.outcomes;
}

void read_placement(const std::string& placement, reference::Rules& rules) {
  using reference::Fit, reference::Spread;
  rules.count = placement == "count";
  rules.fit = placement == "spread"                              ? Fit::worst
              : placement == "count" || placement == "first-fit" ? Fit::first
                                                                 : Fit::best;
  rules.spread = placement == "spread" || placement == "consolidated:relax=any" ? Spread::any
                 : placement == "consolidated:relax=fewest"                     ? Spread::fewest
                                                                                : Spread::never;
}

std::optional<Second> known_duration(const Scenario& scenario, const reference::Job& job) {
  const bool by_walltime =
      scenario.knowledge == Scenario::Knowledge::walltime ||
      (scenario.knowledge == Scenario::Knowledge::by_policy && scenario.rules.policy == "easy");
  return by_walltime ? job.walltime : std::optional{job.run};
}

/// Jobs of one VC on their own nodes, whose numbers start at `first_node`.
std::uint64_t reference_pool(const Scenario& scenario, const reference::Pool& pool, int first_node,
                             const std::vector<std::size_t>& members,
                             std::vector<Outcome>& outcomes) {
  reference::Rules rules = scenario.rules;
  read_placement(scenario.placement, rules);
  std::vector<reference::Job> jobs;
  for (const std::size_t j : members) {
    jobs.push_back(scenario.jobs[j]);
    jobs.back().known = known_duration(scenario, scenario.jobs[j]);
  }
  reference::Result result = reference::simulate(pool, jobs, rules);
  for (std::size_t k = 0; k < members.size(); ++k) {
    Outcome& outcome = outcomes[members[k]] = result.outcomes[k];
    for (Step& step : outcome.steps) {
      Holding moved;
      for (const auto& [node, gpus] : step.nodes) moved[rules.count ? 0 : first_node + node] = gpus;
      step.nodes = moved;
    }
  }
  return result.passes;
}

std::string text_of(const Outcome& outcome) {
  constexpr std::array kVerbs{"start",   "migrate", "preempt", "finish",
                              "timeout", "horizon", "reject"};
  std::string text;
  for (const Step& step : outcome.steps) {
    text += fmt::format(" {}@{}", kVerbs[static_cast<std::size_t>(step.verb)], step.time);
    for (const auto& [node, gpus] : step.nodes) text += fmt::format(" {}x{}", node, gpus);
    text += ";";
  }
  return text + fmt::format(" waits {}, run {}, overhead {}, {} preemptions, {} migrations",
                            fmt::join(outcome.wait, "/"), outcome.run, outcome.overhead,
                            outcome.preemptions, outcome.migrations);
}

std::string number(const std::optional<Second>& value) {
  return value ? std::to_string(*value) : "-";
}

}  // namespace

std::string text_of(const Scenario& scenario) {
  const reference::Rules& rules = scenario.rules;
  std::string text = fmt::format("{} {} on nodes of {}", policy_spec(rules), scenario.placement,
                                 fmt::join(scenario.pool, " "));
  if (scenario.second_pool) text += fmt::format(" and {}", fmt::join(*scenario.second_pool, " "));
  text += fmt::format(", knowledge {}, round {}, until {}, preempt cost {}, enforce walltime {}\n",
                      static_cast<int>(scenario.knowledge), number(rules.round),
                      number(rules.until), rules.preempt_cost, rules.enforce_walltime);
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const reference::Job& job = scenario.jobs[j];
    text += fmt::format("  {}: submit {}, gpus {}, run {}, walltime {}\n", j, job.submit, job.gpus,
                        job.run, number(job.walltime));
  }
  return text;
}

Comparison compare(const Scenario& scenario) {
  std::vector<Outcome> expected(scenario.jobs.size());
  std::vector<std::size_t> first, second;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j)
    (scenario.second_pool && j % 2 == 1 ? second : first).push_back(j);
  Comparison comparison;
  comparison.passes = reference_pool(scenario, scenario.pool, 0, first, expected);
  if (scenario.second_pool)
    comparison.passes += reference_pool(scenario, *scenario.second_pool,
                                        static_cast<int>(scenario.pool.size()), second, expected);
  try {
    const std::vector<Outcome> got = engine_outcomes(scenario);
    for (std::size_t j = 0; j < got.size(); ++j)
      if (got[j] != expected[j])
        comparison.difference += fmt::format("job {}\n  reference:{}\n  engine:   {}\n", j,
                                             text_of(expected[j]), text_of(got[j]));
  } catch (const std::exception& error) {
    comparison.difference = error.what();
  }
  return comparison;
}

std::string smallest_difference(Scenario scenario) {
  std::string difference = compare(scenario).difference;
  if (difference.empty()) return {};
  for (std::size_t j = 0; j < scenario.jobs.size();) {
    Scenario smaller = scenario;
    smaller.jobs.erase(smaller.jobs.begin() + static_cast<std::ptrdiff_t>(j));
    const std::string left = compare(smaller).difference;
    if (left.empty()) {
      ++j;
    } else {
      scenario = smaller;
      difference = left;
      j = 0;
    }
  }
  return text_of(scenario) + difference;
}

const std::vector<std::string>& placements() {
  static const std::vector<std::string> names{"count",
                                              "first-fit",
                                              "best-fit",
                                              "consolidated",
                                              "consolidated:relax=fewest",
                                              "consolidated:relax=any",
                                              "spread"};
  return names;
}

std::vector<std::string> policies() {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_table()) names.emplace_back(entry.name);
  return names;
}

}  // namespace orrery::test
