#include "app/demo.hpp"

#include "app/commands.hpp"
#include "app/prepare.hpp"

#include "orrery/api/version.hpp"
#include "orrery/metrics/job_report.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace orrery::app {
namespace {

// Two nodes of four GPUs. "d" wants all eight; "e" to "h" are short and come behind it.
constexpr std::string_view kJobs =
    "job_id,submit,gpus,duration\n"
    "a,0,3,3000\n"
    "b,0,2,1200\n"
    "c,300,2,4200\n"
    "d,600,8,1800\n"
    "e,720,1,600\n"
    "f,840,2,600\n"
    "g,1200,4,900\n"
    "h,1800,1,300\n";
constexpr std::string_view kCluster = "2x4";
constexpr Duration kCell = std::chrono::minutes{2};

/// Which job held each GPU in each cell of time.
class Drawing final : public Sink {
 public:
  explicit Drawing(const Workload& workload, const Topology& topology)
      : workload_{workload}, topology_{topology} {}

  void history(const HistoryEntry& entry) override {
    if (const auto held = held_.find(entry.job); held != held_.end() && entry.verb != Verb::start) {
      draw(entry.job, held->second.first, entry.time, held->second.second);
      held_.erase(held);
    }
    if (entry.verb == Verb::start || entry.verb == Verb::migrate)
      held_[entry.job] = {entry.time, {entry.slices.begin(), entry.slices.end()}};
  }

  std::string text() const {
    std::size_t cells = 0;
    for (const auto& [gpu, line] : lines_) cells = std::max(cells, line.size());
    std::string text;
    for (std::size_t node = 0; node < topology_.nodes(); ++node)
      for (int gpu = 0; gpu < topology_.gpus(NodeId{node}); ++gpu) {
        const auto line = lines_.find({node, gpu});
        std::string drawn = line == lines_.end() ? "" : line->second;
        drawn.resize(cells, '.');
        text += fmt::format("node {} gpu {}  {}\n", node, gpu, drawn);
      }
    return text + fmt::format("one letter is {}; . is idle\n", human_duration(kCell));
  }

 private:
  void draw(JobId job, SimTime from, SimTime to, const std::vector<Slice>& slices) {
    const auto cell = [](SimTime time) {
      return static_cast<std::size_t>(micros(time) / micros(kCell));
    };
    for (const Slice& slice : slices)
      for (int gpu = 0; gpu < 64; ++gpu) {
        if ((slice.gpus >> gpu & 1U) == 0) continue;
        std::string& line = lines_[{slice.node.index(), gpu}];
        line.resize(std::max(line.size(), cell(to)), '.');
        for (std::size_t i = cell(from); i < cell(to); ++i) line[i] = workload_.id_text(job)[0];
      }
  }

  const Workload& workload_;
  const Topology& topology_;
  std::map<JobId, std::pair<SimTime, std::vector<Slice>>> held_;
  std::map<std::pair<std::size_t, int>, std::string> lines_;
};

std::string jobs_table(const Workload& workload, const RunResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"job", "GPUs", "submit", "start", "end", "wait", "JCT", "nodes"}};
  const auto time = [](SimTime t) { return human_duration(t.time_since_epoch()); };
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const JobReport job = job_report(workload, result.jobs, JobId{i});
    rows.push_back({std::string{workload.id_text(JobId{i})}, std::to_string(job.outcome.gang_size),
                    time(workload.arrival(JobId{i})), time(job.outcome.first_start),
                    time(job.outcome.end), human_duration(*job.wait), human_duration(*job.jct),
                    std::to_string(job.outcome.nodes)});
  }
  return aligned(rows);
}

}  // namespace

int demo(const Settings& settings, const Console& console) {
  const Topology topology = load_cluster(std::string{kCluster});
  const LoadedTrace trace = load_trace_text(kJobs, "the built-in example", {});
  std::vector<std::string> policies = settings.policies;
  if (policies.empty()) policies = {"fifo", "srtf"};
  std::string text;
  for (const std::string& policy : policies) {
    Drawing drawing{trace.workload, topology};
    RunOptions options{.sim = {.seed = settings.seed, .durations = settings.durations},
                       .placement = settings.placement};
    options.sinks.emplace_back(&drawing, Recorder::kHistory);
    RunResult result = simulate(trace.workload, topology, policy, options);
    add_counts(trace.report, result.summary);
    text += (text.empty() ? "" : "\n") + jobs_table(trace.workload, result) + "\n" +
            drawing.text() + "\n" +
            summary_text({.version = std::string{version()},
                          .trace = "8 jobs",
                          .format = "built-in example",
                          .cluster = topology.name(),
                          .policy = policy,
                          .placement = settings.placement,
                          .seed = settings.seed},
                         result.summary);
  }
  write_text("-", text);
  console.notice("your own trace: orrery run --trace FILE --cluster 64x8 --policy srtf");
  return kDone;
}

}  // namespace orrery::app
