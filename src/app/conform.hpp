// orrery policy conform, and what its tests call for policies that no table has.
#pragma once

#include "app/commands.hpp"

#include "orrery/conformance/conformance.hpp"

#include <nlohmann/json.hpp>

namespace orrery::app {

/// {"workloads": N, "breach": null or {rule, promise, what, scenario}}. The policy runs in a
/// process of its own, so one that crashes or loops is a breach, too.
nlohmann::ordered_json conformance_of(const conformance::Subject& subject,
                                      const ConformOptions& options);

}  // namespace orrery::app
