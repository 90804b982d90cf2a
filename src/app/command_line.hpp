// The command tree: names, options, help.
#pragma once

#include "app/commands.hpp"

namespace orrery::app {

/// Parses and carries out one command line, argv[0] included. Returns the exit code; throws
/// UsageError for what it does not know, naming the nearest word that it does.
int run_command_line(const Arguments& argv);

}  // namespace orrery::app
