#include "orrery/trace/loader.hpp"

#include "trace/fields.hpp"
#include "trace/formats.hpp"
#include "trace/text_input.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The format of a text by its first lines. The derived Philly layouts are csv under the name
/// philly.
std::string sniff(std::string_view head) {
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (head[first] == '[' || head[first] == '{'))
    return "philly";
  const std::string_view header = head.substr(0, head.find('\n'));
  if (contains(header, "gpu_num") && contains(header, "node_num") && contains(header, "state"))
    return "helios";
  return "csv";
}

bool is_json(std::string_view head) {
  const auto first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '[' || head[first] == '{');
}

bool is_derived_philly(std::string_view head) {
  const std::string_view header = head.substr(0, head.find('\n'));
  return header.starts_with("#job id,arrival time (sec)") ||
         header.starts_with("timestamp,duration,num_gpus,gpu_time");
}

LoadedTrace load(TextInput& input, const LoadOptions& options, const std::string& path) {
  std::string format = options.format;
  std::vector<std::string> known{"auto"};
  for (const TraceFormat& one : trace_formats()) known.emplace_back(one.name);
  if (std::ranges::find(known, format) == known.end())
    throw UsageError(
        fmt::format("unknown trace format {}{}", quote(format), did_you_mean(format, known)));
  const std::string_view head = input.head();
  if (format == "auto") format = sniff(head);
  LoadedTrace trace = format == "helios"                    ? load_helios(input, options)
                      : format == "philly" && is_json(head) ? load_philly_json(input, options, path)
                      : is_derived_philly(head)             ? load_csv(input, options, "philly")
                                                            : load_csv(input, options, format);
  trace.report.path = path;
  trace.report.sha256 = input.sha256();
  return trace;
}

}  // namespace

LoadedTrace load_trace(const std::string& path, const LoadOptions& options) {
  TextInput input{path, options.limits};
  return load(input, options, path);
}

LoadedTrace load_trace_text(std::string_view text, const std::string& name,
                            const LoadOptions& options) {
  TextInput input{text, name, options.limits};
  return load(input, options, name);
}

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> formats{
      {"philly",
       "Microsoft Philly: the original cluster_job_log (JSON), or one of two derived tables",
       "span, or sum of attempts"},
      {"helios", "SenseTime Helios: the original cluster_log.csv", "start to end"},
      {"csv",
       "one job a row: job_id, submit, gpus, duration and more, by their names, aliases or --map",
       "as the column tells"}};
  return formats;
}

TimeBound parse_time_bound(std::string_view text) {
  const auto all_digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (text.size() == 8 && all_digits) {
    throw UsageError(
        fmt::format("{} could be a date or a number of seconds: write {}-{}-{}, or {}s",
                    quote(text), text.substr(0, 4), text.substr(4, 2), text.substr(6, 2), text));
  }
  TimeBound bound{.text = std::string{text}};
  if (looks_like_date(text)) {
    const auto time = CalendarParser{}(text);
    if (!time)
      throw UsageError(
          fmt::format("{} is no date like 2017-10-07 or 2017-10-07T01:00:10+08:00", quote(text)));
    bound.calendar = true;
    bound.micros = time->micros;
    bound.zoned = time->zoned;
    return bound;
  }
  const auto since = parse_duration(text);
  if (!since || *since < Duration::zero() || *since > kLongestTime)
    throw UsageError(
        fmt::format("{} is no time: seconds, a duration such as 2h, or a date such as 2017-10-07",
                    quote(text)));
  bound.micros = micros(*since);
  return bound;
}

SimTime instant_of(const TimeBound& bound, const Workload& workload, bool zoned) {
  if (!bound.calendar) return at(Duration{bound.micros});
  if (!workload.calendar_origin())
    throw UsageError(fmt::format(
        "{} is a date, but the times of this trace are seconds from its start", quote(bound.text)));
  if (bound.zoned != zoned) {
    throw UsageError(fmt::format(
        "{} {} a time zone, but the times of this trace {}: give both or neither",
        quote(bound.text), bound.zoned ? "names" : "lacks", zoned ? "have one" : "have none"));
  }
  return at(Duration{bound.micros - *workload.calendar_origin()});
}

}  // namespace orrery
