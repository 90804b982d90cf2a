// A declared order: a key and a rule. The engine keeps the line (docs/architecture.md), so FIFO to
// Tiresias are a dozen lines each.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"
#include "orrery/policy/estimates.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace orrery {

/// What a user declared and a scheduler can measure of one job; never a duration.
struct JobView {
  JobId id;
  int gpus = 1;
  std::uint32_t vc = 0, user = 0;
  SimTime arrival;
  Duration held{};           ///< time it has held its GPUs so far
  std::int64_t service = 0;  ///< the same times its GPUs, in GPU-microseconds
  int preemptions = 0;
  bool running = false;  ///< holds GPUs
  std::optional<Duration> walltime;
};

/// A place in the order: smaller runs first; the line appends JobId.
/// Value now = base + per_progress * progress + per_held * held, in whole microseconds (progress
/// rounded down), which the engine keeps anyway, so a key needs no refresh while it moves along its
/// line. |per_progress| + |per_held| is at most 2^20. Asked on arrival and, where the rule
/// preempts, again on start and stop, after the pass in which that happened, and when `held`
/// reaches `until_held`, before the pass of that instant. `second` may depend on JobView::running,
/// nothing else in a key may.
struct Key {
  std::int64_t base = 0;
  std::int32_t per_progress = 0, per_held = 0;
  std::int64_t second = 0;
  std::optional<Duration> until_held{};  ///< absolute, past `held`; ignored while waiting
};

/// The base of a job whose duration nobody knows: it sorts last, and a slope times any horizon
/// cannot overflow it.
inline constexpr std::int64_t kSortsLast = std::int64_t{1} << 61;

/// What a job that does not fit does to the walk.
enum class Blocked : std::uint8_t {
  stop,    ///< ends it: head-of-line blocking
  skip,    ///< later jobs are tried: greedy
  reserve  ///< gets a reservation that later jobs must not delay: EASY
};
enum class Preempts : std::uint8_t {
  never,
  any  ///< each pass reconsiders every active job, in order
};

struct LineRule {
  Blocked blocked = Blocked::stop;
  Preempts preempts = Preempts::never;
  Duration quantum{};  ///< passes also at multiples of it from the origin, while somebody waits;
                       ///< zero: at events only
};

class LinePolicy {
 public:
  virtual ~LinePolicy() = default;
  virtual LineRule rule() const = 0;
  virtual Key key(const JobView& job) const = 0;
  /// For snapshot, fork and look-ahead; `estimates` are those of the fork, given exactly when the
  /// registry row asks for them.
  virtual std::unique_ptr<LinePolicy> clone(const Estimates* estimates) const = 0;
};

}  // namespace orrery
