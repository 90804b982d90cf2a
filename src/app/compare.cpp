// orrery compare: several policies on one trace, side by side.
#include "app/commands.hpp"
#include "app/prepare.hpp"

#include "orrery/base/error.hpp"
#include "orrery/report/result_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <thread>

namespace orrery::app {
namespace {

void check_settings(const Settings& settings) {
  if (settings.trace.empty()) throw UsageError("--trace is missing: the trace to replay");
  if (settings.cluster.empty()) throw UsageError("--cluster is missing, such as 64x8");
  if (settings.policies.size() < 2)
    throw UsageError("compare takes two or more, such as --policy fifo --policy srtf");
}

/// Runs every policy, `threads` at a time. Run i fills place i, so the order of finishing shows
/// nowhere. The first failure in the order of the policies is thrown.
std::vector<std::unique_ptr<RunResult>> run_all(const Settings& settings,
                                                const Prepared& prepared) {
  const std::size_t runs = settings.policies.size();
  std::vector<std::unique_ptr<RunResult>> results(runs);
  std::vector<std::exception_ptr> failures(runs);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < runs; i = next++) {
      try {
        RunOptions options = prepared.options;
        options.progress = [](const Simulator&) { return StopSignals::received() == 0; };
        results[i] = std::make_unique<RunResult>(
            simulate(prepared.trace.workload, prepared.topology, settings.policies[i], options));
        add_counts(prepared.trace.report, results[i]->summary);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t threads =
      std::min<std::size_t>(settings.threads > 0 ? settings.threads : cores, runs);
  std::vector<std::thread> workers;
  for (std::size_t i = 1; i < threads; ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return results;
}

/// By JobId: whether the job finished under every policy.
std::vector<bool> finished_by_all(const std::vector<std::unique_ptr<RunResult>>& results,
                                  std::size_t jobs) {
  std::vector<bool> all(jobs, true);
  for (const auto& result : results)
    for (std::size_t i = 0; i < jobs; ++i)
      if (result->jobs.status(JobId{i}) != JobStatus::finished) all[i] = false;
  return all;
}

}  // namespace

int compare(const Settings& settings, const Console& console) {
  check_settings(settings);
  const Prepared prepared = prepare(settings, console);
  std::vector<std::unique_ptr<RunResult>> results;
  {
    const StopSignals stop;
    results = run_all(settings, prepared);
  }
  for (const auto& result : results)
    if (result->stopped) return kSignal + StopSignals::received();

  const Workload& workload = prepared.trace.workload;
  const std::vector<bool> common = finished_by_all(results, workload.size());
  const bool same_jobs = std::all_of(results.begin(), results.end(), [&](const auto& result) {
    return result->summary.jobs.finished ==
           static_cast<std::uint64_t>(std::count(common.begin(), common.end(), true));
  });
  Comparison comparison{.title = prepared.title, .jobs = 0, .left_out = 0, .rows = {}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    RunResult& result = *results[i];
    comparison.rows.push_back(
        {settings.policies[i],
         same_jobs ? std::move(result.summary) : summary_among(workload, result, common)});
  }
  const Summary& first = comparison.rows.front().summary;
  comparison.jobs = first.jct_s.n;
  comparison.left_out = first.jobs.measured - first.jct_s.n;
  tell_about(first, console);
  if (!settings.csv.empty()) write_text(settings.csv, comparison_csv(comparison));
  if (settings.csv != "-")
    write_text("-", settings.json ? comparison_json(comparison) : comparison_text(comparison));
  return kDone;
}

}  // namespace orrery::app
