// The kernel with toy modules: what passes through it at one instant, and in which order. Nothing
// in it knows gang jobs.
#include "orrery/engine/kernel.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;
using Log = std::vector<std::string>;

std::string when(SimTime now) {
  return "@" + seconds_text(now.time_since_epoch());
}

/// Writes down what it is told. Each timer runs `on_event`, each decision `on_decide`.
class Toy final : public Module {
 public:
  Toy(std::string name, Log& log) : name_{std::move(name)}, log_{&log} {}
  SimTime next_arrival() const override { return arrivals.empty() ? kNever : arrivals.front(); }
  void arrive(SimTime now) override {
    while (!arrivals.empty() && arrivals.front() == now) {
      arrivals.erase(arrivals.begin());
      say("arrival", now);
    }
  }
  void handle(const Event& event) override {
    if (event.stamp != stamp) return;  // its subject has moved on
    say("event " + std::to_string(event.subject), event.time);
    if (on_event) on_event(event);
  }
  void decide(SimTime now) override {
    say("decide", now);
    if (on_decide) on_decide(now);
  }
  void settled(SimTime now) override { say("settled", now); }
  void advance(SimTime now) override { say("advance", now); }
  std::size_t ended() const override { return ended_count; }
  std::string last_decisions() const override { return name_ + " swapped x and y"; }
  void write_to(Log& log) { log_ = &log; }

  std::vector<SimTime> arrivals;
  std::uint32_t stamp = 0;
  std::size_t ended_count = 0;
  std::function<void(const Event&)> on_event;
  std::function<void(SimTime)> on_decide;

 private:
  void say(const std::string& what, SimTime now) {
    log_->push_back(name_ + " " + what + when(now));
  }
  std::string name_;
  Log* log_;
};

// Two kinds of work share one clock: completions before arrivals before timers, whoever owns them;
// each instant is announced to both, decided by both and settled by both.
TEST(Kernel, TwoModulesShareTheInstantsOfOneClock) {
  Log log;
  Kernel kernel;
  Toy gang{"gang", log}, service{"service", log};
  gang.arrivals = {at(1s)};
  service.arrivals = {at(1s), at(3s)};
  kernel.attach(gang);
  kernel.attach(service);
  const EventKind gang_timer = kernel.register_kind(Rank::timer, 0);
  const EventKind service_done = kernel.register_kind(Rank::completion, 1);
  const EventKind gang_done = kernel.register_kind(Rank::completion, 0);
  kernel.schedule({.time = at(1s), .kind = gang_timer, .subject = 5, .stamp = 0});
  kernel.schedule({.time = at(1s), .kind = gang_done, .subject = 6, .stamp = 0});
  kernel.schedule({.time = at(1s), .kind = service_done, .subject = 7, .stamp = 0});
  EXPECT_EQ(kernel.next_time(), at(1s));
  kernel.step();
  EXPECT_EQ(kernel.now(), at(1s));
  EXPECT_EQ(log, (Log{"gang advance@1", "service advance@1",
                      "service event 7@1",  // kinds of one rank in the order of registration
                      "gang event 6@1", "gang arrival@1", "service arrival@1", "gang event 5@1",
                      "gang decide@1", "service decide@1", "gang settled@1", "service settled@1"}));
  EXPECT_EQ(kernel.next_time(), at(3s));
  log.clear();
  kernel.step();
  EXPECT_EQ(log[2], "service arrival@3");
  EXPECT_EQ(kernel.next_time(), kNever);
}

// An event made at `now` is part of the instant: it is applied and decided on in another round, and
// the instant is settled once.
TEST(Kernel, InstantGoesOnWhileAnEventAtItIsLeft) {
  Log log;
  Kernel kernel;
  Toy toy{"toy", log};
  toy.arrivals = {at(2s)};
  kernel.attach(toy);
  const EventKind done = kernel.register_kind(Rank::completion, 0);
  int left = 2;
  toy.on_decide = [&](SimTime now) {
    if (left-- > 0) kernel.schedule({.time = now, .kind = done, .subject = 1, .stamp = 0});
  };
  kernel.step();
  EXPECT_EQ(log, (Log{"toy advance@2", "toy arrival@2", "toy decide@2", "toy event 1@2",
                      "toy decide@2", "toy event 1@2", "toy decide@2", "toy settled@2"}));
}

// A completion made while a timer of the same instant is handled comes before later timers.
TEST(Kernel, EventsMadeWhileOthersAreAppliedTakeTheirPlace) {
  Log log;
  Kernel kernel;
  Toy toy{"toy", log};
  kernel.attach(toy);
  const EventKind done = kernel.register_kind(Rank::completion, 0);
  const EventKind timer = kernel.register_kind(Rank::timer, 0);
  toy.on_event = [&](const Event& event) {
    if (event.subject == 1)
      kernel.schedule({.time = event.time, .kind = done, .subject = 9, .stamp = 0});
  };
  kernel.schedule({.time = at(1s), .kind = timer, .subject = 1, .stamp = 0});
  kernel.schedule({.time = at(1s), .kind = timer, .subject = 2, .stamp = 0});
  kernel.step();
  EXPECT_EQ(log, (Log{"toy advance@1", "toy event 1@1", "toy event 9@1", "toy event 2@1",
                      "toy decide@1", "toy settled@1"}));
}

