// orrery check: regression tests on policy behaviour, one scenario a file.
#include "app/commands.hpp"
#include "app/expectations.hpp"
#include "report/json_parts.hpp"

#include "orrery/base/error.hpp"
#include "orrery/report/result_folder.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace orrery::app {
namespace {

struct Outcome {
  std::string file, name;
  std::vector<std::string> updated, failures;
};

struct Counts {
  std::size_t passed = 0, updated = 0, failed = 0;
};

/// The files named, and every .json below the folders named, in the order of their names.
std::vector<std::string> scenario_files(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file() && entry.path().extension() == ".json")
        files.push_back(entry.path().string());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
    if (files.size() == before)
      throw UsageError(fmt::format("there is no scenario (.json) below {}", quote(path, 200)));
  }
  return files;
}

std::string text_of(const std::vector<Outcome>& outcomes, const Counts& counts, bool updates) {
  std::string text;
  const auto add = [&](const Outcome& outcome, const char* how,
                       const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    text += fmt::format("{}: {}{}\n", printable(outcome.file), printable(outcome.name), how);
    for (const std::string& line : lines) text += "  " + line + "\n";
  };
  for (const Outcome& outcome : outcomes) {
    add(outcome, ": updated", outcome.updated);
    add(outcome, "", outcome.failures);
  }
  const std::string updated = updates ? fmt::format("{} updated, ", counts.updated) : "";
  return text + fmt::format("{} passed, {}{} failed\n", counts.passed, updated, counts.failed);
}

std::string json_of(const std::vector<Outcome>& outcomes, const Counts& counts) {
  Json list = Json::array();
  for (const Outcome& outcome : outcomes)
    list.push_back({{"file", outcome.file},
                    {"name", outcome.name},
                    {"passed", outcome.failures.empty()},
                    {"updated", outcome.updated},
                    {"failures", outcome.failures}});
  return json_text({{"schema", 1},
                    {"passed", counts.passed},
                    {"updated", counts.updated},
                    {"failed", counts.failed},
                    {"scenarios", std::move(list)}});
}

Outcome outcome_of(const Scenario& scenario, bool updates) {
  Outcome outcome{.file = scenario.file, .name = scenario.name};
  const std::vector<Miss> misses = misses_of(scenario);
  const std::vector<Miss> left = updates && !misses.empty() ? update(scenario, misses) : misses;
  for (const Miss& miss : left) outcome.failures.push_back(miss.text);
  for (const Miss& miss : misses)
    if (std::ranges::find(outcome.failures, miss.text) == outcome.failures.end())
      outcome.updated.push_back(miss.text);
  return outcome;
}

std::string junit_of(const std::vector<Outcome>& outcomes, std::size_t failed) {
  using Tree = boost::property_tree::ptree;
  Tree suite;
  suite.put("<xmlattr>.name", "orrery check");
  suite.put("<xmlattr>.tests", outcomes.size());
  suite.put("<xmlattr>.failures", failed);
  for (const Outcome& outcome : outcomes) {
    Tree test;
    test.put("<xmlattr>.classname", printable(outcome.file));
    test.put("<xmlattr>.name", printable(outcome.name));
    for (const std::string& failure : outcome.failures) {
      Tree one;
      one.put("<xmlattr>.message", failure);
      test.add_child("failure", one);
    }
    suite.add_child("testcase", test);
  }
  Tree root;
  root.add_child("testsuite", suite);
  std::ostringstream text;
  write_xml(text, root);
  return text.str() + "\n";
}

}  // namespace

int check(const CheckOptions& options, const Console&) {
  std::vector<Outcome> outcomes;
  Counts counts;
  for (const std::string& file : scenario_files(options.paths)) {
    outcomes.push_back(outcome_of(read_scenario(file), options.update));
    const Outcome& last = outcomes.back();
    ++(!last.failures.empty()  ? counts.failed
       : !last.updated.empty() ? counts.updated
                               : counts.passed);
  }
  if (!options.junit.empty()) write_text(options.junit, junit_of(outcomes, counts.failed));
  write_text("-",
             options.json ? json_of(outcomes, counts) : text_of(outcomes, counts, options.update));
  return counts.failed == 0 ? kDone : kSaysNo;
}

}  // namespace orrery::app
