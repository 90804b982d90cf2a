#include "app/scenario.hpp"

#include "api/json_file.hpp"
#include "app/prepare.hpp"

#include "orrery/base/error.hpp"
#include "orrery/metrics/job_report.hpp"
#include "orrery/workload/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace orrery::app {
namespace {

using Json = nlohmann::json;

/// Numbers are seconds; texts are durations.
std::optional<Duration> time_of(const Json& value) {
  return value.is_string() ? parse_duration(value.get<std::string>()) : parse_seconds(value.dump());
}

/// A file named in a scenario stands beside it.
std::string beside(const std::string& scenario, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path{scenario}.parent_path() / name;
  std::error_code error;
  return std::filesystem::exists(path, error) ? path.string() : name;
}

class JobsReader {
 public:
  explicit JobsReader(ErrorList& faults) : faults_{faults} {}

  Workload read(const Json& jobs) {
    WorkloadBuilder builder;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      where_ = fmt::format("jobs[{}]", i);
      add(jobs[i], builder);
    }
    return builder.build();
  }

 private:
  std::optional<Duration> time(const Json& job, const char* key) {
    if (!job.contains(key)) return std::nullopt;
    const auto value = time_of(job.at(key));
    if (value && *value >= Duration::zero() && *value <= kLongestTime) return value;
    faults_.add(
        0, 0,
        fmt::format("{}.{}: expected seconds from 0 on or a duration such as \"5m\", got {}",
                    where_, key, printable(job.at(key).dump(), 60)));
    return Duration::zero();
  }

  void add(const Json& job, WorkloadBuilder& builder) {
    const auto id = job.at("id").get<std::string>();
    if (!ids_.insert(id).second)
      faults_.add(0, 0, fmt::format("{}.id: {} is there already", where_, quote(id)));
    const std::string vc = job.value("vc", ""), user = job.value("user", ""),
                      name = job.value("name", "");
    builder.add({.id = id,
                 .arrival = at(time(job, "submit").value_or(Duration::zero())),
                 .run_time = *time(job, "run"),
                 .gang_size = job.at("gpus").get<int>(),
                 .walltime = time(job, "walltime"),
                 .vc = vc,
                 .user = user,
                 .name = name,
                 .status = TraceStatus::unknown,
                 .recorded_start = {}});
  }

  ErrorList& faults_;
  std::set<std::string> ids_;
  std::string where_;
};

/// A number of summary.json by its path: "jct_s.mean", "by_vc.vc1.jobs". None: no such path.
const Json* find_number(const Json& summary, const std::string& path) {
  const Json* at = &summary;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    const std::string key = path.substr(from, dot - from);
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &at->at(key);
    from = dot + 1;
  }
  return at->is_number() || at->is_null() ? at : nullptr;
}

Json summary_of(const Scenario& scenario, const std::string& policy, const std::string& placement,
                RunResult* result) {
  const Console silent{true, ProgressMode::none};
  Settings settings = scenario.settings;
  settings.placement = placement;
  const Topology topology = load_topology(settings);
  RunOptions options = run_options(settings, topology, scenario.trace, silent);
  options.verify = true;
  RunResult run = simulate(scenario.trace.workload, topology, policy, options);
  add_counts(scenario.trace.report, run.summary);
  Json summary = Json::parse(summary_json(run.summary));
  if (result != nullptr) *result = std::move(run);
  return summary;
}

class Expectations {
 public:
  explicit Expectations(const Scenario& scenario)
      : scenario_{scenario}, work_{scenario.trace.workload} {
    summary_ = summary_of(scenario, scenario.settings.policies.front(), scenario.settings.placement,
                          &result_);
    for (std::size_t i = 0; i < work_.size(); ++i)
      by_id_.emplace(std::string{work_.id_text(JobId{i})}, JobId{i});
  }

  std::vector<std::string> failures() {
    for (const auto& [key, value] : scenario_.expect.items()) {
      if (key == "start" || key == "end" || key == "wait" || key == "jct") {
        check_times(key, value);
      } else if (key == "nodes") {
        check_nodes(value);
      } else if (key == "order") {
        check_order(value);
      } else if (key == "better_than") {
        for (const Json& one : value.is_array() ? value : Json::array({value})) check_better(one);
      } else if (key != "tolerance" && key != "invariants") {
        check_number(key, value);
      }
    }
    return std::move(failures_);
  }

