// Stretches of holding GPUs, made of a run's history: what attempts.csv and the viewers' files are
// made of.
#pragma once

#include "orrery/engine/recorder.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace orrery {

/// One job on its GPUs, from a start or a migration to what ended it.
struct Stretch {
  JobId job;
  SimTime start, end;
  std::string_view why;  ///< finished, preempted, migrated, timeout, horizon
  std::uint32_t gpus = 0;
  std::span<const Slice> slices;  ///< empty under count
  bool first = true;              ///< of its job
};

/// Calls ended() for each stretch, in the order in which they end.
class StretchSink : public Sink {
 public:
  static constexpr unsigned kWants = Recorder::kHistory;
  void history(const HistoryEntry& entry) override;

 private:
  virtual void ended(const Stretch& stretch) = 0;
  virtual void rejected(JobId, SimTime) {}
  struct Held {
    SimTime start;
    std::vector<Slice> slices;
    bool first = true;
  };
  std::unordered_map<std::uint32_t, Held> held_;  // by JobId; looked up, never walked
};

}  // namespace orrery
