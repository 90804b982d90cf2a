#include "fuzz/load.hpp"

#include "orrery/base/error.hpp"
#include "orrery/trace/loader.hpp"
#include "orrery/workload/truth.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace orrery::fuzz {
namespace {

void expect(bool promise, const char* what) {
  if (!promise) throw std::logic_error(what);
}

/// True for text that a terminal shows and does not obey.
bool is_safe(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7f) || c == '\n';
  });
}

void expect_whole(const LoadedTrace& trace) {
  const Workload& jobs = trace.workload;
  std::uint64_t sum = jobs.size();
  for (const auto& [reason, count] : trace.report.left_out) sum += count;
  expect(sum == trace.report.read, "read is not replayed and left out");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const JobId job{i};
    expect(jobs.arrival(job) >= SimTime{}, "an arrival before the origin");
    expect(jobs.truth().run_time(job) >= Duration::zero(), "a negative run time");
    expect(jobs.gang_size(job) >= 1, "a job without GPUs");
    expect(!jobs.id_text(job).empty(), "a job without an id");
    if (i == 0) continue;
    const JobId before{i - 1};
    expect(jobs.arrival(before) < jobs.arrival(job) ||
               (jobs.arrival(before) == jobs.arrival(job) &&
                !id_before(jobs.id_text(job), jobs.id_text(before))),
           "jobs out of order");
  }
  for (const std::string& notice : trace.report.notices)
    expect(is_safe(notice), "a notice with control codes");
}

void load_once(std::string_view text, const LoadOptions& options) {
  try {
    expect_whole(load_trace_text(text, "fuzz", options));
  } catch (const InputError& error) {
    expect(is_safe(error.what()), "a message with control codes");
    expect(std::string_view{error.what()}.starts_with("fuzz") ||
               std::string_view{error.what()}.starts_with("the trace ") ||
               std::string_view{error.what()}.starts_with("job "),
           "a message without a place");
  }
}

}  // namespace

void load(std::string_view format, std::string_view text) {
  LoadOptions options;
  options.format = format;
  options.limits.most_bytes = std::uint64_t{64} << 20;
  load_once(text, options);
  options.strictness = Strictness::lenient;
  options.run_time = RunTimeRule::attempts;
  options.load = 3;
  load_once(text, options);
}

int load(std::string_view format, const std::uint8_t* data, std::size_t size) {
  load(format, std::string_view{reinterpret_cast<const char*>(data), size});
  return 0;
}

}  // namespace orrery::fuzz
