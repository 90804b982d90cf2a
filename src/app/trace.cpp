// orrery trace: look at traces and make them.
#include "app/commands.hpp"
#include "report/json_parts.hpp"

#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"
#include "orrery/trace/info.hpp"
#include "orrery/trace/synthetic.hpp"

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>

namespace orrery::app {
namespace {

/// Without a time and a name inside, so that the same text is the same file.
std::string gzip(const std::string& text) {
  namespace io = boost::iostreams;
  std::string packed;
  io::filtering_ostream out;
  out.push(io::gzip_compressor{io::gzip_params{io::gzip::best_compression}});
  out.push(io::back_inserter(packed));
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.reset();
  return packed;
}

Json quantiles_object(const TimeQuantiles& of) {
  return {{"n", of.n},
          {"mean", or_null(of.mean)},
          {"p10", or_null(of.p10)},
          {"p25", or_null(of.p25)},
          {"p50", or_null(of.p50)},
          {"p75", or_null(of.p75)},
          {"p90", or_null(of.p90)},
          {"p99", or_null(of.p99)},
          {"max", or_null(of.max)}};
}

template <class Groups>
Json groups_object(const Groups& groups) {
  Json object = Json::object();
  for (const auto& [key, group] : groups)
    object[fmt::format("{}", key)] = {{"jobs", group.jobs},
                                      {"gpu_hours", group.gpu_hours},
                                      {"mean_run_s", or_null(group.mean_run_s)}};
  return object;
}

Json info_object(const LoadReport& report, const TraceInfo& info) {
  Json object{{"schema", 1},
              {"trace", report.path},
              {"format", report.format},
              {"sha256", report.sha256},
              {"read", report.read},
              {"left_out", counts_json(report.left_out)},
              {"replayed", report.replayed},
              {"notices", report.notices}};
  object["users"] = info.users;
  object["vcs"] = info.vcs;
  object["names"] = info.names;
  object["first_submit"] = or_null(info.first_submit);
  object["last_submit"] = or_null(info.last_submit);
  object["span_s"] = info.span_s;
  object["gpu_hours"] = info.gpu_hours;
  object["mean_gpus"] = or_null(info.mean_gpus);
  object["jobs_a_day"] = or_null(info.jobs_a_day);
  object["busiest_day"] = info.busiest_day;
  object["run_s"] = quantiles_object(info.run_s);
  object["recorded_wait_s"] = quantiles_object(info.recorded_wait_s);
  object["by_size"] = groups_object(info.by_size);
  object["by_status"] = groups_object(info.by_status);
  object["by_vc"] = groups_object(info.by_vc);
  return object;
}

}  // namespace

int trace_generate(const GenerateOptions& options) {
  const std::string text = generate_trace({.like = options.like,
                                           .jobs = options.jobs,
                                           .seed = options.seed,
                                           .gpus = options.gpus,
                                           .load = options.load});
  write_text(options.out, options.out.ends_with(".gz") ? gzip(text) : text);
  return kDone;
}

int trace_info(const Settings& settings, int gpus, const Console& console) {
  const LoadedTrace trace = load_trace(settings.trace, settings.load);
  const TraceInfo info = orrery::trace_info(trace.workload);
  for (const std::string& notice : trace.report.notices) console.notice(notice);
  if (settings.json) {
    Json object = info_object(trace.report, info);
    if (gpus > 0) object["load"] = {{"gpus", gpus}, {"load", or_null(info.load(gpus))}};
    write_text("-", json_text(object));
    return kDone;
  }
  std::string text = trace_info_text(trace.report, info);
  if (gpus > 0)
    text += fmt::format("load      {:.3f} on {} GPUs\n", info.load(gpus).value_or(0),
                        grouped(static_cast<std::uint64_t>(gpus)));
  write_text("-", text);
  return kDone;
}

}  // namespace orrery::app
