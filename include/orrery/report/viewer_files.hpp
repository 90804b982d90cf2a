// Files for viewers of other people: Perfetto, Evalys (Batsim's columns), ViTE (Paje).
#pragma once

#include "orrery/report/result_folder.hpp"
#include "orrery/report/stretches.hpp"
#include "orrery/workload/workload.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// GPUs of each node, by NodeId.
using NodeGpus = std::vector<int>;

/// trace.perfetto.json, Chrome trace events for https://ui.perfetto.dev: a process a node, a thread
/// a GPU, a slice a stretch; counters of GPUs in use and of the queue. Under count, where GPUs have
/// no identity, counters alone. Times in microseconds, as everywhere in Orrery.
class PerfettoFile final : public StretchSink {
 public:
  static constexpr unsigned kWants = StretchSink::kWants | Recorder::kStates;
  /// `workload` and `file` must outlive it.
  PerfettoFile(const Workload& workload, const NodeGpus& nodes, AtomicFile& file);
  void state(const ClusterState& state) override;
  /// After the end of the run.
  void finish() { file_.write("\n]}\n"); }

 private:
  void ended(const Stretch& stretch) override;
  void add(const std::string& event);
  const Workload& workload_;
  AtomicFile& file_;
  bool first_ = true;
};

/// batsim_jobs.csv: the columns of Batsim's output, from which Evalys draws Gantt charts. Resources
/// are GPUs, numbered node by node. A stretch a row: later stretches of a job have "#2", "#3", ...
/// behind its id, as Batsim names what it submits again.
class BatsimFile final : public StretchSink {
 public:
  BatsimFile(const Workload& workload, const NodeGpus& nodes, AtomicFile& file);

 private:
  void ended(const Stretch& stretch) override;
  void rejected(JobId job, SimTime time) override;
  std::string resources(std::span<const Slice> slices) const;
  const Workload& workload_;
  std::vector<int> first_gpu_;  // of each node
  AtomicFile& file_;
  std::unordered_map<std::uint32_t, int> stretches_;  // of jobs that have had one; looked up only
};

/// trace.paje, for ViTE and pj_dump: containers cluster, node, GPU; the state of a GPU is the job
/// that holds it; variables of the queue.
class PajeFile final : public Sink {
 public:
  static constexpr unsigned kWants = Recorder::kHistory | Recorder::kStates;
  PajeFile(const Workload& workload, const NodeGpus& nodes, AtomicFile& file);
  void history(const HistoryEntry& entry) override;
  void state(const ClusterState& state) override;
  /// After the end of the run.
  void finish(SimTime end);

 private:
  void release(std::uint32_t job, SimTime time);
  void set_states(std::span<const Slice> slices, SimTime time, const std::string& job);
  const Workload& workload_;
  AtomicFile& file_;
  std::unordered_map<std::uint32_t, std::vector<Slice>> held_;  // by JobId; looked up only
  struct Moved {
    SimTime time;
    JobId job;
    std::vector<Slice> slices;
  };
  void place_moved();
  std::vector<Moved> moved_;  // one exchange: all give their GPUs back before any takes others
};

}  // namespace orrery
