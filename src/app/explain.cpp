// orrery explain: why a job waited, as stretches of time with their causes and who stood before it.
#include "app/commands.hpp"
#include "app/manifest.hpp"
#include "app/prepare.hpp"
#include "report/json_parts.hpp"

#include "orrery/base/error.hpp"
#include "orrery/inspect/explanation.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orrery::app {
namespace {

std::string nearest_id(const Workload& workload, const std::string& id) {
  constexpr std::size_t kMostLookedAt = 200'000;  // edit distances take time
  std::vector<std::string> known;
  for (std::size_t i = 0; i < std::min(workload.size(), kMostLookedAt); ++i)
    known.emplace_back(workload.id_text(JobId{i}));
  return did_you_mean(id, known);
}

JobId find_job(const Workload& workload, const ExplainOptions& options) {
  const std::vector<std::size_t> rows = rows_of(workload, options.job);
  if (rows.empty())
    throw UsageError(fmt::format("no job {} among the {} that are replayed{}", quote(options.job),
                                 grouped(workload.size()), nearest_id(workload, options.job)));
  if (options.row == 0 && rows.size() == 1) return workload.at_row(rows.front() - 1);
  if (std::ranges::find(rows, options.row) != rows.end()) return workload.at_row(options.row - 1);
  const auto first = std::min<std::size_t>(rows.size(), 10);
  const std::string which = fmt::format(
      "{}{}", fmt::join(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first), ", "),
      first < rows.size() ? ", ..." : "");
  if (options.row == 0)
    throw UsageError(fmt::format("{} jobs have the id {}: --row says which, one of {} of jobs.csv",
                                 rows.size(), quote(options.job), which));
  throw UsageError(fmt::format("--row: row {} of jobs.csv is not job {}, which is row {}",
                               options.row, quote(options.job), which));
}

/// Runs until the job has come to its end; nothing when a signal came before.
std::optional<Explanation> explain_run(const Settings& settings, Prepared& prepared, JobId job,
                                       const ExplainOptions& options, const Console& console) {
  const Workload& workload = prepared.trace.workload;
  Explainer explainer{workload, {job}, options.ahead};
  prepared.options.sinks.emplace_back(&explainer, Explainer::kWants);
  const StopSignals stop;
  Progress progress{console, workload};
  std::uint64_t instants = 0;
  prepared.options.progress_instants = 1;
  prepared.options.progress = [&](const Simulator& run) {
    return explainer.look(run) && (++instants % 4096 != 0 || progress(run));
  };
  const RunResult result =
      simulate(workload, prepared.topology, settings.policies.front(), prepared.options);
  if (StopSignals::received() != 0) return std::nullopt;
  explainer.finish(result.end);
  return explainer.explanations().front();
}

std::string time_text(SimTime time) {
  return time == kNever ? "" : seconds_text(time.time_since_epoch());
}

std::string rivals_text(const Workload& workload, const Rivals& rivals) {
  std::string text;
  std::int64_t shown = 0;
  for (const Rival& rival : rivals.shown) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        printable(workload.id_text(rival.job), 40), rival.gpus);
    shown += rival.gpus;
  }
  if (rivals.jobs > rivals.shown.size())
    text += fmt::format("{}{} more {}", text.empty() ? "" : ", ", rivals.jobs - rivals.shown.size(),
                        rivals.gpus - shown);
  return text.empty() ? "-" : text;
}

std::string causes_text(const JobOutcome& outcome) {
  std::string text;
  for (std::size_t c = 0; c < kWaitCauses; ++c)
    if (outcome.wait[c] > Duration::zero())
      text += fmt::format("{}{} {} s", text.empty() ? "" : " + ", name(static_cast<WaitCause>(c)),
                          seconds_text(outcome.wait[c]));
  return text.empty() ? "0 s" : fmt::format("{} s = {}", seconds_text(outcome.total_wait()), text);
}

