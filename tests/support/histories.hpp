// Whole histories of runs, to be compared, and random workloads in microseconds.
#pragma once

#include "support/scenario.hpp"

#include "orrery/base/random.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace orrery::test {

/// One line of history, by the trace's id.
struct Line {
  Duration time{};
  std::string id;
  Verb verb = Verb::start;
  std::vector<Slice> slices;
  friend bool operator==(const Line&, const Line&) = default;
};
inline void PrintTo(const Line& line, std::ostream* out) {
  *out << seconds_text(line.time) << " " << name(line.verb) << " " << line.id;
  for (const Slice& slice : line.slices)
    *out << " " << slice.node.index() << ":" << std::hex << slice.gpus << std::dec;
}

/// Keeps the history of a run.
struct History final : Sink {
  explicit History(const Workload& of) : workload{&of} {}
  void history(const HistoryEntry& entry) override {
    lines.push_back({entry.time.time_since_epoch(),
                     std::string{workload->id_text(entry.job)},
                     entry.verb,
                     {entry.slices.begin(), entry.slices.end()}});
  }
  const Workload* workload;
  std::vector<Line> lines;
};

/// A way to run jobs.
struct Setting {
  std::string policy = "fifo", placement = "count", cluster = "3x4";
  SimOptions options;
};

inline std::vector<Line> history_of(const Workload& workload, const Setting& setting) {
  const Topology topology = parse_cluster_shorthand(setting.cluster).value();
  History history{workload};
  Recorder recorder;
  recorder.add(history, Recorder::kHistory);
  Simulator simulator{workload, topology, choice(setting.policy, setting.placement),
                      setting.options, recorder};
  simulator.run();
  return history.lines;
}
inline std::vector<Line> history_of(const std::vector<TestJob>& jobs, const Setting& setting) {
  return history_of(make_workload(jobs), setting);
}

/// Fingerprints of a run and, before it, of the forks that are taken at each of its instants.
inline std::vector<std::uint64_t> fingerprints_of_forks(const Workload& workload,
                                                        const Setting& setting) {
  const Topology topology = parse_cluster_shorthand(setting.cluster).value();
  Recorder recorder;
  Fingerprint fingerprint;
  recorder.add(fingerprint, Recorder::kHistory);
  Simulator simulator{workload, topology, choice(setting.policy, setting.placement),
                      setting.options, recorder};
  std::vector<std::uint64_t> ends;
  do {
    Recorder to_fork;
    Fingerprint forked = fingerprint;
    to_fork.add(forked, Recorder::kHistory);
    Simulator fork = simulator.clone(to_fork);
    fork.run();
    ends.push_back(forked.value());
  } while (simulator.step());
  ends.push_back(fingerprint.value());
  return ends;
}

/// Every policy, with short quanta and limits, on every placement, with and without a cost of
/// preemption.
inline std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const PolicyEntry& entry : policy_table()) {
    std::string policy{entry.name};
    if (policy == "las" || policy == "las2d") policy += ":quantum=5s";
    if (policy == "mlfq" || policy == "mlfq2d" || policy == "tiresias") policy += ":limits=4s/20s";
    for (const char* placement : {"count", "first-fit", "best-fit", "consolidated:relax=fewest",
                                  "consolidated:relax=any", "spread", "random:3"}) {
      Setting setting{.policy = policy, .placement = placement};
      setting.options.durations.kind = DurationKnowledge::Kind::oracle;
      settings.push_back(setting);
      setting.options.preempt_cost = std::chrono::seconds{1};
      settings.push_back(setting);
    }
  }
  return settings;
}

/// Jobs "0", "1", ... in the order of their submits: ties, bursts, zeros, gangs of up to `largest`,
/// odd microseconds.
inline std::vector<TestJob> random_jobs(std::uint64_t seed, int count, int largest = 12) {
  RandomStream random{seed};
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  std::vector<TestJob> jobs;
  Duration submit{};
  for (int j = 0; j < count; ++j) {
    if (up_to(2) > 0) submit += Duration{up_to(1) == 0 ? up_to(6'000'000) : up_to(6) * 1'000'000};
    const auto gpus = static_cast<int>(up_to(3) == 0 ? 1 + up_to(largest - 1) : 1 + up_to(2));
    const Duration run{up_to(9) == 0   ? 0
                       : up_to(1) == 0 ? up_to(30'000'000)
                                       : up_to(20) * 1'000'000};
    jobs.push_back({.id = std::to_string(j),
                    .submit = submit,
                    .gpus = std::min(gpus, largest),
                    .run = run,
                    .walltime = std::nullopt});
    if (up_to(3) > 0) jobs.back().walltime = run + Duration{up_to(5'000'000)};
  }
  return jobs;
}

}  // namespace orrery::test
