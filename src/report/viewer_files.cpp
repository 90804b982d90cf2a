#include "orrery/report/viewer_files.hpp"

#include "report/csv_row.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>

namespace orrery {
namespace {

// ---- what the formats share

/// Calls `use` for each GPU of the slices with its node and its number there.
template <class Use>
void each_gpu(std::span<const Slice> slices, Use&& use) {
  for (const Slice& slice : slices)
    for (std::uint64_t left = slice.gpus; left != 0; left &= left - 1)
      use(slice.node.index(), std::countr_zero(left));
}

std::string json_text_of(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

// Perfetto: process 1 is the cluster, node n is process n + 2. Threads have numbers of their own.
constexpr int kCluster = 1;
std::size_t process_of(std::size_t node) {
  return node + 2;
}
std::size_t thread_of(std::size_t node, int gpu) {
  return (node + 1) * 64 + static_cast<std::size_t>(gpu);
}

std::string named(const char* what, std::size_t process, std::size_t thread,
                  const std::string& name) {
  return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":"{}"}}}})", what,
                     process, thread, name);
}

}  // namespace

// ---- Perfetto

PerfettoFile::PerfettoFile(const Workload& workload, const NodeGpus& nodes, AtomicFile& file)
    : workload_{workload}, file_{file} {
  file_.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  add(named("process_name", kCluster, 0, "cluster"));
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    add(named("process_name", process_of(n), 0, fmt::format("node {}", n)));
    for (int g = 0; g < nodes[n]; ++g)
      add(named("thread_name", process_of(n), thread_of(n, g), fmt::format("GPU {}", g)));
  }
}

void PerfettoFile::add(const std::string& event) {
  file_.write(std::exchange(first_, false) ? event : ",\n" + event);
}

void PerfettoFile::ended(const Stretch& stretch) {
  const std::string job = json_text_of(workload_.id_text(stretch.job));
  each_gpu(stretch.slices, [&](std::size_t node, int gpu) {
    add(fmt::format(
        R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"gpus":{},"ended":"{}"}}}})",
        job, process_of(node), thread_of(node, gpu), micros(stretch.start),
        micros(stretch.end - stretch.start), stretch.gpus, stretch.why));
  });
}

void PerfettoFile::state(const ClusterState& state) {
  for (const auto& [name, value] : {std::pair{"GPUs in use", state.gpus_busy},
                                    {"jobs waiting", state.jobs_waiting},
                                    {"jobs running", state.jobs_running}})
    add(fmt::format(R"({{"ph":"C","name":"{}","pid":{},"ts":{},"args":{{"value":{}}}}})", name,
                    kCluster, micros(state.time), value));
}

// ---- Batsim

BatsimFile::BatsimFile(const Workload& workload, const NodeGpus& nodes, AtomicFile& file)
    : workload_{workload}, file_{file} {
  int next = 0;
  for (const int gpus : nodes) {
    first_gpu_.push_back(next);
    next += gpus;
  }
  file_.write(
      "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
      "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
      "stretch,allocated_resources,consumed_energy\n");
}

/// Numbers of GPUs as Batsim writes intervals: "0-3 8".
std::string BatsimFile::resources(std::span<const Slice> slices) const {
  std::string text;
  int from = -2, last = -2;
  const auto add = [&] {
    if (from < 0) return;
    text += fmt::format("{}{}", text.empty() ? "" : " ", from);
    if (last > from) text += fmt::format("-{}", last);
  };
  each_gpu(slices, [&](std::size_t node, int gpu) {
    const int number = first_gpu_[node] + gpu;
    if (number != last + 1) {
      add();
      from = number;
    }
    last = number;
  });
  add();
  return text;
}

void BatsimFile::ended(const Stretch& stretch) {
  const JobId job = stretch.job;
  std::string id{workload_.id_text(job)};
  const int number = stretch.first ? 1 : ++stretches_.try_emplace(job.value(), 1).first->second;
  if (number > 1) id += fmt::format("#{}", number);
  const Duration ran = stretch.end - stretch.start, wait = stretch.start - workload_.arrival(job);
  CsvRow row;
  row.text(id).text("w0").text(workload_.models()[workload_.model(job)]);
  row.seconds(workload_.arrival(job)).number(stretch.gpus);
  if (const auto walltime = workload_.walltime(job)) {
    row.seconds(*walltime);
  } else {
    row.number(-1);
  }
  row.number(stretch.why == "finished" ? 1 : 0);
  row.text(stretch.why == "finished"  ? "COMPLETED_SUCCESSFULLY"
           : stretch.why == "timeout" ? "COMPLETED_WALLTIME_REACHED"
                                      : "COMPLETED_KILLED");
  row.seconds(stretch.start).seconds(ran).seconds(stretch.end).seconds(wait).seconds(wait + ran);
  row.number(ran > Duration::zero() ? std::optional{seconds(wait + ran) / seconds(ran)}
                                    : std::nullopt);
  row.text(resources(stretch.slices)).empty().end();
  file_.write(row.buffer());
}

