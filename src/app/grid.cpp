#include "app/grid.hpp"

#include "app/parallel.hpp"
#include "app/result_writer.hpp"

#include "orrery/workload/truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>

namespace orrery::app {
namespace {

/// By JobId: whether the job counts and finished in every run.
std::vector<bool> finished_in_all(const std::vector<std::unique_ptr<RunResult>>& runs,
                                  std::size_t jobs) {
  std::vector<bool> all(jobs, false);
  const JobRange range = runs.front()->range;
  for (std::size_t i = range.first; i < range.last; ++i)
    all[i] = std::all_of(runs.begin(), runs.end(), [i](const auto& run) {
      return run->jobs.status(JobId{i}) == JobStatus::finished;
    });
  return all;
}

Bounds bounds_of(const Prepared& prepared, const std::vector<bool>& among, JobRange range) {
  const Workload& workload = prepared.trace.workload;
  std::vector<PoolJobs> pools{{.gpus = prepared.topology.total_gpus(), .jobs = {}}};
  std::vector<std::size_t> pool_of_vc(workload.vcs().size(), 0);
  if (prepared.options.sim.vc_mode == VcMode::fixed) {
    for (const VcShare& vc : prepared.topology.vcs()) {
      pool_of_vc[workload.vcs().find(vc.name)] = pools.size();
      pools.push_back({.gpus = vc.gpus, .jobs = {}});
    }
  }
  for (std::size_t i = range.first; i < range.last; ++i) {
    if (!among[i]) continue;
    const JobId job{i};
    pools[pool_of_vc[workload.vc(job)]].jobs.push_back({.arrival = workload.arrival(job),
                                                        .run_time = workload.truth().run_time(job),
                                                        .gpus = workload.gang_size(job)});
  }
  return range.first == range.last ? Bounds{}
                                   : lower_bounds(pools, workload.arrival(JobId{range.first}));
}

/// Runs over one loaded trace: each policy under each of the seeds.
class Group {
 public:
  Group(Settings settings, std::uint64_t seeds, bool first)
      : settings_{std::move(settings)},
        seeds_{seeds},
        first_{first},
        runs_(settings_.policies.size() * seeds),
        left_{runs_.size()} {}

  std::size_t size() const { return runs_.size(); }

  /// Run i; the last one to end makes the result of all.
  void run(std::size_t i, const Arguments& argv, const Console& console) {
    std::call_once(loaded_, [&] {
      prepared_.emplace(prepare(settings_, first_ ? console : Console{true, ProgressMode::none}));
      title_ = prepared_->title;
    });
    const std::size_t policy = i / seeds_, seed = i % seeds_;
    Settings settings = settings_;
    settings.policies = {settings_.policies[policy]};
    settings.seed += seed;
    runs_[i] = std::make_unique<RunResult>(
        carry_out_one(settings, first_ && seed == 0 ? folder(policy) : "", argv));
    if (--left_ > 0 || StopSignals::received() != 0) return;
    if (first_ && !settings_.out.empty())
      manifest = manifest_head("comparison", settings_, argv, *prepared_);
    finish();
  }

  TraceRuns result;
  Summary first_run;
  Json manifest;
  const RunTitle& title() const { return title_; }

 private:
  std::string folder(std::size_t policy) const {
    if (settings_.out.empty()) return {};
    return (std::filesystem::path{settings_.out} / run_folder(settings_.policies, policy)).string();
  }

  RunResult carry_out_one(Settings settings, const std::string& folder, const Arguments& argv) {
    const Workload& workload = prepared_->trace.workload;
    RunOptions options = prepared_->options;
    options.sim.seed = settings.seed;
    options.progress = [](const Simulator&) { return StopSignals::received() == 0; };
    std::optional<ResultWriter> files;
    if (!folder.empty()) {
      files.emplace(folder, settings.force);
      files->add_sinks(settings, *prepared_, options);
    }
    RunResult run = simulate(workload, prepared_->topology, settings.policies.front(), options);
    add_counts(prepared_->trace.report, run.summary);
    settings.out = folder;
    if (files && !run.stopped) files->write(settings, argv, *prepared_, run);
    return run;
  }

