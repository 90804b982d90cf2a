// The past, streamed: what happened to jobs goes through a Recorder into sinks. Nothing keeps
// per-event history in memory.
#pragma once

#include "orrery/base/hash.hpp"
#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"
#include "orrery/cluster/allocation.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace orrery {

enum class Verb : std::uint8_t {
  submit,   ///< arrived (not part of the fingerprint)
  start,    ///< holds `slices` from now on: the first start or one after a preemption
  migrate,  ///< evicted and placed again in one pass: holds `slices` from now on in place of what
            ///< it held
  preempt,  ///< gives `slices` back, waits again
  finish,   ///< gives `slices` back, done
  timeout,  ///< gives `slices` back at its walltime, not done
  horizon,  ///< the run ends while it holds `slices`
  reject    ///< no state of the cluster can hold it
};
std::string_view name(Verb verb);

/// One line of history. Of one pass come first all preempts, then all migrates (one exchange: every
/// old allocation is given back before any new one is taken), then all starts. `slices` lives until
/// the sink returns; it is empty under `count`, where GPUs have no identity.
struct HistoryEntry {
  SimTime time;
  JobId job;
  Verb verb;
  std::uint32_t gpus;  ///< gang size
  std::span<const Slice> slices;
  std::uint64_t id_hash = 0;  ///< hash_text() of the trace's id of the job
};

enum class WaitCause : std::uint8_t {
  hold,
  preempted,
  quota,
  type,
  capacity,
  host,
  fragmented,
  order
};
inline constexpr std::size_t kWaitCauses = 8;
std::string_view name(WaitCause cause);

enum class JobStatus : std::uint8_t { finished, timeout, rejected, unfinished };
std::string_view name(JobStatus status);

/// What became of a job; sent once, when it ends, is rejected, or the run ends.
struct JobOutcome {
  JobId job;
  JobStatus status = JobStatus::unfinished;
  SimTime first_start = kNever;  ///< kNever: it never started
  SimTime end = kNever;          ///< finished and timeout only
  Duration run{};                ///< time on GPUs with progress possible
  Duration overhead{};           ///< time on GPUs without progress
  std::uint32_t gang_size = 1;
  std::uint32_t preemptions = 0, migrations = 0;
  std::uint32_t nodes =
      0;  ///< nodes of the last allocation; 0: it never held GPUs, or they have no node
  std::array<Duration, kWaitCauses> wait{};
  Duration total_wait() const {
    Duration sum{};
    for (const Duration part : wait) sum += part;
    return sum;
  }
};

/// The cluster between two instants; sent after every instant in which something changed.
struct ClusterState {
  SimTime time;
  std::int64_t gpus_total = 0, gpus_busy = 0, gpus_down = 0;  ///< busy: held, overhead included
  std::int64_t jobs_waiting = 0, jobs_running = 0;
  std::int64_t gpus_wanted = 0;  ///< held and waited for
};

/// GPU time in GPU-microseconds; wide enough for any cluster and horizon. busy + overhead + idle +
/// down = capacity.
struct GpuTime {
  using Wide = __int128;
  Wide capacity = 0, busy = 0, overhead = 0, idle = 0, down = 0;
  Wide fragmented = 0;  ///< the part of idle during which some waiting class could not be placed
                        ///< although enough GPUs were free
  GpuTime& operator+=(const GpuTime& other);
  GpuTime& operator-=(const GpuTime& other);
  friend GpuTime operator-(GpuTime a, const GpuTime& b) { return a -= b; }
};

/// What the engine itself knows at the end of a run.
struct RunTotals {
  SimTime end{};                ///< the last instant carried out
  std::uint64_t events = 0;     ///< arrivals, completions, timers that were not stale
  std::uint64_t decisions = 0;  ///< times a policy was asked
  std::uint64_t tries = 0;      ///< times room was sought for a job
  std::uint64_t preemptions = 0, migrations = 0;
  /// GPU time from the origin to each of SimOptions::marks that was reached, in their order, and to
  /// `end`.
  std::vector<GpuTime> at_marks;
  GpuTime at_end;
};

/// A sink takes what it asked for. Sinks never influence a run.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void history(const HistoryEntry&) {}
  virtual void outcome(const JobOutcome&) {}
  virtual void state(const ClusterState&) {}
};

class Recorder {
 public:
  enum Wants : unsigned {
    kHistory = 1,
    kOutcomes = 2,
    kStates = 4,
    kSubmits = 8
  };  ///< kSubmits: history with Verb::submit
  /// `sink` must outlive the run.
  void add(Sink& sink, unsigned wants);
  bool wants_states() const { return !states_.empty(); }
  bool wants_history() const { return !history_.empty(); }
  bool wants_submits() const { return !submits_.empty(); }
  void history(const HistoryEntry& entry) {
    for (Sink* sink : history_) sink->history(entry);
  }
  void submit(const HistoryEntry& entry) {
    for (Sink* sink : submits_) sink->history(entry);
  }
  void outcome(const JobOutcome& outcome) {
    for (Sink* sink : outcomes_) sink->outcome(outcome);
  }
  void state(const ClusterState& state) {
    for (Sink* sink : states_) sink->state(state);
  }

 private:
  std::vector<Sink*> history_, outcomes_, states_, submits_;
};

/// 64-bit hash over the job history (trace id, time, verb, slices); equal on every machine and at
/// any thread count.
class Fingerprint final : public Sink {
 public:
  static constexpr std::uint64_t kFormat = 1;
  void history(const HistoryEntry& entry) override;
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = mix(0, kFormat);
};

}  // namespace orrery
