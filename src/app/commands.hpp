// The subcommands: each returns the exit code or throws.
#pragma once

#include "app/console.hpp"
#include "app/settings.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace orrery::app {

/// Exit codes that are a promise (docs and contracts): the others belong to the error types.
enum ExitCode : int {
  kDone = 0,
  kSaysNo = 1,
  kUsage = 2,
  kInput = 3,
  kEnvironment = 4,
  kFault = 5,
  kSignal = 128  ///< plus the number of the signal
};

using Arguments = std::vector<std::string>;

/// Throws UsageError unless the settings name what one run needs.
void check_run_settings(const Settings& settings);
/// Throws UsageError for what belongs into a folder without one.
void check_output_settings(const Settings& settings);
int run(const Settings& settings, const Arguments& argv, const Console& console);
int compare(const Settings& settings, const Arguments& argv, const Console& console);

struct CheckOptions {
  std::vector<std::string> paths;
  bool json = false;
  bool update = false;  ///< writes what was got into the files
  std::string junit;
  bool minimize = false;  ///< the one scenario named, made smaller
  std::string out = "-";  ///< where that goes
};
int check(const CheckOptions& options, const Console& console);
int minimize(const CheckOptions& options, const Console& console);

struct ConformOptions {
  std::string policy;  ///< with its options
  std::uint64_t workloads = 1000, seed = 1;
  std::chrono::milliseconds patience = std::chrono::seconds{20};  ///< with one workload
  bool json = false;
};
int conform(const ConformOptions& options);

struct GenerateOptions {
  std::string like = "philly", out = "-";
  std::uint64_t jobs = 3000, seed = 1;
  int gpus = 256;
  double load = 0.9;
};
int trace_generate(const GenerateOptions& options);
int trace_info(const Settings& settings, int gpus, const Console& console);

struct ReproduceOptions {
  std::string manifest;    ///< the file, or its folder
  std::string trace, out;  ///< empty: the recorded trace; no folder is kept
  bool json = false;
};
int reproduce(const ReproduceOptions& options, const Arguments& argv, const Console& console);

struct DiffOptions {
  std::string first, second;  ///< result folders, or their manifests
  bool files = false;         ///< compare what was written instead of running again
  bool json = false;
};
int diff(const DiffOptions& options, const Console& console);

struct ReportOptions {
  std::string folder;               ///< of a run or a comparison
  std::string out = "report.html";  ///< - is standard output
};
int report(const ReportOptions& options);
/// The page of a folder to a file.
void write_report(const std::string& folder, const std::string& file);

struct ExplainOptions {
  std::string job;             ///< its id
  std::size_t row = 0;         ///< of jobs.csv, from 1, where the id is not enough; 0: it is
  std::size_t ahead = 5;       ///< jobs shown of each kind
  std::size_t stretches = 20;  ///< of time shown
};
int explain(const Settings& settings, const ExplainOptions& options, const Console& console);

int policy_list(bool json);
int policy_show(const std::string& name, bool json);
int cluster_list(bool json);
int cluster_show(const std::string& name, bool json);

}  // namespace orrery::app
