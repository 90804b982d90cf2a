// One run from its settings to its result folder: what `run` prints the summary of, and what
// `reproduce` compares with an earlier one.
#pragma once

#include "app/commands.hpp"
#include "app/prepare.hpp"

namespace orrery::app {

struct CarriedOut {
  Prepared prepared;
  RunResult result;  ///< `stopped`: a signal ended it, and no folder was written
};
/// Carries the run out and fills the folder that settings.out names, if it names one; `argv` is for
/// the manifest. The settings are those of one policy. Throws what reading, running and writing
/// throw.
CarriedOut carry_out(const Settings& settings, const Arguments& argv, const Console& console);

}  // namespace orrery::app
