#include "app/expectations.hpp"

#include "app/prepare.hpp"

#include "orrery/base/error.hpp"
#include "orrery/metrics/job_report.hpp"
#include "orrery/report/result_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>

namespace orrery::app {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

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

std::optional<Duration> since_origin(SimTime time) {
  return time == kNever ? std::nullopt : std::optional{time.time_since_epoch()};
}

/// A number of each job by its name in "expect", and what a failure calls it.
struct Count {
  const char *key, *title;
  std::uint32_t JobOutcome::*of;
};
constexpr std::array<Count, 3> kCounts{{{"nodes", "nodes of", &JobOutcome::nodes},
                                        {"preempted", "preemptions of", &JobOutcome::preemptions},
                                        {"migrated", "migrations of", &JobOutcome::migrations}}};

/// The expectations of a scenario against one run of it.
class Expectations {
 public:
  Expectations(const Scenario& scenario, const std::string& policy, const std::string& placement)
      : scenario_{scenario}, placement_{placement}, work_{scenario.trace.workload} {
    summary_ = summary_of(scenario, policy, placement, &result_);
    for (std::size_t i = 0; i < work_.size(); ++i)
      by_id_.emplace(std::string{work_.id_text(JobId{i})}, JobId{i});
  }

  std::vector<Miss> misses() {
    for (const auto& [key, value] : scenario_.expect.items()) {
      const auto count =
          std::ranges::find_if(kCounts, [&](const Count& c) { return c.key == key; });
      if (count != kCounts.end()) {
        check_counts(*count, value);
      } else if (key == "start" || key == "end" || key == "wait" || key == "jct") {
        check_times(key, value);
      } else if (key == "order") {
        check_order(value);
      } else if (key == "better_than") {
        for (const Json& one : value.is_array() ? value : Json::array({value})) check_better(one);
      } else if (key != "tolerance" && key != "invariants") {
        check_number(key, value);
      }
    }
    return std::move(misses_);
  }

 private:
  JobReport job(const std::string& id) {
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) return job_report(work_, result_.jobs, found->second);
    std::vector<std::string> known;
    for (const auto& [other, unused] : by_id_) known.push_back(other);
    throw InputError(fmt::format("{}: expect: there is no job {}{}", printable(scenario_.file),
                                 quote(id), did_you_mean(id, known)));
  }

  void check_times(const std::string& what, const Json& expected) {
    for (const auto& [id, value] : expected.items()) {
      const JobReport report = job(id);
      const std::optional<Duration> got = what == "start" ? since_origin(report.outcome.first_start)
                                          : what == "end" ? since_origin(report.outcome.end)
                                          : what == "wait" ? report.wait
                                                           : report.jct;
      const std::optional<Duration> wanted = value.is_null() ? std::nullopt : time_of(value);
      if (!value.is_null() && !wanted)
        throw InputError(fmt::format("{}: expect.{}.{}: {} is no time", printable(scenario_.file),
                                     what, printable(id), printable(value.dump(), 60)));
      const auto text = [](const std::optional<Duration>& time) {
        return time ? seconds_text(*time) + " s" : std::string{"never"};
      };
      if (got != wanted)
        misses_.push_back({fmt::format("{} of {}: expected {}, got {}", what, printable(id),
                                       text(wanted), text(got)),
                           {what, id},
                           got ? OrderedJson::parse(seconds_text(*got)) : OrderedJson(nullptr)});
    }
  }

  void check_counts(const Count& count, const Json& expected) {
    for (const auto& [id, value] : expected.items()) {
      const std::uint32_t got = job(id).outcome.*count.of;
      if ((value.is_null() ? 0U : value.get<std::uint32_t>()) != got)
        misses_.push_back({fmt::format("{} {}: expected {}, got {}", count.title, printable(id),
                                       value.dump(), got),
                           {count.key, id},
                           OrderedJson(got)});
    }
  }