// Nothing is searched for and taken out of the queue: an event whose subject has moved on comes,
// and its module drops it.
TEST(Kernel, ModulesDropStaleEvents) {
  Log log;
  Kernel kernel;
  Toy toy{"toy", log};
  kernel.attach(toy);
  const EventKind done = kernel.register_kind(Rank::completion, 0);
  kernel.schedule({.time = at(1s), .kind = done, .subject = 1, .stamp = 0});
  kernel.schedule({.time = at(2s), .kind = done, .subject = 2, .stamp = 1});
  toy.stamp = 1;
  kernel.step();
  EXPECT_EQ(log, (Log{"toy advance@1", "toy decide@1", "toy settled@1"}));
  log.clear();
  kernel.step();
  EXPECT_EQ(log[1], "toy event 2@2");
}

// Two decisions undo each other for ever, and nothing ends: the kernel says so with the last
// decisions, instead of hanging.
TEST(Kernel, LivelockIsReportedWithTheLastDecisions) {
  Log log;
  Kernel kernel;
  Toy toy{"toy", log};
  toy.arrivals = {at(2s)};
  kernel.attach(toy);
  const EventKind again = kernel.register_kind(Rank::timer, 0);
  toy.on_decide = [&](SimTime now) {
    kernel.schedule({.time = now, .kind = again, .subject = 1, .stamp = 0});
  };
  try {
    kernel.step();
    FAIL();
  } catch (const Fault& fault) {
    EXPECT_STREQ(
        fault.what(),
        "fault in the policy: no end of decisions at 2 s; the last ones: toy swapped x and "
        "y");
  }
}

// Ten thousand pieces of work of no length end one after the other in one instant: many rounds, but
// no livelock.
TEST(Kernel, LongInstantThatGetsSomewhereIsNoLivelock) {
  Log log;
  Kernel kernel;
  Toy toy{"toy", log};
  toy.arrivals = {at(2s)};
  kernel.attach(toy);
  const EventKind done = kernel.register_kind(Rank::completion, 0);
  toy.on_event = [&](const Event&) { ++toy.ended_count; };
  toy.on_decide = [&](SimTime now) {
    if (toy.ended_count < 10'000)
      kernel.schedule({.time = now, .kind = done, .subject = 1, .stamp = 0});
  };
  kernel.step();
  EXPECT_EQ(toy.ended_count, 10'000U);
  EXPECT_EQ(kernel.next_time(), kNever);
}

TEST(Kernel, TimeNeverGoesBack) {
  Log log;
  Kernel kernel;
  Toy toy{"toy", log};
  kernel.attach(toy);
  const EventKind timer = kernel.register_kind(Rank::timer, 0);
  kernel.schedule({.time = at(5s), .kind = timer, .subject = 0, .stamp = 0});
  kernel.step();
  kernel.schedule({.time = at(4s), .kind = timer, .subject = 0, .stamp = 0});
  EXPECT_THROW(kernel.step(), Fault);
}

TEST(Kernel, HasNoInstantWhenNothingIsLeft) {
  Kernel kernel;
  EXPECT_EQ(kernel.next_time(), kNever);
  EXPECT_THROW(kernel.step(), Fault);
}

TEST(Kernel, NumbersSixteenKindsOfARank) {
  Kernel kernel;
  for (unsigned i = 0; i < 16; ++i)
    EXPECT_EQ(kernel.register_kind(Rank::timer, 0), EventKind::of(Rank::timer, i));
  EXPECT_EQ(kernel.register_kind(Rank::round, 0), EventKind::of(Rank::round, 0));
  EXPECT_THROW(kernel.register_kind(Rank::timer, 0), Fault);
}

// A copy of the kernel with copies of its modules is a fork: from there on the two share nothing.
TEST(Kernel, CopyWithReplacedModulesIsAFork) {
  Log first_log, fork_log;
  Kernel kernel;
  Toy toy{"toy", first_log};
  toy.arrivals = {at(1s), at(3s)};
  kernel.attach(toy);
  const EventKind timer = kernel.register_kind(Rank::timer, 0);
  kernel.schedule({.time = at(2s), .kind = timer, .subject = 4, .stamp = 0});
  kernel.step();

  Kernel fork{kernel};
  Toy fork_toy{toy};
  fork_toy.write_to(fork_log);
  fork.rebind(0, fork_toy);
  first_log.clear();
  fork.schedule({.time = at(2s), .kind = timer, .subject = 8, .stamp = 0});
  fork.step();
  EXPECT_EQ(fork_log, (Log{"toy advance@2", "toy event 4@2", "toy event 8@2", "toy decide@2",
                           "toy settled@2"}));
  EXPECT_TRUE(first_log.empty());
  EXPECT_EQ(kernel.now(), at(1s));
  kernel.step();
  EXPECT_EQ(first_log, (Log{"toy advance@2", "toy event 4@2", "toy decide@2", "toy settled@2"}));
  EXPECT_EQ(fork.next_time(), at(3s));  // the arrival cursor was copied too
}

}  // namespace
}  // namespace orrery
