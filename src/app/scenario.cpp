#include "app/scenario.hpp"

#include "api/json_file.hpp"

#include "orrery/base/error.hpp"
#include "orrery/workload/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

namespace orrery::app {
namespace {

using Json = nlohmann::json;

/// A file named in a scenario stands beside it.
std::string beside(const std::string& scenario, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path{scenario}.parent_path() / name;
  std::error_code error;
  return std::filesystem::exists(path, error) ? path.string() : name;
}

/// On one line, with a blank after each comma and colon.
std::string spaced(const nlohmann::ordered_json& value) {
  std::string text;
  if (!value.is_structured()) return value.dump();
  for (const auto& [key, member] : value.items())
    text += (text.empty() ? "" : ", ") + (value.is_object() ? Json(key).dump() + ": " : "") +
            spaced(member);
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

class JobsReader {
 public:
  explicit JobsReader(ErrorList& faults) : faults_{faults} {}

  std::vector<TrialJob> read(const Json& jobs) {
    std::vector<TrialJob> read;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      where_ = fmt::format("jobs[{}]", i);
      read.push_back(one(jobs[i]));
    }
    return read;
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

  TrialJob one(const Json& job) {
    const auto id = job.at("id").get<std::string>();
    if (!ids_.insert(id).second)
      faults_.add(0, 0, fmt::format("{}.id: {} is there already", where_, quote(id)));
    return {.id = id,
            .submit = time(job, "submit").value_or(Duration::zero()),
            .gpus = job.at("gpus").get<int>(),
            .run = *time(job, "run"),
            .walltime = time(job, "walltime"),
            .vc = job.value("vc", ""),
            .user = job.value("user", ""),
            .name = job.value("name", "")};
  }

  ErrorList& faults_;
  std::set<std::string> ids_;
  std::string where_;
};

/// The members of a list, one a line.
std::string lines_of(const nlohmann::ordered_json& list) {
  std::string text = "[";
  for (const auto& [unused, one] : list.items())
    text += fmt::format("{}\n    {}", text.size() > 1 ? "," : "", spaced(one));
  return text + "\n  ]";
}

std::string expectations_of(const nlohmann::ordered_json& expect) {
  std::string text = "{";
  for (const auto& [key, value] : expect.items())
    text +=
        fmt::format("{}\n    {}: {}", text.size() > 1 ? "," : "", Json(key).dump(), spaced(value));
  return text + "\n  }";
}

}  // namespace

std::optional<Duration> time_of(const Json& value) {
  return value.is_string() ? parse_duration(value.get<std::string>()) : parse_seconds(value.dump());
}

std::string scenario_text(const nlohmann::ordered_json& scenario) {
  constexpr std::array<std::string_view, 5> kOwnLine{"$schema", "name", "comment", "jobs",
                                                     "expect"};
  std::string text = "{", settings;
  bool first = true;
  const auto line = [&](const std::string& of) {
    text += fmt::format("{}\n  {}", std::exchange(first, false) ? "" : ",", of);
  };
  const auto member = [](const std::string& key, const std::string& value) {
    return fmt::format("{}: {}", Json(key).dump(), value);
  };
  for (const char* key : {"$schema", "name", "comment"})
    if (scenario.contains(key)) line(member(key, scenario[key].dump()));
  for (const auto& [key, value] : scenario.items())
    if (std::ranges::find(kOwnLine, key) == kOwnLine.end())
      settings += (settings.empty() ? "" : ", ") + member(key, spaced(value));
  if (!settings.empty()) line(settings);
  if (scenario.contains("jobs")) line(member("jobs", lines_of(scenario["jobs"])));
  if (scenario.contains("expect")) line(member("expect", expectations_of(scenario["expect"])));
  return text + "\n}\n";
}

Scenario read_scenario(const std::string& path) {
  const Json file = read_json_file(path).value;
  check_against_schema(file, "scenario", printable(path));
  Scenario scenario{.file = path,
                    .name = file.at("name"),
                    .settings = {},
                    .trace = {},
                    .expect = file.at("expect")};
  ErrorList faults{printable(path)};
  Settings& settings = scenario.settings;
  Json single = file;
  if (const auto many = file.find("placement"); many != file.end() && many->is_array()) {
    scenario.placements = many->get<std::vector<std::string>>();
    single.erase("placement");
  }
  apply_object(single, settings, faults);
  if (scenario.placements.empty()) scenario.placements = {settings.placement};
  settings.cluster = beside(path, settings.cluster);
  if (!settings.vc_sizes.empty()) settings.vc_sizes = beside(path, settings.vc_sizes);
  if (file.contains("jobs") == !settings.trace.empty())
    faults.add(0, 0, "expected either jobs or a trace");
  if (file.contains("jobs")) {
    scenario.trace.workload = workload_of(JobsReader{faults}.read(file.at("jobs")));
    scenario.trace.report.format = "inline";
    scenario.trace.report.read = scenario.trace.report.replayed = scenario.trace.workload.size();
  }
  faults.throw_if_any();
  if (!settings.trace.empty())
    scenario.trace = load_trace(beside(path, settings.trace), settings.load);
  return scenario;
}

}  // namespace orrery::app
