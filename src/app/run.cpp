// orrery run: one trace, one cluster, one policy.
#include "app/carry_out.hpp"
#include "app/commands.hpp"
#include "app/demo.hpp"
#include "app/replay_card.hpp"
#include "app/result_writer.hpp"
#include "app/snapshot.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>

namespace orrery::app {
void check_run_settings(const Settings& settings) {
  if (settings.trace.empty()) throw UsageError("--trace is missing: the trace to replay");
  if (settings.cluster.empty()) throw UsageError("--cluster is missing, such as 64x8");
  if (settings.policies.empty()) throw UsageError("--policy is missing, such as srtf");
  if (settings.policies.size() > 1)
    throw UsageError("run takes one --policy; orrery compare takes several");
  check_output_settings(settings);
}

void check_output_settings(const Settings& settings) {
  if (!settings.out.empty()) return;
  for (const auto& [given, name] : {std::pair{settings.events, "events"},
                                    {settings.attempts, "attempts"},
                                    {settings.perfetto, "perfetto"},
                                    {settings.batsim, "batsim"},
                                    {settings.paje, "paje"},
                                    {settings.timeline.has_value(), "timeline"},
                                    {settings.snapshot_at.has_value(), "snapshot-at"},
                                    {!settings.report.empty(), "report"},
                                    {settings.force, "force"}})
    if (given) throw UsageError(fmt::format("--{} needs --out DIR", name));
}

CarriedOut carry_out(const Settings& settings, const Arguments& argv, const Console& console) {
  std::optional<ResultWriter> files;
  if (!settings.out.empty()) files.emplace(settings.out, settings.force);
  CarriedOut run{.prepared = prepare(settings, console), .result = {.jobs = JobTable{0}}};
  RunOptions& options = run.prepared.options;
  const Workload& workload = run.prepared.trace.workload;
  if (files) files->add_sinks(settings, run.prepared, options);
  std::optional<Past> past;
  if (settings.resumed) {
    past.emplace(snapshot_instant(settings.resumed->at, run.prepared), settings.resumed);
    options.sinks.emplace_back(&*past, Recorder::kHistory);
  }
  {
    const StopSignals stop;
    Progress progress{console, workload};
    options.progress = std::ref(progress);
    run.result = simulate(workload, run.prepared.topology, settings.policies.front(), options);
    options.progress = nullptr;
  }
  options.sinks.clear();  // they go with this call
  if (past) past->finish();
  add_counts(run.prepared.trace.report, run.result.summary);
  if (run.result.stopped) {
    console.notice("interrupted: no result was written");
  } else if (files) {
    files->write(settings, argv, run.prepared, run.result);
  }
  return run;
}

namespace {

void tell_about_takeovers(const Settings& settings, const Prepared& prepared,
                          const RunResult& result, const Console& console) {
  for (std::size_t i = 0; i < settings.takeovers.size(); ++i)
    if (prepared.options.sim.takeovers[i].at > result.end)
      console.notice(fmt::format("the run was over before {}: {} decided nothing",
                                 settings.takeovers[i].at.text, settings.takeovers[i].policy));
}

}  // namespace

int run(const Settings& settings, const Arguments& argv, const Console& console) {
  if (settings.demo) return demo(settings, console);
  check_run_settings(settings);
  auto [prepared, result] = carry_out(settings, argv, console);
  if (result.stopped) return kSignal + StopSignals::received();
  tell_about(result.summary, console);
  if (settings.verify)
    console.notice(fmt::format("verified: {} entries of the event stream, no rule broken",
                               grouped(result.verified)));
  if (!settings.report.empty()) write_report(settings.out, settings.report);
  prepared.title.policy = policy_text(settings);
  tell_about_takeovers(settings, prepared, result, console);
  write_text("-", settings.json ? summary_json(result.summary)
                                : summary_text(prepared.title, result.summary) +
                                      replay_card(settings, prepared, result));
  return kDone;
}

}  // namespace orrery::app
