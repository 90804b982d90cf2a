// What a scenario expects, against what comes out.
#pragma once

#include "app/scenario.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace orrery::app {

/// An expectation that does not hold.
struct Miss {
  std::string text;               ///< "start of c: expected 2 s, got 100 s"
  std::vector<std::string> path;  ///< keys below "expect": start, c
  /// What --update may write in its place; nothing where no value is expected.
  std::optional<nlohmann::ordered_json> got;
  bool worse = false;  ///< of better_than: the other policy is better, not equal
};

/// Runs a scenario under each policy and placement of it, with the independent checker beside.
/// Throws InputError for an expectation that cannot be, Fault for a broken rule.
std::vector<Miss> misses_of(const Scenario& scenario);

/// Writes what was got into the scenario's file, in the layout of scenario_text(). What is left:
/// relations, and values that differ between the policies or placements of the scenario.
std::vector<Miss> update(const Scenario& scenario, const std::vector<Miss>& misses);

}  // namespace orrery::app
