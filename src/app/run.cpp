// orrery run: one trace, one cluster, one policy.
#include "app/carry_out.hpp"
#include "app/commands.hpp"
#include "app/demo.hpp"
#include "report/json_parts.hpp"
#include "trace/text_input.hpp"

#include "orrery/api/version.hpp"
#include "orrery/base/error.hpp"
#include "orrery/metrics/timeline.hpp"
#include "orrery/report/job_files.hpp"
#include "orrery/report/result_folder.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace orrery::app {
namespace {

/// The files of a result and the sinks that fill them while the run goes on.
class Result {
 public:
  explicit Result(const Settings& settings) : folder_{settings.out, settings.force} {}

  void add_sinks(const Settings& settings, const Workload& workload, RunOptions& options) {
    if (settings.attempts) {
      attempts_.emplace(workload, folder_.file("attempts.csv"));
      options.sinks.emplace_back(&*attempts_, AttemptsFile::kWants);
    }
    if (settings.events) {
      events_.emplace(workload, folder_.file("events.jsonl.zst"));
      options.sinks.emplace_back(&*events_, EventsFile::kWants);
    }
    if (settings.timeline) {
      timeline_.emplace(*settings.timeline);
      options.sinks.emplace_back(&*timeline_, Recorder::kStates);
    }
  }

  void write(const Workload& workload, const RunResult& result, const Json& manifest) {
    if (events_) events_->finish();
    if (timeline_) {
      timeline_->finish(result.end);
      write_timeline_csv(*timeline_, folder_.file("timeline.csv"));
    }
    write_jobs_csv(workload, result.jobs, folder_.file("jobs.csv"));
    folder_.file("summary.json").write(summary_json(result.summary));
    folder_.file("manifest.json").write(json_text(manifest));
    folder_.commit();
  }

 private:
  ResultFolder folder_;  // before the sinks that write to its files
  std::optional<AttemptsFile> attempts_;
  std::optional<EventsFile> events_;
  std::optional<Timeline> timeline_;
};

Json manifest_of(const Settings& settings, const Arguments& argv, const Prepared& prepared,
                 const RunResult& result) {
  const LoadReport& report = prepared.trace.report;
  const auto origin = prepared.trace.workload.calendar_origin();
  Json inputs = Json::array();
  inputs.push_back({{"role", "trace"}, {"path", settings.trace}, {"sha256", report.sha256}});
  for (const auto& [role, path] :
       {std::pair{"cluster", settings.cluster}, {"vc_sizes", settings.vc_sizes}})
    if (std::filesystem::is_regular_file(path))
      inputs.push_back({{"role", role}, {"path", path}, {"sha256", file_sha256(path)}});
  Json manifest{
      {"schema", 1}, {"program", "orrery"}, {"version", version()}, {"build", build_text()}};
  manifest["argv"] = argv;
  manifest["settings"] = settings_json(settings, "run");
  manifest["seed"] = settings.seed;
  manifest["inputs"] = std::move(inputs);
  manifest["trace"] = {{"format", report.format},
                       {"run_time", report.run_time_meaning},
                       {"origin", origin ? Json(calendar_text(*origin)) : Json(nullptr)},
                       {"notices", report.notices}};
  manifest["cluster"] = {
      {"name", prepared.topology.name()},
      {"nodes", prepared.topology.nodes()},
      {"gpus", prepared.topology.total_gpus()},
      {"assumption", prepared.topology.assumption()},
      {"vc_mode", prepared.options.sim.vc_mode == VcMode::fixed ? "static" : "shared"}};
  const Summary::Jobs& jobs = result.summary.jobs;
  manifest["jobs"] = {{"read", jobs.read},
                      {"left_out", counts_json(jobs.left_out)},
                      {"replayed", jobs.replayed},
                      {"rejections", counts_json(jobs.rejections)}};
  manifest["policy_knows"] = result.knowledge;
  manifest["fingerprint"] = fingerprint_text(result.summary.fingerprint);
  return manifest;
}

}  // namespace

void check_run_settings(const Settings& settings) {
  if (settings.trace.empty()) throw UsageError("--trace is missing: the trace to replay");
  if (settings.cluster.empty()) throw UsageError("--cluster is missing, such as 64x8");
  if (settings.policies.empty()) throw UsageError("--policy is missing, such as srtf");
  if (settings.policies.size() > 1)
    throw UsageError("run takes one --policy; orrery compare takes several");
  if (!settings.out.empty()) return;
  for (const auto& [given, name] : {std::pair{settings.events, "events"},
                                    {settings.attempts, "attempts"},
                                    {settings.timeline.has_value(), "timeline"},
                                    {settings.force, "force"}})
    if (given) throw UsageError(fmt::format("--{} needs --out DIR", name));
}

CarriedOut carry_out(const Settings& settings, const Arguments& argv, const Console& console) {
  std::optional<Result> files;
  if (!settings.out.empty()) files.emplace(settings);
  CarriedOut run{.prepared = prepare(settings, console), .result = {.jobs = JobTable{0}}};
  RunOptions& options = run.prepared.options;
  const Workload& workload = run.prepared.trace.workload;
  if (files) files->add_sinks(settings, workload, options);
  {
    const StopSignals stop;
    Progress progress{console, workload};
    options.progress = std::ref(progress);
    run.result = simulate(workload, run.prepared.topology, settings.policies.front(), options);
    options.progress = nullptr;
  }
  options.sinks.clear();  // they go with this call
  add_counts(run.prepared.trace.report, run.result.summary);
  if (run.result.stopped) {
    console.notice("interrupted: no result was written");
  } else if (files) {
    files->write(workload, run.result, manifest_of(settings, argv, run.prepared, run.result));
  }
  return run;
}

int run(const Settings& settings, const Arguments& argv, const Console& console) {
  if (settings.demo) return demo(settings, console);
  check_run_settings(settings);
  auto [prepared, result] = carry_out(settings, argv, console);
  if (result.stopped) return kSignal + StopSignals::received();
  tell_about(result.summary, console);
  if (settings.verify)
    console.notice(fmt::format("verified: {} entries of the event stream, no rule broken",
                               grouped(result.verified)));
  prepared.title.policy = settings.policies.front();
  write_text("-", settings.json ? summary_json(result.summary)
                                : summary_text(prepared.title, result.summary));
  return kDone;
}

}  // namespace orrery::app
