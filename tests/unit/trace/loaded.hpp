// Traces from texts, and what came of them as one line a job or one message.
#pragma once

#include "orrery/base/error.hpp"
#include "orrery/trace/loader.hpp"
#include "orrery/workload/truth.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace orrery::test {

/// The jobs in canonical order, one a line: "id submit gpus run", then what else the trace says.
inline std::string described(const Workload& workload) {
  constexpr const char* kStatus[] = {"", " completed", " killed", " failed"};
  std::string text;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const JobId job{i};
    text += fmt::format("{} {} {} {}", printable(workload.id_text(job)),
                        seconds_text(workload.arrival(job).time_since_epoch()),
                        workload.gang_size(job), seconds_text(workload.truth().run_time(job)));
    text += kStatus[static_cast<std::size_t>(workload.truth().status(job))];
    if (const auto start = workload.truth().recorded_start(job))
      text += " start=" + seconds_text(start->time_since_epoch());
    if (const auto walltime = workload.walltime(job))
      text += " walltime=" + seconds_text(*walltime);
    const auto name = [&](const char* what, const std::string& value) {
      if (!value.empty()) text += fmt::format(" {}={}", what, printable(value));
    };
    name("vc", workload.vcs()[workload.vc(job)]);
    name("user", workload.users()[workload.user(job)]);
    name("name", workload.job_names()[workload.name(job)]);
    name("model", workload.models()[workload.model(job)]);
    text += '\n';
  }
  return text;
}

/// "2 CPU only, 1 malformed".
inline std::string left_out(const LoadReport& report) {
  std::string text;
  for (const auto& [reason, count] : report.left_out)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, reason);
  return text;
}

/// What every load promises: read = left out + replayed.
inline void expect_balanced(const LoadReport& report) {
  std::uint64_t sum = report.replayed;
  for (const auto& [reason, count] : report.left_out) sum += count;
  EXPECT_EQ(sum, report.read) << left_out(report);
}

/// The trace of a text; the file is called "t".
inline LoadedTrace loaded(std::string_view text, const LoadOptions& options = {}) {
  LoadedTrace trace = load_trace_text(text, "t", options);
  expect_balanced(trace.report);
  return trace;
}

inline std::string jobs_of(std::string_view text, const LoadOptions& options = {}) {
  return described(loaded(text, options).workload);
}

/// "input: ...", "usage: ..." or "environment: ..." as `action` ends by that error (exit codes 3, 2
/// and 4); "nothing" when it does not.
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return std::string{"input: "} + error.what();
  } catch (const UsageError& error) {
    return std::string{"usage: "} + error.what();
  } catch (const EnvironmentError& error) {
    return std::string{"environment: "} + error.what();
  }
  return "nothing";
}

inline std::string error_of_text(std::string_view text, const LoadOptions& options = {}) {
  return error_of([&] { load_trace_text(text, "t", options); });
}

inline bool has_notice(const LoadReport& report, std::string_view part) {
  return std::ranges::any_of(report.notices, [&](const std::string& notice) {
    return notice.find(part) != std::string::npos;
  });
}

inline LoadOptions with_map(std::map<std::string, std::string> map) {
  LoadOptions options;
  options.map = std::move(map);
  return options;
}
inline LoadOptions with_format(std::string format) {
  LoadOptions options;
  options.format = std::move(format);
  return options;
}
inline LoadOptions with_strictness(Strictness strictness) {
  LoadOptions options;
  options.strictness = strictness;
  return options;
}

}  // namespace orrery::test
