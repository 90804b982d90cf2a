// A result folder while it is filled: its files, the sinks that write to them, its manifest.
#pragma once

#include "app/commands.hpp"
#include "app/prepare.hpp"
#include "app/snapshot.hpp"
#include "report/json_parts.hpp"

#include "orrery/metrics/timeline.hpp"
#include "orrery/report/job_files.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/viewer_files.hpp"

#include <filesystem>
#include <optional>

namespace orrery::app {

class ResultWriter {
 public:
  /// Throws what ResultFolder throws.
  ResultWriter(const std::filesystem::path& folder, bool force) : folder_{folder, force} {}
  /// The sinks of the files that the settings ask for. They go with this object, so the options
  /// must not be used after it.
  void add_sinks(const Settings& settings, const Prepared& prepared, RunOptions& options);
  /// Writes everything that is left; the folder is whole then.
  void write(const Settings& settings, const Arguments& argv, const Prepared& prepared,
             const RunResult& result);

 private:
  void add_viewers(const Settings& settings, const Prepared& prepared, RunOptions& options);
  ResultFolder folder_;  // before the sinks that write to its files
  std::optional<AttemptsFile> attempts_;
  std::optional<EventsFile> events_;
  std::optional<Timeline> timeline_;
  std::optional<Past> past_;
  std::optional<PerfettoFile> perfetto_;
  std::optional<BatsimFile> batsim_;
  std::optional<PajeFile> paje_;
};

/// What every manifest says: program, kind ("run", "comparison", "snapshot"), settings, inputs,
/// trace, cluster.
Json manifest_head(std::string_view kind, const Settings& settings, const Arguments& argv,
                   const Prepared& prepared);
/// The whole manifest of a run.
Json manifest_of(const Settings& settings, const Arguments& argv, const Prepared& prepared,
                 const RunResult& result);

}  // namespace orrery::app
