// orrery policy conform: whether a policy keeps its contract, over random workloads.
#include "app/conform.hpp"

#include "app/isolated.hpp"
#include "app/scenario.hpp"
#include "app/trial_scenario.hpp"
#include "report/json_parts.hpp"

#include "orrery/base/error.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>

namespace orrery::app {
namespace {

using conformance::Breach;
using conformance::Conformance;
using conformance::Subject;

/// What the child process tells: workloads carried out and, where there is one, the breach.
Json told_of(const Conformance& result, const std::string& policy) {
  Json told{{"workloads", result.trials}, {"breach", nullptr}};
  if (!result.breach) return told;
  const Breach& breach = *result.breach;
  told["breach"] = {
      {"rule", breach.rule->name},
      {"promise", breach.rule->promise},
      {"what", breach.what},
      {"scenario", scenario_of(breach.trial, policy,
                               fmt::format("{} breaks the rule \"{}\"", policy, breach.rule->name),
                               breach.what)}};
  return told;
}

/// A workload in which the policy ended the process or did not come back.
Json broken_off(const Isolated& end, const ConformOptions& options) {
  const std::uint64_t trial = end.beats == 0 ? 0 : end.beats - 1;
  return {{"workloads", trial},
          {"breach",
           {{"rule", "returns"},
            {"promise", "a policy answers"},
            {"what", end.broke},
            {"scenario", scenario_of(conformance::random_trial(options.seed, trial), options.policy,
                                     options.policy + " does not answer", end.broke)}}}};
}

std::string text_of(const Json& told, const ConformOptions& options) {
  const auto workloads = told["workloads"].get<std::uint64_t>();
  if (told["breach"].is_null())
    return fmt::format("{}: {}, {} rules, no breach\n", options.policy,
                       counted(workloads, "workload", "workloads"), conformance::rules().size());
  const Json& breach = told["breach"];
  return fmt::format("{} breaks the rule \"{}\" (seed {}, workload {}): {}\n  {}\n{}",
                     options.policy, breach["rule"].get<std::string>(), options.seed, workloads,
                     breach["promise"].get<std::string>(), breach["what"].get<std::string>(),
                     scenario_text(breach["scenario"]));
}

}  // namespace

Json conformance_of(const Subject& subject, const ConformOptions& options) {
  const Isolated end = isolated(
      [&](const std::function<void()>& beat) {
        return told_of(conformance::conform(subject, options.workloads, options.seed,
                                            [&] { return beat(), true; }),
                       options.policy)
            .dump();
      },
      options.patience);
  return end.broke.empty() ? Json::parse(end.told) : broken_off(end, options);
}

int conform(const ConformOptions& options) {
  const StopSignals stop;
  const Spec spec = parse_spec(options.policy);
  const Subject subject{&policy_entry(spec.name), spec.options()};
  conformance::check_options(subject);
  const Json told = conformance_of(subject, options);
  if (StopSignals::received() != 0) return kSignal + StopSignals::received();
  if (options.json) {
    Json json{{"schema", 1}, {"policy", options.policy}, {"seed", options.seed}};
    json.update(told);
    write_text("-", json_text(json));
  } else {
    write_text("-", text_of(told, options));
  }
  return told["breach"].is_null() ? kDone : kSaysNo;
}

}  // namespace orrery::app
