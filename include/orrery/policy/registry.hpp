// Policies by name. The one table is policies/registry.cpp. Knowledge is a constructor argument: an
// undeclared use does not compile.
#pragma once

#include "orrery/policy/estimates.hpp"
#include "orrery/policy/line.hpp"
#include "orrery/policy/spec.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// What a policy is given beside what users declare.
enum class Knows : std::uint8_t {
  nothing,
  walltime,  ///< estimates, by default the user's walltimes
  oracle     ///< estimates, by default the true durations
};

struct PolicyEntry {
  std::string_view name, summary;
  std::string_view order;     ///< the key in words: "remaining time, submit, id"
  std::string_view blocked;   ///< what a job that does not fit does
  std::string_view options;   ///< "quantum=6m", one a line with its meaning; empty: none
  std::string_view paper;     ///< source, or "textbook"
  std::string_view fidelity;  ///< every deliberate deviation and faithful design
  Knows knows = Knows::nothing;
  std::unique_ptr<LinePolicy> (*make)(const Options& options, const Estimates* estimates) = nullptr;
};

std::span<const PolicyEntry> policy_table();
/// Throws UsageError with the nearest known name.
const PolicyEntry& policy_entry(std::string_view name);

}  // namespace orrery
