#include "app/result_writer.hpp"

#include "trace/text_input.hpp"

#include "orrery/api/plugin.hpp"
#include "orrery/api/version.hpp"

#include <algorithm>

namespace orrery::app {

void ResultWriter::add_sinks(const Settings& settings, const Prepared& prepared,
                             RunOptions& options) {
  const Workload& workload = prepared.trace.workload;
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
  add_viewers(settings, prepared, options);
  if (settings.snapshot_at) {
    past_.emplace(snapshot_instant(*settings.snapshot_at, prepared), std::nullopt);
    options.sinks.emplace_back(&*past_, Recorder::kHistory);
  }
}

void ResultWriter::add_viewers(const Settings& settings, const Prepared& prepared,
                               RunOptions& options) {
  const Workload& workload = prepared.trace.workload;
  NodeGpus nodes;
  for (std::size_t n = 0; n < prepared.topology.nodes(); ++n)
    nodes.push_back(prepared.topology.gpus(NodeId{n}));
  if (settings.perfetto) {
    perfetto_.emplace(workload, nodes, folder_.file("trace.perfetto.json"));
    options.sinks.emplace_back(&*perfetto_, PerfettoFile::kWants);
  }
  if (settings.batsim) {
    batsim_.emplace(workload, nodes, folder_.file("batsim_jobs.csv"));
    options.sinks.emplace_back(&*batsim_, BatsimFile::kWants);
  }
  if (settings.paje) {
    paje_.emplace(workload, nodes, folder_.file("trace.paje"));
    options.sinks.emplace_back(&*paje_, PajeFile::kWants);
  }
}

void ResultWriter::write(const Settings& settings, const Arguments& argv, const Prepared& prepared,
                         const RunResult& result) {
  if (events_) events_->finish();
  if (perfetto_) perfetto_->finish();
  if (paje_) paje_->finish(result.end);
  if (timeline_) {
    timeline_->finish(result.end);
    write_timeline_csv(*timeline_, folder_.file("timeline.csv"));
  }
  if (past_) {
    Json snapshot = manifest_head("snapshot", settings, argv, prepared);
    snapshot["snapshot"] = past_->json(*settings.snapshot_at);
    folder_.file("snapshot.json").write(json_text(snapshot));
  }
  write_jobs_csv(prepared.trace.workload, result.jobs, folder_.file("jobs.csv"));
  folder_.file("summary.json").write(summary_json(result.summary));
  folder_.file("manifest.json").write(json_text(manifest_of(settings, argv, prepared, result)));
  folder_.commit();
}

namespace {

/// Those whose policies a run uses.
std::vector<LoadedPlugin> plugins_of(const Settings& settings) {
  std::vector<LoadedPlugin> used = loaded_plugins();
  const std::vector<std::string> policies = policies_of(settings);
  std::erase_if(used, [&](const LoadedPlugin& plugin) {
    return std::ranges::none_of(policies, [&](const std::string& policy) {
      return std::ranges::find(plugin.policies, parse_spec(policy).name) != plugin.policies.end();
    });
  });
  return used;
}

}  // namespace

Json manifest_head(std::string_view kind, const Settings& settings, const Arguments& argv,
                   const Prepared& prepared) {
  const LoadReport& report = prepared.trace.report;
  const auto origin = prepared.trace.workload.calendar_origin();
  Json inputs = Json::array();
  inputs.push_back({{"role", "trace"}, {"path", settings.trace}, {"sha256", report.sha256}});
  for (const auto& [role, path] :
       {std::pair{"cluster", settings.cluster}, {"vc_sizes", settings.vc_sizes}})
    if (std::filesystem::is_regular_file(path))
      inputs.push_back({{"role", role}, {"path", path}, {"sha256", file_sha256(path)}});
  for (const LoadedPlugin& plugin : plugins_of(settings))
    inputs.push_back({{"role", "plugin"}, {"path", plugin.path}, {"sha256", plugin.sha256}});
  Json manifest{{"schema", 1},
                {"program", "orrery"},
                {"kind", kind},
                {"version", version()},
                {"build", build_text()}};
  manifest["argv"] = argv;
  manifest["settings"] = settings_json(settings, kind == "comparison" ? "compare" : "run");
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
  return manifest;
}

Json manifest_of(const Settings& settings, const Arguments& argv, const Prepared& prepared,
                 const RunResult& result) {
  Json manifest = manifest_head("run", settings, argv, prepared);
  const Summary::Jobs& jobs = result.summary.jobs;
  manifest["jobs"] = {{"read", jobs.read},
                      {"left_out", counts_json(jobs.left_out)},
                      {"replayed", jobs.replayed},
                      {"rejections", counts_json(jobs.rejections)}};
  manifest["policy_knows"] = result.knowledge;
  manifest["fingerprint"] = fingerprint_text(result.summary.fingerprint);
  return manifest;
}

}  // namespace orrery::app
