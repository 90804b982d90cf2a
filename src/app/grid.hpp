// Policies x seeds x loads, run beside each other.
#pragma once

#include "app/commands.hpp"
#include "app/prepare.hpp"
#include "report/json_parts.hpp"

#include "orrery/metrics/comparison.hpp"

#include <vector>

namespace orrery::app {

struct GridResult {
  RunTitle title;
  Summary first;  ///< of the first run
  Json manifest;  ///< manifest_head() of the comparison, with settings.out
  /// By load. A trace from a file is one entry with all the seeds; made-up ones are an entry a
  /// seed, all policies meeting the same.
  std::vector<std::vector<TraceRuns>> loads;
  bool stopped = false;  ///< a signal came; the rest is not whole
};

/// Runs settings.policies under settings.seeds seeds at settings.loads. What comes out does not
/// depend on settings.threads, but for times. With settings.out, the first run of each policy fills
/// a folder of its own below it (run_folder()). Throws what one of the runs throws.
GridResult run_grid(const Settings& settings, const Arguments& argv, const Console& console);

/// "runs/02-srtf" for the second of twelve policies: letters, digits and dashes of the SPEC alone.
std::string run_folder(const std::vector<std::string>& policies, std::size_t policy);

}  // namespace orrery::app
