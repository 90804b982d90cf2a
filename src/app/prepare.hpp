// From settings to what a run needs: the trace, the cluster, the options.
#pragma once

#include "app/console.hpp"
#include "app/settings.hpp"

#include "orrery/report/summary_text.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace orrery::app {

struct Prepared {
  LoadedTrace trace;
  Topology topology;
  RunOptions options;
  RunTitle title;  ///< policy left empty
};

/// Reads the inputs and tells what was left out or assumed. Throws what they throw.
Prepared prepare(const Settings& settings, const Console& console);

/// Those that decide from the beginning and those that take over.
std::vector<std::string> policies_of(const Settings& settings);

/// The policy of one run, and who takes over: "fifo, from 2d on srtf".
std::string policy_text(const Settings& settings);

/// Whether a trace is none that lies anywhere: "like:philly:jobs=2000,load=0.9,gpus=256".
bool is_made_up(std::string_view trace);

/// The cluster of the settings, with --vc-sizes in place of its own VCs.
Topology load_topology(const Settings& settings);
/// What a run of the settings over a loaded trace is told.
RunOptions run_options(const Settings& settings, const Topology& topology, const LoadedTrace& trace,
                       const Console& console);

/// Rows of jobs.csv, from 1, of the replayed jobs with this id: ids need not be unique.
std::vector<std::size_t> rows_of(const Workload& workload, std::string_view id);

/// What the jobs section of a summary says beside the run itself.
void add_counts(const LoadReport& report, Summary& summary);

/// What a reader should know before trusting a table: few jobs waited, jobs were rejected.
void tell_about(const Summary& summary, const Console& console);

/// Jobs and VCs of "vc,gpus" rows. Throws InputError.
std::vector<VcShare> read_vc_sizes(const std::string& path);

/// "1d..2d", "#1000..#2000", "5d..". Throws UsageError.
MeasureWindow parse_measure(const std::string& text, const Workload& workload, bool zoned);

}  // namespace orrery::app
