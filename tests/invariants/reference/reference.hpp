// A slow, obvious simulator of line policies on one pool, written from
// docs/semantics.md alone: a clock that counts seconds, plain vectors, a full sort and a full walk
// at every pass. It shares no line of code with the engine, which is compared with it job by job.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orrery::reference {

using Second = std::int64_t;

/// One job; its place in the list is its id, so jobs stand in canonical order.
struct Job {
  Second submit = 0;
  int gpus = 1;
  Second run = 0;                  ///< time on GPUs that it needs
  std::optional<Second> walltime;  ///< used where walltimes are enforced
  std::optional<Second> known;     ///< what the policy is told of `run`; empty: nothing
};

enum class Fit : std::uint8_t { first, best, worst };
enum class Spread : std::uint8_t { never, fewest, any };

/// GPUs of each node.
using Pool = std::vector<int>;

struct Rules {
  std::string policy = "fifo";
  Second quantum = 360;                       ///< of las and las2d
  std::vector<Second> limits = {3250, 7200};  ///< of mlfq, mlfq2d and tiresias; grain=1s
  bool count = true;                          ///< GPUs have no identity
  Fit fit = Fit::first;
  Spread spread = Spread::never;
  std::optional<Second> round, until;
  Second preempt_cost = 0;
  bool enforce_walltime = false;
};

enum class Verb : std::uint8_t { start, migrate, preempt, finish, timeout, horizon, reject };
enum class Status : std::uint8_t { finished, timeout, rejected, unfinished };
enum class Cause : std::uint8_t { preempted, capacity, fragmented, order };

/// GPUs by node; under `count` all are on node 0.
using Holding = std::map<int, int>;

/// One step of a job's history: what it holds from now on, or gives back.
struct Step {
  Second time = 0;
  Verb verb = Verb::start;
  Holding nodes;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Outcome {
  Status status = Status::unfinished;
  std::optional<Second> start, end;  ///< start: the first one
  Second run = 0, overhead = 0;
  std::array<Second, 4> wait{};  ///< by Cause
  int preemptions = 0, migrations = 0;
  std::vector<Step> steps;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Result {
  std::vector<Outcome> outcomes;  ///< by job
  std::uint64_t passes = 0;
};

Result simulate(const Pool& pool, const std::vector<Job>& jobs, const Rules& rules);

}  // namespace orrery::reference
