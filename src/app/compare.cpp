// orrery compare: several policies over the same jobs, side by side.
#include "app/commands.hpp"
#include "app/grid.hpp"
#include "app/result_writer.hpp"
#include "app/self_test.hpp"

#include "orrery/base/error.hpp"
#include "orrery/report/comparison.hpp"

#include <fmt/format.h>

namespace orrery::app {
namespace {

void check_settings(const Settings& settings) {
  if (settings.trace.empty()) throw UsageError("--trace is missing: the trace to replay");
  if (settings.cluster.empty()) throw UsageError("--cluster is missing, such as 64x8");
  check_output_settings(settings);
  if (settings.trace == "-" && settings.loads.size() > 1)
    throw UsageError("--loads reads the trace once a load, and standard input can be read once");
  if (settings.self_test > 0) {
    if (settings.policies.size() != 1)
      throw UsageError("--self-test takes one --policy: it is compared with itself");
    if (!settings.out.empty()) throw UsageError("--self-test fills no folder: it takes no --out");
    if (!settings.loads.empty()) throw UsageError("--self-test takes --load, not --loads");
    if (settings.trace == "-")
      throw UsageError("--self-test reads the trace again and again: it takes a file");
  } else if (settings.policies.size() < 2) {
    throw UsageError("compare takes two or more, such as --policy fifo --policy srtf");
  }
}

/// The folder of a comparison: its own files beside the runs that are there already.
void write_folder(const Settings& settings, const Comparison& comparison, Json manifest,
                  ResultFolder& folder) {
  Json runs = Json::array();
  for (std::size_t p = 0; p < settings.policies.size(); ++p)
    runs.push_back(
        {{"policy", settings.policies[p]}, {"folder", run_folder(settings.policies, p)}});
  manifest["runs"] = std::move(runs);
  folder.file("comparison.json").write(comparison_json(comparison));
  folder.file("comparison.csv").write(comparison_csv(comparison));
  folder.file("manifest.json").write(json_text(manifest));
  folder.commit();
}

/// One other decision can move every later job, and one seed does not show it.
void tell_about_seeds(const Settings& settings, const Console& console) {
  const bool random = parse_spec(settings.placement, "seed").name == "random" ||
                      settings.durations.kind == DurationKnowledge::Kind::noisy;
  if (random && settings.seeds == 1 && settings.self_test == 0)
    console.notice(
        "results depend on the seed, and the intervals of one seed do not show how much: --seeds 5 "
        "or more");
}

}  // namespace

int compare(const Settings& settings, const Arguments& argv, const Console& console) {
  check_settings(settings);
  tell_about_seeds(settings, console);
  const StopSignals stop;
  if (settings.self_test > 0) return self_test(settings, argv, console);
  std::optional<ResultFolder> folder;
  if (!settings.out.empty()) folder.emplace(settings.out, settings.force);
  const GridResult grid = run_grid(settings, argv, console);
  if (grid.stopped) return kSignal + StopSignals::received();
  Comparison comparison{.title = grid.title, .loads = {}};
  for (std::size_t l = 0; l < grid.loads.size(); ++l) {
    comparison.loads.push_back(compare_runs(settings.policies, grid.loads[l], settings.seed));
    comparison.loads.back().load = settings.loads.empty() ? settings.load.load : settings.loads[l];
  }
  tell_about(grid.first, console);
  if (folder) write_folder(settings, comparison, grid.manifest, *folder);
  if (!settings.report.empty()) write_report(settings.out, settings.report);
  bool said = false;
  for (const auto& [path, text] : {std::pair{settings.csv, &comparison_csv},
                                   {settings.markdown, &comparison_markdown},
                                   {settings.latex, &comparison_latex}}) {
    if (!path.empty()) write_text(path, text(comparison));
    said = said || path == "-";
  }
  if (!said)
    write_text("-", settings.json ? comparison_json(comparison) : comparison_text(comparison));
  return kDone;
}

}  // namespace orrery::app
