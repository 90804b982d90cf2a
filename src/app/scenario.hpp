// A scenario: a few jobs, a cluster, a policy, and what must come out.
#pragma once

#include "app/settings.hpp"

#include "orrery/trace/loader.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace orrery::app {

struct Scenario {
  std::string file, name;
  Settings settings;
  LoadedTrace trace;
  nlohmann::json expect;
};

/// Reads one file (docs/schema/scenario.schema.json). Throws InputError with every fault of it.
Scenario read_scenario(const std::string& path);

/// Runs it, with the independent checker beside. One text for each expectation that does not hold:
/// "start of c: expected 2 s, got 100 s".
std::vector<std::string> failures_of(const Scenario& scenario);

}  // namespace orrery::app
