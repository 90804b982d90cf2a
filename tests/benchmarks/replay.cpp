#include "benchmarks/replay.hpp"

#include "orrery/base/hash.hpp"
#include "orrery/cluster/topology.hpp"
#include "orrery/engine/simulator.hpp"
#include "orrery/metrics/job_table.hpp"

namespace orrery::bench {
namespace {

constexpr double kLoad = 0.85;

FloorPolicy floor_policy(std::string_view name) {
  if (name == "fifo") return FloorPolicy::fifo;
  return name == "sjf" ? FloorPolicy::sjf : FloorPolicy::srtf;
}

std::uint64_t schedule_checksum(const JobTable& jobs) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    sum = mix(mix(sum, static_cast<std::uint64_t>(micros(jobs.first_start(JobId{i})))),
              static_cast<std::uint64_t>(micros(jobs.end(JobId{i}))));
  return sum;
}

double mean_jct_s(const Workload& workload, const JobTable& jobs) {
  double sum = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    sum += static_cast<double>(micros(jobs.end(JobId{i}) - workload.arrival(JobId{i})));
  return sum / (1e6 * static_cast<double>(jobs.size()));
}

}  // namespace

void run_engine(std::string_view policy, std::size_t jobs, std::size_t nodes) {
  const Workload workload = to_workload(make_synthetic(jobs, nodes, kLoad));
  const Topology topology{"benchmark", {{.count = static_cast<int>(nodes), .gpus = kGpusPerNode}}};
  const Spec spec = parse_spec(policy);
  const PolicyChoice choice{.policy = &policy_entry(spec.name),
                            .options = spec.options(),
                            .placement = make_placement(parse_spec("consolidated"), 1)};
  JobTable table{workload.size()};
  Fingerprint fingerprint;
  Recorder recorder;
  recorder.add(fingerprint, Recorder::kHistory);
  recorder.add(table, Recorder::kOutcomes);
  Simulator simulator{workload, topology, choice, SimOptions{}, recorder};
  simulator.run();
}

Verdict replay(std::string_view policy, std::size_t jobs, std::size_t nodes, double limit) {
  const Synthetic synthetic = make_synthetic(jobs, nodes, kLoad);
  const Workload workload = to_workload(synthetic);
  const Topology topology{"benchmark", {{.count = static_cast<int>(nodes), .gpus = kGpusPerNode}}};
  const Spec spec = parse_spec(policy);
  const PolicyChoice choice{.policy = &policy_entry(spec.name),
                            .options = spec.options(),
                            .placement = make_placement(parse_spec("consolidated"), 1)};
  FloorRun floor;
  JobTable table{0};
  RunTotals totals;
  double engine_jct_s = 0;
  const Medians medians = alternate(
      [&] {
        floor = {};
        floor = run_floor(floor_policy(policy), synthetic);
      },
      [&] {
        table = JobTable{0};
        table = JobTable{workload.size()};
        Fingerprint fingerprint;
        Recorder recorder;
        recorder.add(fingerprint, Recorder::kHistory);
        recorder.add(table, Recorder::kOutcomes);
        Simulator simulator{workload, topology, choice, SimOptions{}, recorder};
        simulator.run();
        totals = simulator.totals();
        engine_jct_s = mean_jct_s(workload, table);
      });
  const auto count = static_cast<double>(jobs);
  return {.ratio = medians.ratio(),
          .limit = limit,
          .detail = format_line("floor %.3f s, engine %.3f s: %.2f M jobs/s, %.0f ns an event, "
                                "%zu preemptions, %zu migrations, mean JCT %.0f s",
                                medians.floor, medians.engine, count / medians.engine / 1e6,
                                medians.engine * 1e9 / static_cast<double>(totals.events),
                                std::size_t{totals.preemptions}, std::size_t{totals.migrations},
                                engine_jct_s),
          .same = schedule_checksum(floor) == schedule_checksum(table) &&
                  floor.preemptions == totals.preemptions && floor.migrations == totals.migrations};
}

}  // namespace orrery::bench