std::string stretches_text(const Workload& workload, const Explanation& told, std::size_t most) {
  std::vector<std::vector<std::string>> rows{
      {"why", "from_s", "to_s", "for", "GPUs free", "held by (GPUs)", "waiting before it (GPUs)"}};
  const bool evicts = std::ranges::any_of(
      told.stretches, [](const WaitStretch& one) { return one.evictable_gpus > 0; });
  if (evicts) rows.front().insert(rows.front().end() - 2, "held by later jobs");
  Duration rest{};
  for (std::size_t i = 0; i < told.stretches.size(); ++i) {
    const WaitStretch& one = told.stretches[i];
    if (i >= most) {
      rest += one.to - one.from;
      continue;
    }
    rows.push_back({std::string{name(one.cause)}, time_text(one.from), time_text(one.to),
                    human_duration(one.to - one.from), std::to_string(one.free_gpus),
                    rivals_text(workload, one.holders), rivals_text(workload, one.ahead)});
    if (evicts) rows.back().insert(rows.back().end() - 2, std::to_string(one.evictable_gpus));
  }
  std::string text = "\n" + aligned(rows);
  if (told.stretches.size() > most)
    text +=
        fmt::format("{} more stretches, {} s\n", told.stretches.size() - most, seconds_text(rest));
  return text;
}

std::string text_of(const Workload& workload, const std::string& policy, const Explanation& told,
                    const ExplainOptions& options) {
  const JobOutcome& outcome = told.outcome;
  const std::string& vc = workload.vcs()[workload.vc(outcome.job)];
  std::string text = fmt::format(
      "job     {} · {}{} · {} · {}\n", printable(workload.id_text(outcome.job)),
      counted(outcome.gang_size, "GPU", "GPUs"), vc.empty() ? "" : " · VC " + printable(vc),
      printable(policy), name(outcome.status));
  text += fmt::format("submit  {} s\n", time_text(workload.arrival(outcome.job)));
  if (outcome.first_start != kNever)
    text += fmt::format("start   {} s\n", time_text(outcome.first_start));
  if (outcome.end != kNever) text += fmt::format("end     {} s\n", time_text(outcome.end));
  if (outcome.status == JobStatus::rejected) return text + "limit   " + told.limit + "\n";
  text += "waited  " + causes_text(outcome) + "\n";
  return told.stretches.empty() ? text : text + stretches_text(workload, told, options.stretches);
}

Json rivals_json(const Workload& workload, const Rivals& rivals) {
  Json shown = Json::array();
  for (const Rival& rival : rivals.shown)
    shown.push_back({{"job_id", workload.id_text(rival.job)}, {"gpus", rival.gpus}});
  return {{"jobs", rivals.jobs}, {"gpus", rivals.gpus}, {"shown", std::move(shown)}};
}

Json time_json(SimTime time) {
  return time == kNever ? Json(nullptr) : Json(micros(time));
}

Json json_of(const Workload& workload, const std::string& policy, const Explanation& told,
             const ExplainOptions& options) {
  const JobOutcome& outcome = told.outcome;
  Json causes = Json::object(), stretches = Json::array();
  for (std::size_t c = 0; c < kWaitCauses; ++c)
    causes[std::string{name(static_cast<WaitCause>(c))}] = micros(outcome.wait[c]);
  for (std::size_t i = 0; i < std::min(told.stretches.size(), options.stretches); ++i) {
    const WaitStretch& one = told.stretches[i];
    stretches.push_back({{"from_us", micros(one.from)},
                         {"to_us", micros(one.to)},
                         {"cause", name(one.cause)},
                         {"free_gpus", one.free_gpus},
                         {"evictable_gpus", one.evictable_gpus},
                         {"held_by", rivals_json(workload, one.holders)},
                         {"waiting_before_it", rivals_json(workload, one.ahead)}});
  }
  return {{"job_id", workload.id_text(outcome.job)},
          {"vc", workload.vcs()[workload.vc(outcome.job)]},
          {"gpus", outcome.gang_size},
          {"policy", policy},
          {"status", name(outcome.status)},
          {"limit", told.limit.empty() ? Json(nullptr) : Json(told.limit)},
          {"submit_us", micros(workload.arrival(outcome.job))},
          {"start_us", time_json(outcome.first_start)},
          {"end_us", time_json(outcome.end)},
          {"wait_us", micros(outcome.total_wait())},
          {"wait_by_cause_us", std::move(causes)},
          {"stretches", told.stretches.size()},
          {"shown", std::move(stretches)}};
}

}  // namespace

int explain(const Settings& settings, const ExplainOptions& options, const Console& console) {
  check_run_settings(settings);
  Prepared prepared = prepare(settings, console);
  const Workload& workload = prepared.trace.workload;
  const JobId job = find_job(workload, options);
  const auto told = explain_run(settings, prepared, job, options, console);
  if (!told) return kSignal + StopSignals::received();
  const std::string policy = policy_text(settings);
  write_text("-", settings.json ? json_text(json_of(workload, policy, *told, options))
                                : text_of(workload, policy, *told, options));
  return kDone;
}

}  // namespace orrery::app
