#include "app/trial_scenario.hpp"

#include <fmt/format.h>

namespace orrery::app {

using Json = nlohmann::ordered_json;

Json jobs_json(const std::vector<TrialJob>& jobs) {
  Json list = Json::array();
  const auto number = [](Duration time) { return Json::parse(seconds_text(time)); };
  for (const TrialJob& job : jobs) {
    list.push_back({{"id", job.id},
                    {"submit", number(job.submit)},
                    {"gpus", job.gpus},
                    {"run", number(job.run)}});
    if (job.walltime) list.back()["walltime"] = number(*job.walltime);
    for (const auto& [key, text] :
         {std::pair{"vc", job.vc}, {"user", job.user}, {"name", job.name}})
      if (!text.empty()) list.back()[key] = text;
  }
  return list;
}

Json scenario_of(const conformance::Trial& trial, const std::string& policy,
                 const std::string& name, const std::string& comment) {
  Json scenario{{"name", name},
                {"comment", comment},
                {"cluster", fmt::format("{}x{}", trial.nodes, trial.gpus_per_node)},
                {"policy", policy},
                {"placement", trial.placement},
                {"durations", trial.durations}};
  if (trial.preempt_cost > Duration::zero())
    scenario["preempt_cost"] = seconds_text(trial.preempt_cost) + "s";
  scenario["jobs"] = jobs_json(trial.jobs);
  scenario["expect"] = {{"invariants", true}};
  return scenario;
}

}  // namespace orrery::app
