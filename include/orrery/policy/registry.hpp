// Policies by name. The one table is policies/registry.cpp. Knowledge is a constructor argument: an
// undeclared use does not compile.
#pragma once

#include "orrery/policy/estimates.hpp"
#include "orrery/policy/line.hpp"
#include "orrery/policy/spec.hpp"

#include <cstdint>
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
  oracle,    ///< estimates, by default the true durations
  recorded   ///< when the trace says that jobs started
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
  bool foreign = false;  ///< of a plugin: guarded by make_policy()
};

/// The policy of a row. One of a plugin is guarded: what it throws, and a key that cannot be, are
/// a Fault that names it.
std::unique_ptr<LinePolicy> make_policy(const PolicyEntry& entry, const Options& options,
                                        const Estimates* estimates);

/// Calls into one policy of a plugin: `number` is odd while one is under way.
struct ForeignCalls {
  const void* policy;
  std::string name;
  std::uint64_t number = 0;
};
/// Of all that live. May be called from another thread.
std::vector<ForeignCalls> foreign_calls();

/// Those of the tree, and those of plugins behind them.
std::span<const PolicyEntry> policy_table();
/// Adds rows of a plugin, which must stay loaded; before any run. Throws UsageError for a name that
/// is no name or that is there already.
void add_policies(std::span<const PolicyEntry> rows);
/// Throws UsageError with the nearest known name.
const PolicyEntry& policy_entry(std::string_view name);

}  // namespace orrery
