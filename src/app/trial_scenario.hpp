// Trials as scenario files.
#pragma once

#include "orrery/conformance/conformance.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace orrery::app {

/// Jobs as a scenario lists them; what a job has by default is left out.
nlohmann::ordered_json jobs_json(const std::vector<TrialJob>& jobs);

/// A trial of a policy as a scenario that expects only that no invariant is broken.
nlohmann::ordered_json scenario_of(const conformance::Trial& trial, const std::string& policy,
                                   const std::string& name, const std::string& comment);

}  // namespace orrery::app
