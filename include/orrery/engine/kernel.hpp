// One clock and one event queue for modules that own kinds of work (gang jobs first; staged jobs
// and services later).
#pragma once

#include "orrery/engine/event_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

class Kernel;

/// A kind of work on the kernel. What happens at one instant goes through it in this order:
/// handle() and arrive(), decide(), settled().
class Module {
 public:
  virtual ~Module() = default;
  /// The next arrival of the module's own sorted cursor; kNever when none is left. Only arrive()
  /// changes it.
  virtual SimTime next_arrival() const { return kNever; }
  /// Takes every arrival at `now`, if there is one.
  virtual void arrive(SimTime) {}
  virtual void handle(const Event& event) = 0;
  /// Everything at `now` so far has happened: ask policies, enact, schedule what follows.
  virtual void decide(SimTime now) = 0;
  /// No event at `now` is left.
  virtual void settled(SimTime) {}
  /// Called before the first event of an instant, with the clock still at the last one.
  virtual void advance(SimTime) {}
  /// Pieces of work that have come to their final state: what tells progress from a livelock.
  virtual std::size_t ended() const { return 0; }
  /// What the module did last, for the report of a livelock.
  virtual std::string last_decisions() const { return {}; }
};

class Kernel {
 public:
  SimTime now() const { return now_; }
  std::uint64_t events() const { return events_; }

  /// Modules must outlive the kernel, or be replaced with
  /// rebind() in a copy.
  void attach(Module& module) {
    modules_.push_back(&module);
    next_arrival_ = std::min(next_arrival_, module.next_arrival());
  }
  void rebind(std::size_t module, Module& replacement) { modules_[module] = &replacement; }
  /// A new kind of `rank` whose events go to the module with this index. At most 16 a rank.
  EventKind register_kind(Rank rank, std::size_t module);
  void schedule(const Event& event) { queue_.push(event); }
  /// Counts an event that was not stale.
  void count_event() { ++events_; }

  /// The time of the next event or arrival; kNever when nothing is left.
  SimTime next_time() const { return std::min(queue_.next_time(), next_arrival_); }
  /// Carries out the next instant: applies everything at it, lets modules decide, again while an
  /// event at it is left. Throws Fault when the instant does not come to an end.
  void step();

 private:
  void apply_until(EventKind end);
  void apply_all();
  std::size_t ended() const;
  [[noreturn]] void livelock() const;

  /// Rounds of one instant that end nothing, before that is called a livelock.
  static constexpr std::uint64_t kMostIdleRounds = 1000;
  SimTime now_{};
  SimTime next_arrival_ = kNever;  // over all modules
  std::uint64_t events_ = 0;
  EventQueue queue_;
  std::vector<Module*> modules_;
  std::vector<std::size_t> owner_ = std::vector<std::size_t>(256, 0);  // module of each kind code
  std::vector<std::uint8_t> kinds_of_rank_ = std::vector<std::uint8_t>(8, 0);
};

}  // namespace orrery
