// orrery check --minimize: a small scenario in place of a large one, in which the same thing goes
// wrong.
#include "app/commands.hpp"
#include "app/expectations.hpp"
#include "app/trial_scenario.hpp"

#include "orrery/base/error.hpp"
#include "orrery/conformance/shrink.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <tuple>

namespace orrery::app {
namespace {

using Json = nlohmann::ordered_json;
using conformance::Case;

/// What goes wrong: a broken rule, or a relation that does not hold. A value ("start of b is 10 s")
/// is another one in any smaller case, and no reason to stop at one.
struct Problem {
  std::string kind;  ///< what a smaller case must have, too
  std::string text;
  std::string expectation;  ///< its key in "expect"; empty: a broken rule
};

/// A message without what differs from case to case: quoted texts and numbers.
std::string without_details(const std::string& message) {
  std::string kept;
  bool quoted = false;
  for (const char c : message) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && (c < '0' || c > '9') && c != '.') kept += c;
  }
  return kept;
}

/// Whether a miss says something of any case: an order, a better policy, a count that is to be
/// zero.
bool is_relation(const Scenario& scenario, const Miss& miss) {
  const std::string& key = miss.path.front();
  if (key == "order" || key == "better_than") return true;
  const nlohmann::json* expected = &scenario.expect;
  for (const std::string& part : miss.path) expected = &expected->at(part);
  return miss.path.size() == 1 && *expected == 0;
}

/// The one expectation that the problem is about.
template <class Object>
Object expectation_of(const Problem& problem, const Object& expect) {
  Object one = Object::object();
  if (problem.expectation.empty()) {
    one["invariants"] = true;
  } else {
    one[problem.expectation] = expect.at(problem.expectation);
  }
  return one;
}

std::vector<Problem> problems_of(const Scenario& scenario) {
  try {
    std::vector<Problem> problems;
    for (const Miss& miss : misses_of(scenario))
      if (is_relation(scenario, miss))
        problems.push_back({.kind = without_details(miss.text.substr(0, miss.text.find(", got "))) +
                                    (miss.worse ? " worse" : ""),
                            .text = miss.text,
                            .expectation = miss.path.front()});
    return problems;
  } catch (const Fault& fault) {
    return {{.kind = without_details(fault.what()), .text = fault.what(), .expectation = {}}};
  } catch (const InputError&) {  // an expectation of a job that is not there any more
  } catch (const UsageError&) {  // a cluster that cannot be
  }
  return {};
}

/// The nodes of "32x8"; nothing for any other cluster, which stays as it is.
std::optional<std::pair<int, int>> equal_nodes(const std::string& cluster) {
  int nodes = 0, gpus = 0;
  const char* end = cluster.data() + cluster.size();
  const auto [x, error] = std::from_chars(cluster.data(), end, nodes);
  if (error != std::errc{} || x == end || *x != 'x') return std::nullopt;
  const auto [last, wrong] = std::from_chars(x + 1, end, gpus);
  if (wrong != std::errc{} || last != end) return std::nullopt;
  return std::pair{nodes, gpus};
}

Case case_of(const Scenario& scenario) {
  Case all{.jobs = trial_jobs(scenario.trace.workload)};
  if (const auto nodes = equal_nodes(scenario.settings.cluster))
    std::tie(all.nodes, all.gpus_per_node) = *nodes;
  return all;
}

Scenario with(const Scenario& scenario, const Case& smaller) {
  Scenario other{.file = scenario.file,
                 .name = scenario.name,
                 .settings = scenario.settings,
                 .placements = scenario.placements,
                 .trace = {},
                 .expect = scenario.expect};
  other.trace.workload = workload_of(smaller.jobs);
  other.trace.report.read = other.trace.report.replayed = smaller.jobs.size();
  if (smaller.nodes > 0)
    other.settings.cluster = fmt::format("{}x{}", smaller.nodes, smaller.gpus_per_node);
  return other;
}

/// The file with the smaller jobs and cluster in place of its own, and the one expectation.
Json file_with(const Scenario& scenario, const Case& least, const Problem& problem) {
  std::ifstream in{scenario.file};
  Json file = Json::parse(in);
  for (const char* key : {"trace", "format", "map", "from", "to", "limit", "vc", "status", "load",
                          "run_time", "strict", "lenient", "jobs"})
    file.erase(key);
  file["name"] = scenario.name + " (minimal)";
  file["comment"] = problem.text;
  file["cluster"] = with(scenario, least).settings.cluster;
  const Json expect = expectation_of(problem, file["expect"]);
  file.erase("expect");
  file["jobs"] = jobs_json(least.jobs);
  file["expect"] = expect;
  return file;
}

}  // namespace

int minimize(const CheckOptions& options, const Console& console) {
  if (options.paths.size() > 1) throw UsageError("--minimize takes one scenario");
  Scenario scenario = read_scenario(options.paths.front());
  const std::vector<Problem> problems = problems_of(scenario);
  if (problems.empty())
    throw UsageError(
        fmt::format("{}: nothing goes wrong that a smaller case can show: a broken rule, order, "
                    "better_than, or "
                    "a number that is to be 0",
                    printable(scenario.file)));
  const Problem& problem = problems.front();
  scenario.expect = expectation_of(problem, scenario.expect);
  std::size_t runs = 0;
  const Case from = case_of(scenario);
  const Case least = conformance::shrink(from, [&](const Case& smaller) {
    ++runs;
    return std::ranges::any_of(problems_of(with(scenario, smaller)),
                               [&](const Problem& same) { return same.kind == problem.kind; });
  });
  const Scenario last = with(scenario, least);
  const std::vector<Problem> left = problems_of(last);
  const auto same = std::ranges::find(left, problem.kind, &Problem::kind);
  console.notice(fmt::format("{} on {} made of {} on {}, in {} runs",
                             counted(least.jobs.size(), "job", "jobs"),
                             printable(last.settings.cluster), grouped(from.jobs.size()),
                             printable(scenario.settings.cluster), grouped(runs)));
  write_text(options.out, scenario_text(file_with(scenario, least, *same)));
  return kDone;
}

}  // namespace orrery::app