void BatsimFile::rejected(JobId job, SimTime) {
  CsvRow row;
  row.text(workload_.id_text(job)).text("w0").text(workload_.models()[workload_.model(job)]);
  row.seconds(workload_.arrival(job)).number(workload_.gang_size(job)).number(-1);
  row.number(0).text("REJECTED");
  for (int column = 0; column < 8; ++column) row.empty();
  row.end();
  file_.write(row.buffer());
}

// ---- Paje

namespace {

constexpr std::string_view kPajeHeader = R"(%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 2
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeCreateContainer 3
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 4
% Time date
% Name string
% Type string
%EndEventDef
%EventDef PajeSetState 5
% Time date
% Type string
% Container string
% Value string
%EndEventDef
%EventDef PajeSetVariable 6
% Time date
% Type string
% Container string
% Value double
%EndEventDef
0 CT_Cluster 0 "cluster"
0 CT_Node CT_Cluster "node"
0 CT_GPU CT_Node "GPU"
1 ST_Job CT_GPU "job"
2 V_Busy CT_Cluster "GPUs in use" "0.0 0.4 0.7"
2 V_Waiting CT_Cluster "jobs waiting" "0.8 0.4 0.0"
3 0 cluster CT_Cluster 0 "cluster"
)";

/// A name between quotes; the format has no way to write a quote or a line break.
std::string paje_name(std::string_view text) {
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' || (c >= 0 && c < ' ') || c == 127 ? '_' : c;
  return safe + "\"";
}

constexpr const char* kFree = "\"free\"";

}  // namespace

PajeFile::PajeFile(const Workload& workload, const NodeGpus& nodes, AtomicFile& file)
    : workload_{workload}, file_{file} {
  file_.write(kPajeHeader);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    file_.write(fmt::format("3 0 n{0} CT_Node cluster \"node {0}\"\n", n));
    for (int g = 0; g < nodes[n]; ++g)
      file_.write(fmt::format("3 0 n{0}g{1} CT_GPU n{0} \"node {0} GPU {1}\"\n", n, g));
  }
}

void PajeFile::set_states(std::span<const Slice> slices, SimTime time, const std::string& job) {
  const std::string at = seconds_text(time.time_since_epoch());
  each_gpu(slices, [&](std::size_t node, int gpu) {
    file_.write(fmt::format("5 {} ST_Job n{}g{} {}\n", at, node, gpu, job));
  });
}

void PajeFile::release(std::uint32_t job, SimTime time) {
  const auto held = held_.find(job);
  if (held == held_.end()) return;
  set_states(held->second, time, kFree);
  held_.erase(held);
}

void PajeFile::place_moved() {
  for (const Moved& one : moved_) {
    set_states(one.slices, one.time, paje_name(workload_.id_text(one.job)));
    held_[one.job.value()] = one.slices;
  }
  moved_.clear();
}

void PajeFile::history(const HistoryEntry& entry) {
  if (entry.verb != Verb::migrate) place_moved();
  switch (entry.verb) {
    case Verb::start:
      set_states(entry.slices, entry.time, paje_name(workload_.id_text(entry.job)));
      held_[entry.job.value()].assign(entry.slices.begin(), entry.slices.end());
      return;
    case Verb::migrate:
      release(entry.job.value(), entry.time);
      moved_.push_back({entry.time, entry.job, {entry.slices.begin(), entry.slices.end()}});
      return;
    default:
      release(entry.job.value(), entry.time);
  }
}

void PajeFile::state(const ClusterState& state) {
  place_moved();
  const std::string at = seconds_text(state.time.time_since_epoch());
  file_.write(fmt::format("6 {0} V_Busy cluster {1}\n6 {0} V_Waiting cluster {2}\n", at,
                          state.gpus_busy, state.jobs_waiting));
}

void PajeFile::finish(SimTime end) {
  place_moved();
  file_.write(fmt::format("4 {} cluster CT_Cluster\n", seconds_text(end.time_since_epoch())));
}

}  // namespace orrery
