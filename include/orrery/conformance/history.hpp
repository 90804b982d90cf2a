// Whole histories of runs, kept to be compared.
#pragma once

#include "orrery/engine/recorder.hpp"
#include "orrery/workload/workload.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace orrery::conformance {

/// One line of history, by the trace's id.
struct Line {
  Duration time{};
  std::string id;
  Verb verb = Verb::start;
  std::vector<Slice> slices;
  friend bool operator==(const Line&, const Line&) = default;
};

/// "12.5 s start a 0:3": nodes with their GPUs as a hexadecimal mask.
inline std::ostream& operator<<(std::ostream& out, const Line& line) {
  out << seconds_text(line.time) << " s " << name(line.verb) << " " << line.id;
  for (const Slice& slice : line.slices)
    out << " " << slice.node.index() << ":" << std::hex << slice.gpus << std::dec;
  return out;
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

}  // namespace orrery::conformance
