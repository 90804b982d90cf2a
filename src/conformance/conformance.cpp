#include "orrery/conformance/conformance.hpp"

#include "orrery/base/random.hpp"
#include "orrery/conformance/shrink.hpp"

#include <array>
#include <exception>

namespace orrery::conformance {

std::optional<std::string> breach_of(const Rule& rule, const Subject& subject, const Trial& trial) {
  try {
    return rule.breach(subject, trial);
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::optional<Breach> breach_of(const Subject& subject, const Trial& trial) {
  for (const Rule& rule : rules())
    if (auto what = breach_of(rule, subject, trial)) return Breach{&rule, std::move(*what), trial};
  return std::nullopt;
}

Trial random_trial(std::uint64_t seed, std::uint64_t n) {
  RandomStream random = RngStreams{seed}.stream("trial", n);
  const auto one_of = [&](const auto& list) { return list[random() % list.size()]; };
  const auto jobs = static_cast<int>(1 + random() % 40);
  constexpr std::array<const char*, 6> kPlacements{
      "count", "first-fit", "best-fit", "consolidated", "consolidated:relax=any", "spread"};
  constexpr std::array<const char*, 3> kDurations{"oracle", "walltime", "history"};
  Trial trial{.jobs = random_jobs(random(), jobs),
              .placement = one_of(kPlacements),
              .durations = one_of(kDurations),
              .preempt_cost = Duration{random() % 2 == 0 ? 0 : 1'000'000}};
  for (TrialJob& job : trial.jobs) {
    job.vc = one_of(std::array{"", "vcA", "vcB", "vcC"});
    job.user = one_of(std::array{"ann", "bob", "eve"});
    job.name = one_of(std::array{"", "train", "test"});
  }
  return trial;
}

namespace {

Breach shrunk(const Subject& subject, Breach breach) {
  const auto with = [&](const Case& of) {
    Trial trial = breach.trial;
    trial.jobs = of.jobs;
    trial.nodes = of.nodes;
    trial.gpus_per_node = of.gpus_per_node;
    return trial;
  };
  const Case least = shrink(
      {.jobs = breach.trial.jobs,
       .nodes = breach.trial.nodes,
       .gpus_per_node = breach.trial.gpus_per_node},
      [&](const Case& one) { return breach_of(*breach.rule, subject, with(one)).has_value(); },
      2'000);
  breach.trial = with(least);
  breach.what = breach_of(*breach.rule, subject, breach.trial).value_or(breach.what);
  return breach;
}

}  // namespace

Conformance conform(const Subject& subject, std::uint64_t trials, std::uint64_t seed,
                    const std::function<bool()>& go_on) {
  Conformance result;
  while (result.trials < trials && (!go_on || go_on())) {
    auto breach = breach_of(subject, random_trial(seed, result.trials++));
    if (!breach) continue;
    result.breach = shrunk(subject, std::move(*breach));
    break;
  }
  return result;
}

}  // namespace orrery::conformance
