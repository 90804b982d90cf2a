// Where two runs part: their histories side by side, up to the first entry that differs.
#pragma once

#include "orrery/engine/simulator.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// An entry of history that outlives its run.
struct KeptEntry {
  SimTime time{};
  Verb verb = Verb::submit;
  std::string job_id;  ///< the trace's
  JobId job{0U};       ///< in its own run
  std::uint32_t gpus = 0;
  std::vector<Slice> slices;
};

/// The first of "time", "job", "verb", "gpus", "allocation" in which two entries differ; empty when
/// they say the same. Jobs are the same by the trace's id.
std::string_view first_difference(const KeptEntry& first, const KeptEntry& second);

/// Keeps entries until somebody takes them.
class HistoryTape final : public Sink {
 public:
  static constexpr unsigned kWants = Recorder::kHistory;
  /// `workload` must outlive the tape.
  explicit HistoryTape(const Workload& workload) : workload_{&workload} {}
  void history(const HistoryEntry& entry) override;
  std::deque<KeptEntry> entries;

 private:
  const Workload* workload_;
};

/// A run and the tape that it records on.
struct TapedRun {
  Simulator* run;
  HistoryTape* tape;
};

struct Divergence {
  std::vector<KeptEntry> last_in_common;   ///< the latest entries in common, at most kContext
  std::optional<KeptEntry> first, second;  ///< nothing: that run's history is over
  std::string_view field;                  ///< "entry" where one history is over
  /// Entries of the instant in which they part, from there on; empty in a run that does nothing in
  /// it.
  std::vector<KeptEntry> instant_of_first, instant_of_second;
  static constexpr std::size_t kContext = 3;
};

struct DivergenceSearch {
  std::optional<Divergence> found;  ///< nothing: the histories are the same, as far as it went
  std::uint64_t in_common = 0;      ///< entries
  bool stopped = false;             ///< go_on() ended it
};
/// Carries both runs out side by side, the one that is behind first, until their histories part:
/// nothing when they never do. Neither goes past the instant in which they part by more than one of
/// its own. `go_on` is asked after each instant; false ends the search with what was found so far.
/// Memory: one instant's entries.
DivergenceSearch find_divergence(const TapedRun& first, const TapedRun& second,
                                 const std::function<bool()>& go_on = {});

}  // namespace orrery
