// A scenario: a few jobs, a cluster, a policy, and what must come out.
#pragma once

#include "app/settings.hpp"

#include "orrery/trace/loader.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace orrery::app {

struct Scenario {
  std::string file, name;
  Settings settings;                    ///< its policies: each of them is held to what is expected,
  std::vector<std::string> placements;  ///< on each of these
  LoadedTrace trace;
  nlohmann::json expect;
};

/// Reads one file (docs/schema/scenario.schema.json). Throws InputError with every fault of it.
Scenario read_scenario(const std::string& path);

/// A scenario in the layout of ours: name, comment, settings, a job a line, an expectation a line.
std::string scenario_text(const nlohmann::ordered_json& scenario);

/// A time of a scenario: numbers are seconds, texts are durations.
std::optional<Duration> time_of(const nlohmann::json& value);

}  // namespace orrery::app
