#include "report/json_parts.hpp"

#include "orrery/report/summary_text.hpp"

namespace orrery {
namespace {

Json distribution_object(const Distribution& of) {
  return {{"mean", or_null(of.mean)},
          {"p50", or_null(of.p50)},
          {"p90", or_null(of.p90)},
          {"p95", or_null(of.p95)},
          {"p99", or_null(of.p99)},
          {"max", or_null(of.max)},
          {"n", of.n}};
}

Json group_object(const GroupSummary& group) {
  return {{"jobs", group.jobs},
          {"jct_s", distribution_object(group.jct_s)},
          {"wait_s", distribution_object(group.wait_s)},
          {"gpu_time_s", gpu_seconds(group.gpu_time_us)}};
}

}  // namespace

Json counts_json(const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  Json object = Json::object();
  for (const auto& [reason, count] : counts) object[reason] = count;
  return object;
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json summary_object(const Summary& summary) {
  Json waits = Json::object();
  for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
    waits[std::string{name(static_cast<WaitCause>(cause))}] =
        gpu_seconds(summary.wait_by_cause_us[cause]);
  Json by_vc = Json::object(), by_size = Json::object();
  for (const auto& [vc, group] : summary.by_vc) by_vc[vc] = group_object(group);
  for (const auto& [gpus, group] : summary.by_size)
    by_size[std::to_string(gpus)] = group_object(group);
  const Summary::Jobs& jobs = summary.jobs;
  const GpuTime& time = summary.gpu_time;
  const Summary::Engine& engine = summary.engine;
  Json result{{"schema", kSummarySchema}};
  result["jobs"] = {{"read", jobs.read},
                    {"left_out", counts_json(jobs.left_out)},
                    {"replayed", jobs.replayed},
                    {"finished", jobs.finished},
                    {"timeout", jobs.timeout},
                    {"rejected", jobs.rejected},
                    {"unfinished", jobs.unfinished},
                    {"rejections", counts_json(jobs.rejections)},
                    {"measured", jobs.measured},
                    {"waited", jobs.waited}};
  result["jct_s"] = distribution_object(summary.jct_s);
  result["wait_s"] = distribution_object(summary.wait_s);
  result["slowdown"] = distribution_object(summary.slowdown);
  result["bounded_slowdown"] = distribution_object(summary.bounded_slowdown);
  result["wait_by_cause_s"] = std::move(waits);
  result["makespan_s"] = or_null(summary.makespan_s);
  result["gpus"] = summary.gpus;
  result["gpu_time_s"] = {{"capacity", gpu_seconds(time.capacity)},
                          {"busy", gpu_seconds(time.busy)},
                          {"overhead", gpu_seconds(time.overhead)},
                          {"idle", gpu_seconds(time.idle)},
                          {"down", gpu_seconds(time.down)}};
  result["utilization"] = or_null(summary.utilization);
  result["useful_utilization"] = or_null(summary.useful_utilization);
  result["utilization_while_arriving"] = or_null(summary.utilization_while_arriving);
  result["fragmentation"] = or_null(summary.fragmentation);
  result["preemptions"] = summary.preemptions;
  result["migrations"] = summary.migrations;
  result["resizes"] = summary.resizes;
  // Undefined without a power model.
  result["energy_j"] = {{"total", nullptr},
                        {"idle", nullptr},
                        {"active", nullptr},
                        {"shared", nullptr},
                        {"transition", nullptr}};
  result["recorded_wait_s"] = nullptr;
  if (summary.recorded_wait)
    result["recorded_wait_s"] = {{"n", summary.recorded_wait->jobs},
                                 {"recorded_mean", summary.recorded_wait->recorded_s},
                                 {"simulated_mean", summary.recorded_wait->simulated_s}};
  result["by_vc"] = std::move(by_vc);
  result["by_size"] = std::move(by_size);
  result["fingerprint"] = fingerprint_text(summary.fingerprint);
  result["engine"] = {{"events", engine.events},
                      {"decisions", engine.decisions},
                      {"wall_s", engine.wall_s},
                      {"cpu_s", engine.cpu_s},
                      {"events_per_s", engine.events_per_s},
                      {"peak_rss_mib", engine.peak_rss_mib}};
  return result;
}

std::string summary_json(const Summary& summary) {
  return json_text(summary_object(summary));
}

}  // namespace orrery
