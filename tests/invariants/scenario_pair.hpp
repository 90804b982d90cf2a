// One scenario, carried out by the engine and by the reference.
#pragma once

#include "invariants/reference/reference.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::test {

struct Scenario {
  reference::Pool pool;
  /// In canonical order. Jobs are told apart by their number. `known` is not read: `knowledge` says
  /// what the policy is told.
  std::vector<reference::Job> jobs;
  reference::Rules rules;  ///< count, fit and spread are not read: `placement` says them
  std::string placement = "count";
  enum class Knowledge : std::uint8_t { by_policy, oracle, walltime };
  Knowledge knowledge = Knowledge::by_policy;
  /// With a second pool, jobs of odd numbers belong to it: two VCs with nodes of their own.
  std::optional<reference::Pool> second_pool;
};

/// The scenario in words, for a message.
std::string text_of(const Scenario& scenario);

struct Comparison {
  std::string difference;    ///< empty: equal in every job's history, waits and counts
  std::uint64_t passes = 0;  ///< of the reference
};
/// Runs the engine, with the independent checker on it, and the reference.
Comparison compare(const Scenario& scenario);

/// The same difference in as few jobs as can be had by leaving out one after the other, with the
/// scenario in words; empty when there is none.
std::string smallest_difference(Scenario scenario);

/// The placements that the reference knows.
const std::vector<std::string>& placements();
/// Every policy of the table.
std::vector<std::string> policies();

}  // namespace orrery::test
