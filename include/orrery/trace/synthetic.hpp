// A small seeded generator of traces in the original formats, calibrated to published aggregates.
#pragma once

#include <cstdint>
#include <string>

namespace orrery {

struct SyntheticOptions {
  std::string like = "philly";  ///< philly (JSON job log) or helios (cluster_log.csv)
  std::uint64_t jobs =
      3000;  ///< replayable jobs; never-ran and CPU-only rows come on top, in the published share
  std::uint64_t seed = 1;
  int gpus = 256;     ///< the cluster that the load is stated for
  double load = 0.9;  ///< GPU time asked over GPU time there while jobs arrive
};

/// The text of a whole file. Throws UsageError for options that cannot be.
std::string generate_trace(const SyntheticOptions& options);

}  // namespace orrery
