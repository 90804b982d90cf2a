#include "benchmarks/scale.hpp"

#include "benchmarks/replay.hpp"
#include "benchmarks/synthetic.hpp"

#include "orrery/engine/simulator.hpp"
#include "orrery/metrics/job_table.hpp"
#include "orrery/workload/builder.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <vector>

namespace orrery::bench {
namespace {

constexpr std::size_t kNodes = 128;

/// `waiting` jobs at once on a cluster that 150,000 more keep just busy, so that the line stays as
/// long as it began.
Workload with_backlog(std::size_t waiting) {
  const Synthetic steady = make_synthetic(150'000, kNodes, 1.0);
  WorkloadBuilder builder;
  std::size_t number = 0;
  const auto add = [&](std::int64_t arrival, std::size_t like) {
    const std::string id = std::to_string(number++);
    builder.add({.id = id,
                 .arrival = at(Duration{arrival}),
                 .run_time = Duration{steady.run_time[like]},
                 .gang_size = steady.gpus[like],
                 .walltime = Duration{steady.run_time[like]},
                 .recorded_start = {}});
  };
  for (std::size_t i = 0; i < waiting; ++i) add(0, i * 7 % steady.size());
  for (std::size_t i = 0; i < steady.size(); ++i) add(steady.arrival[i], i);
  return builder.build();
}

/// CPU nanoseconds an event, or a try and a preemption where the backlog changes the schedule,
/// until the last arrival, so that the long backlog is not measured while it drains; the least of
/// three.
double cost_of_backlog(std::string_view policy, std::size_t waiting) {
  const Workload workload = with_backlog(waiting);
  const Topology topology{"benchmark", {{.count = kNodes, .gpus = kGpusPerNode}}};
  const Spec spec = parse_spec(policy);
  const PolicyChoice choice{.policy = &policy_entry(spec.name),
                            .options = spec.options(),
                            .placement = make_placement(parse_spec("consolidated"), 1)};
  SimOptions options;
  options.durations.kind = DurationKnowledge::Kind::oracle;
  options.until = workload.arrival(JobId{workload.size() - 1});
  double least = 0;
  for (int i = 0; i < 3; ++i) {
    JobTable table{workload.size()};
    Recorder recorder;
    recorder.add(table, Recorder::kOutcomes);
    Simulator simulator{workload, topology, choice, options, recorder};
    const double cpu = cpu_of([&] { simulator.run(); });
    const RunTotals& totals = simulator.totals();
    const bool changes_schedule = spec.name != "fifo" && spec.name != "easy";
    const auto units =
        static_cast<double>(changes_schedule ? totals.tries + totals.preemptions : totals.events);
    least = i == 0 ? cpu / units : std::min(least, cpu / units);
  }
  return least * 1e9;
}

}  // namespace

Verdict backlog(std::string_view policy, double limit) {
  const double small = cost_of_backlog(policy, 1'000), large = cost_of_backlog(policy, 100'000);
  return {.ratio = large / small,
          .limit = limit,
          .detail = format_line("1,000 waiting: %.0f ns, 100,000 waiting: %.0f ns", small, large)};
}

Verdict scale_10m(double limit) {
  constexpr std::size_t kJobs = 10'000'000;
  constexpr double kMostBytes = 96;
  Verdict verdict = replay("fifo", kJobs, 12'500, limit);
  // The records of jobs: the workload, the table of outcomes, and the engine's slot of each job.
  const Workload workload = to_workload(make_synthetic(kJobs / 10, 1'250, 0.85));
  const JobTable table{workload.size()};
  const double bytes = static_cast<double>(workload.bytes_beside_id_text() + table.bytes()) /
                           static_cast<double>(workload.size()) +
                       sizeof(std::uint32_t);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  verdict.detail += format_line(", %.0f bytes a job, peak of floor and engine together %.0f MiB",
                                bytes, static_cast<double>(used.ru_maxrss) / 1024);
  verdict.same = verdict.same && bytes <= kMostBytes;
  return verdict;
}

Verdict start_up() {
  constexpr double kLimit_s = 0.010;
  const std::string trace = "/tmp/orrery-benchmark-" + std::to_string(getpid()) + ".csv";
  std::ofstream file{trace};
  file << "job_id,submit,gpus,duration\n";
  for (int i = 0; i < 10; ++i) file << i << ',' << i << ",1,10\n";
  file.close();
  const std::string command = std::string{ORRERY_PROGRAM} + " run --quiet --trace " + trace +
                              " --cluster 1x4 --policy srtf > /dev/null";
  std::vector<double> times;
  for (int i = 0; i < 21; ++i) {
    rusage before{}, after{};
    getrusage(RUSAGE_CHILDREN, &before);
    if (std::system(command.c_str()) != 0) return {.detail = "the program failed", .same = false};
    getrusage(RUSAGE_CHILDREN, &after);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    times.push_back(seconds(after.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_utime) -
                    seconds(before.ru_stime));
  }
  unlink(trace.c_str());
  std::ranges::sort(times);
  return {.ratio = times[times.size() / 2] / kLimit_s,
          .limit = 1,
          .detail = format_line("%.1f ms of CPU for ten jobs, the shell that starts it included",
                                times[times.size() / 2] * 1e3)};
}

}  // namespace orrery::bench