  /// Jobs in the order of their first starts; jobs that are not named do not matter.
  void check_order(const Json& expected) {
    std::vector<std::pair<SimTime, JobId>> starts;
    for (const Json& id : expected) {
      const JobReport report = job(id.get<std::string>());
      starts.emplace_back(report.outcome.first_start, report.outcome.job);
    }
    std::stable_sort(starts.begin(), starts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string got, wanted;
    OrderedJson order = OrderedJson::array();
    for (const auto& [start, id] : starts) {
      got += (got.empty() ? "" : " ") + printable(work_.id_text(id));
      order.push_back(std::string{work_.id_text(id)});
    }
    for (const Json& id : expected)
      wanted += (wanted.empty() ? "" : " ") + printable(id.get<std::string>());
    if (got != wanted)
      misses_.push_back({fmt::format("order of starts: expected {}, got {}", wanted, got),
                         {"order"},
                         std::move(order)});
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
    const double otherwise = scenario_.expect.value("tolerance", 0.0);
    const double tolerance = with_tolerance ? expected.value("tolerance", otherwise) : otherwise;
    const bool defined = !wanted.is_null() && !got.is_null();
    // Decimals of a file and of a sum differ in their last bits.
    if (defined ? std::abs(got.get<double>() - wanted.get<double>()) <=
                      tolerance + 1e-9 * std::abs(wanted.get<double>())
                : wanted == got)
      return;
    misses_.push_back(
        {fmt::format("{}: expected {}{}, got {}", path, wanted.dump(),
                     defined && tolerance > 0 ? fmt::format(" (give or take {})", tolerance) : "",
                     got.dump()),
         with_tolerance ? std::vector<std::string>{path, "value"} : std::vector<std::string>{path},
         OrderedJson(got)});
  }

  void check_better(const Json& expected) {
    const auto policy = expected.at("policy").get<std::string>();
    const auto metric = expected.at("metric").get<std::string>();
    const Json other_summary =
        summary_of(scenario_, policy, expected.value("placement", placement_), nullptr);
    const Json &mine = number(summary_, metric), &theirs = number(other_summary, metric);
    const double by = expected.value("by", 0.0);
    const bool more_is_better = metric.find("utilization") != std::string::npos;
    const bool defined = !mine.is_null() && !theirs.is_null();
    const double gain = !defined         ? 0
                        : more_is_better ? mine.get<double>() - theirs.get<double>()
                                         : theirs.get<double>() - mine.get<double>();
    if (defined && (by > 0 ? gain >= by - 1e-9 * std::abs(by) : gain > 0)) return;
    misses_.push_back({fmt::format("{}: expected to be better than {} by {}, got {} against {}",
                                   metric, printable(policy), by, mine.dump(), theirs.dump()),
                       {"better_than"},
                       std::nullopt,
                       gain < 0});
  }

  const Scenario& scenario_;
  std::string placement_;
  const Workload& work_;
  RunResult result_{.jobs = JobTable{0}};
  Json summary_;
  std::map<std::string, JobId> by_id_;
  std::vector<Miss> misses_;
};

}  // namespace

std::vector<Miss> misses_of(const Scenario& scenario) {
  const bool several = scenario.settings.policies.size() * scenario.placements.size() > 1;
  std::vector<Miss> all;
  for (const std::string& policy : scenario.settings.policies)
    for (const std::string& placement : scenario.placements)
      for (Miss& miss : Expectations{scenario, policy, placement}.misses()) {
        if (several)
          miss.text =
              fmt::format("{} + {}: {}", printable(policy), printable(placement), miss.text);
        all.push_back(std::move(miss));
      }
  return all;
}

std::vector<Miss> update(const Scenario& scenario, const std::vector<Miss>& misses) {
  std::map<std::vector<std::string>, std::vector<OrderedJson>> values;
  for (const Miss& miss : misses)
    if (miss.got) values[miss.path].push_back(*miss.got);
  const std::size_t runs = scenario.settings.policies.size() * scenario.placements.size();
  std::ifstream in{scenario.file};
  OrderedJson file = OrderedJson::parse(in);
  std::vector<Miss> left;
  for (const Miss& miss : misses) {
    const auto& got = values[miss.path];
    if (!miss.got || got.size() != runs || std::ranges::find_if_not(got, [&](const auto& other) {
                                             return other == got.front();
                                           }) != got.end()) {
      left.push_back(miss);
      continue;
    }
    OrderedJson* at = &file["expect"];
    for (const std::string& key : miss.path) at = &(*at)[key];
    *at = *miss.got;
  }
  if (left.size() < misses.size()) write_text(scenario.file, scenario_text(file));
  return left;
}

}  // namespace orrery::app
