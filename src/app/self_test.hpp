// compare --self-test: an A/A test of the statistics.
#pragma once

#include "app/commands.hpp"

namespace orrery::app {

/// Compares settings.policies[0] with itself settings.self_test times, each time under two sets of
/// settings.seeds seeds that no other test has, and tells how often a difference was seen: at an
/// honest confidence of 95 % that is once in twenty.
int self_test(const Settings& settings, const Arguments& argv, const Console& console);

}  // namespace orrery::app