 private:
  std::optional<JobReport> job(const std::string& id) {
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) return job_report(work_, result_.jobs, found->second);
    std::vector<std::string> known;
    for (const auto& [other, unused] : by_id_) known.push_back(other);
    throw InputError(fmt::format("{}: expect: there is no job {}{}", printable(scenario_.file),
                                 quote(id), did_you_mean(id, known)));
  }

  static std::optional<Duration> since_origin(SimTime time) {
    return time == kNever ? std::nullopt : std::optional{time.time_since_epoch()};
  }

  void check_times(const std::string& what, const Json& expected) {
    for (const auto& [id, value] : expected.items()) {
      const auto report = job(id);
      const std::optional<Duration> got = what == "start"
                                              ? since_origin(report->outcome.first_start)
                                          : what == "end"  ? since_origin(report->outcome.end)
                                          : what == "wait" ? report->wait
                                                           : report->jct;
      const std::optional<Duration> wanted = value.is_null() ? std::nullopt : time_of(value);
      if (!value.is_null() && !wanted)
        throw InputError(fmt::format("{}: expect.{}.{}: {} is no time", printable(scenario_.file),
                                     what, printable(id), printable(value.dump(), 60)));
      const auto text = [](const std::optional<Duration>& time) {
        return time ? seconds_text(*time) + " s" : std::string{"never"};
      };
      if (got != wanted)
        failures_.push_back(fmt::format("{} of {}: expected {}, got {}", what, printable(id),
                                        text(wanted), text(got)));
    }
  }

  void check_nodes(const Json& expected) {
    for (const auto& [id, value] : expected.items()) {
      const std::uint32_t got = job(id)->outcome.nodes;
      if ((value.is_null() ? 0U : value.get<std::uint32_t>()) != got)
        failures_.push_back(
            fmt::format("nodes of {}: expected {}, got {}", printable(id), value.dump(), got));
    }
  }

  /// Jobs in the order of their first starts; jobs that are not named do not matter.
  void check_order(const Json& expected) {
    std::vector<std::pair<SimTime, JobId>> starts;
    for (const Json& id : expected) {
      const auto report = job(id.get<std::string>());
      starts.emplace_back(report->outcome.first_start, report->outcome.job);
    }
    std::stable_sort(starts.begin(), starts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string got, wanted;
    for (const auto& [start, id] : starts)
      got += (got.empty() ? "" : " ") + printable(work_.id_text(id));
    for (const Json& id : expected)
      wanted += (wanted.empty() ? "" : " ") + printable(id.get<std::string>());
    if (got != wanted)
      failures_.push_back(fmt::format("order of starts: expected {}, got {}", wanted, got));
  }

  const Json& number(const Json& summary, const std::string& path) const {
    if (const Json* found = find_number(summary, path)) return *found;
    throw InputError(fmt::format("{}: expect: summary.json has no number {}",
                                 printable(scenario_.file), quote(path)));
  }

  void check_number(const std::string& path, const Json& expected) {
    const Json& got = number(summary_, path);
    const bool with_tolerance = expected.is_object();
    const Json& wanted = with_tolerance ? expected.at("value") : expected;
    if (wanted.is_null() || got.is_null()) {
      if (wanted != got)
        failures_.push_back(
            fmt::format("{}: expected {}, got {}", path, wanted.dump(), got.dump()));
      return;
    }
    const double otherwise = scenario_.expect.value("tolerance", 0.0);
    const double tolerance = with_tolerance ? expected.value("tolerance", otherwise) : otherwise;
    const double distance = std::abs(got.get<double>() - wanted.get<double>());
    // Decimals of a file and of a sum differ in their last bits.
    if (distance <= tolerance + 1e-9 * std::abs(wanted.get<double>())) return;
    failures_.push_back(
        fmt::format("{}: expected {}{}, got {}", path, wanted.dump(),
                    tolerance > 0 ? fmt::format(" (give or take {})", tolerance) : "", got.dump()));
  }

  void check_better(const Json& expected) {
    const auto policy = expected.at("policy").get<std::string>();
    const auto metric = expected.at("metric").get<std::string>();
    const Json other_summary = summary_of(
        scenario_, policy, expected.value("placement", scenario_.settings.placement), nullptr);
    const Json &mine = number(summary_, metric), &theirs = number(other_summary, metric);
    const double by = expected.value("by", 0.0);
    const bool more_is_better = metric.find("utilization") != std::string::npos;
    const bool defined = !mine.is_null() && !theirs.is_null();
    const double gain = !defined         ? 0
                        : more_is_better ? mine.get<double>() - theirs.get<double>()
                                         : theirs.get<double>() - mine.get<double>();
    if (defined && (by > 0 ? gain >= by - 1e-9 * std::abs(by) : gain > 0)) return;
    failures_.push_back(fmt::format("{}: expected to be better than {} by {}, got {} against {}",
                                    metric, printable(policy), by, mine.dump(), theirs.dump()));
  }

  const Scenario& scenario_;
  const Workload& work_;
  RunResult result_{.jobs = JobTable{0}};
  Json summary_;
  std::map<std::string, JobId> by_id_;
  std::vector<std::string> failures_;
};

}  // namespace

Scenario read_scenario(const std::string& path) {
  const Json file = read_json_file(path).value;
  check_against_schema(file, "scenario", printable(path));
  Scenario scenario{.file = path,
                    .name = file.at("name"),
                    .settings = {},
                    .trace = {},
                    .expect = file.at("expect")};
  ErrorList faults{printable(path)};
  apply_object(file, scenario.settings, faults);
  Settings& settings = scenario.settings;
  settings.cluster = beside(path, settings.cluster);
  if (!settings.vc_sizes.empty()) settings.vc_sizes = beside(path, settings.vc_sizes);
  if (file.contains("jobs") == !settings.trace.empty())
    faults.add(0, 0, "expected either jobs or a trace");
  if (file.contains("jobs")) {
    scenario.trace.workload = JobsReader{faults}.read(file.at("jobs"));
    scenario.trace.report.format = "inline";
    scenario.trace.report.read = scenario.trace.report.replayed = scenario.trace.workload.size();
  }
  faults.throw_if_any();
  if (!settings.trace.empty())
    scenario.trace = load_trace(beside(path, settings.trace), settings.load);
  return scenario;
}

std::vector<std::string> failures_of(const Scenario& scenario) {
  return Expectations{scenario}.failures();
}

}  // namespace orrery::app