  void finish() {
    const Workload& workload = prepared_->trace.workload;
    const std::vector<bool> among = finished_in_all(runs_, workload.size());
    const JobRange range = runs_.front()->range;
    first_run = runs_.front()->summary;
    result.jobs = static_cast<std::uint64_t>(std::count(among.begin(), among.end(), true));
    result.left_out = first_run.jobs.measured - result.jobs;
    result.bounds = bounds_of(*prepared_, among, range);
    result.policies.resize(settings_.policies.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      PolicyRuns& policy = result.policies[i / seeds_];
      RunResult& run = *runs_[i];
      policy.runs.push_back(run.summary.jobs.finished == result.jobs
                                ? std::move(run.summary)
                                : summary_among(workload, run, among));
      std::vector<std::int64_t>& jct = policy.jct_us.emplace_back();
      jct.reserve(result.jobs);
      for (std::size_t j = range.first; j < range.last; ++j)
        if (among[j]) jct.push_back(micros(run.jobs.end(JobId{j}) - workload.arrival(JobId{j})));
    }
    runs_.clear();
    prepared_.reset();
  }

  const Settings settings_;
  const std::uint64_t seeds_;
  const bool first_;  // of all groups: it tells what is left out, and fills folders
  std::once_flag loaded_;
  std::optional<Prepared> prepared_;
  RunTitle title_;
  std::vector<std::unique_ptr<RunResult>> runs_;  // by policy, then by seed
  std::atomic<std::size_t> left_;
};

std::vector<double> loads_of(const Settings& settings) {
  return settings.loads.empty() ? std::vector{settings.load.load} : settings.loads;
}

/// In the order in which they are begun: by load, then by seed.
std::vector<std::unique_ptr<Group>> groups_of(const Settings& settings) {
  std::vector<std::unique_ptr<Group>> groups;
  const bool made_up = is_made_up(settings.trace);
  for (const double load : loads_of(settings)) {
    Settings one = settings;
    one.load.load = load;
    for (std::uint64_t seed = 0; seed < (made_up ? settings.seeds : 1); ++seed) {
      one.seed = settings.seed + seed;
      groups.push_back(std::make_unique<Group>(one, made_up ? 1 : settings.seeds, groups.empty()));
    }
  }
  return groups;
}

}  // namespace

GridResult run_grid(const Settings& settings, const Arguments& argv, const Console& console) {
  const std::vector<std::unique_ptr<Group>> groups = groups_of(settings);
  const std::size_t each = groups.front()->size();
  in_parallel(groups.size() * each, settings.threads, [&](std::size_t i) {
    if (StopSignals::received() == 0) groups[i / each]->run(i % each, argv, console);
  });
  GridResult grid{.title = groups.front()->title(),
                  .first = groups.front()->first_run,
                  .manifest = groups.front()->manifest,
                  .loads = std::vector<std::vector<TraceRuns>>(loads_of(settings).size()),
                  .stopped = StopSignals::received() != 0};
  const std::size_t traces = groups.size() / grid.loads.size();
  for (std::size_t g = 0; g < groups.size(); ++g)
    grid.loads[g / traces].push_back(std::move(groups[g]->result));
  return grid;
}

std::string run_folder(const std::vector<std::string>& policies, std::size_t policy) {
  std::string name;
  for (const char c : policies[policy]) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '-';
  }
  name.resize(std::min<std::size_t>(name.size(), 60));
  const auto digits =
      static_cast<int>(std::max<std::size_t>(2, std::to_string(policies.size()).size()));
  return fmt::format("runs/{:0{}}-{}", policy + 1, digits, name);
}

}  // namespace orrery::app
