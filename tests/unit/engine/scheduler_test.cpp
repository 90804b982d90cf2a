// Whole schedulers: what they decide is enacted, and what cannot be is a fault with their name.
#include "orrery/policy/scheduler.hpp"

#include "support/checked.hpp"
#include "support/histories.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;
using Decide = std::function<void(const View&, Decision&)>;

/// What the scheduler under test does.
Decide script;

struct Scripted final : Scheduler {
  void decide(const View& view, Decision& decision) override { script(view, decision); }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<Scripted>();
  }
};

const PolicyEntry kScripted{
    .name = "scripted",
    .summary = "",
    .order = "",
    .blocked = "",
    .options = "",
    .paper = "",
    .fidelity = "",
    .knows = Knows::nothing,
    .make = [](const Options&, const Estimates*) -> std::unique_ptr<LinePolicy> {
      return std::make_unique<Scripted>();
    }};

/// Runs under the checker; returns the history.
std::vector<Line> carry_out(const std::vector<TestJob>& jobs, Decide decide,
                            const char* placement = "best-fit", const SimOptions& options = {}) {
  script = std::move(decide);
  const Workload workload = make_workload(jobs);
  const Topology topology = parse_cluster_shorthand("2x2").value();
  const PolicyChoice chosen{.policy = &kScripted,
                            .options = {},
                            .placement = make_placement(parse_spec(placement, "seed"), 1)};
  History history{workload};
  Recorder recorder;
  recorder.add(history, Recorder::kHistory);
  Checker checker{workload, topology, checked_run(chosen, parse_spec(placement, "seed"), options)};
  recorder.add(checker, Checker::kWants);
  Simulator simulator{workload, topology, chosen, options, recorder};
  simulator.run();
  checker.finish(simulator.totals());
  return history.lines;
}

std::vector<std::string> texts(const std::vector<Line>& lines) {
  std::vector<std::string> all;
  for (const Line& line : lines) {
    std::ostringstream text;
    text << line;
    all.push_back(text.str());
  }
  return all;
}

void start_all(const View& view, Decision& decision) {
  for (const JobId job : view.waiting()) decision.start_if_room(job);
}

TEST(Scheduler, SeesItsPoolAndStartsWhereThereIsRoom) {
  std::vector<std::string> seen;
  const auto lines =
      carry_out({{"a", 0s, 2, 10s}, {"b", 1s, 4, 5s}, {"c", 2s, 1, 3s}},
                [&](const View& view, Decision& decision) {
                  seen.push_back(fmt::format(
                      "{}: {} wait, {} run, {} free", seconds_text(view.now().time_since_epoch()),
                      view.waiting().size(), view.running().size(), view.free().total_free()));
                  start_all(view, decision);
                });
  EXPECT_EQ(texts(lines),
            (std::vector<std::string>{"0 s start a 0:3", "2 s start c 1:1", "5 s finish c 1:1",
                                      "10 s finish a 0:3", "10 s start b 0:3 1:3",
                                      "15 s finish b 0:3 1:3"}));
  EXPECT_EQ(seen,
            (std::vector<std::string>{"0: 1 wait, 0 run, 4 free", "1: 1 wait, 1 run, 2 free",
                                      "2: 2 wait, 1 run, 2 free", "5: 1 wait, 1 run, 2 free",
                                      "10: 1 wait, 0 run, 4 free", "15: 0 wait, 0 run, 4 free"}));
}

// a starts on node 1, where it is told to; at 4 s it gives way to b and comes back when b ends.
TEST(Scheduler, NamesGpusPreemptsAndIsAskedWhenItWants) {
  const auto lines =
      carry_out({{"a", 0s, 2, 10s}, {"b", 1s, 2, 3s}}, [](const View& view, Decision& decision) {
        if (view.now() == at(0s)) decision.start(JobId{0U}, Picks{{NodeId{1U}, 2}});
        if (view.now() == at(1s)) decision.ask_at(at(4s));
        if (view.now() == at(4s)) {
          EXPECT_EQ(view.job(JobId{0U}).held, 4s);
          EXPECT_EQ(view.held(JobId{0U}).size(), 1U);
          decision.preempt(JobId{0U});
          decision.start(JobId{1U}, Picks{{NodeId{1U}, 2}});
        }
        if (view.now() == at(7s)) decision.start(JobId{0U});
      });
  EXPECT_EQ(texts(lines),
            (std::vector<std::string>{"0 s start a 1:3", "4 s preempt a 1:3", "4 s start b 1:3",
                                      "7 s finish b 1:3", "7 s start a 0:3", "13 s finish a 0:3"}));
}

TEST(Scheduler, AJobThatGivesGpusBackAndStartsMigrates) {
  SimOptions options;
  options.preempt_cost = 2s;
  const auto lines = carry_out(
      {{"a", 0s, 1, 10s}, {"b", 5s, 2, 1s}},
      [](const View& view, Decision& decision) {
        if (view.now() == at(5s)) {
          decision.preempt(JobId{0U});
          decision.start(JobId{0U}, Picks{{NodeId{1U}, 1}});
          decision.start(JobId{1U}, Picks{{NodeId{0U}, 2}});
        } else {
          start_all(view, decision);
        }
      },
      "best-fit", options);
  EXPECT_EQ(texts(lines),
            (std::vector<std::string>{"0 s start a 0:1", "5 s migrate a 1:1", "5 s start b 0:3",
                                      "6 s finish b 0:3", "12 s finish a 1:1"}));
}

/// What a decision at 1 s, when a (2 GPUs) runs on node 0 and b (2 GPUs) has come, is told.
std::string fault_of(const std::function<void(Decision&)>& decide, const char* placement) {
  try {
    carry_out(
        {{"a", 0s, 2, 10s}, {"b", 1s, 2, 3s}, {"late", 50s, 1, 1s}},
        [&](const View& view, Decision& decision) {
          if (view.now() == at(1s)) {
            decide(decision);
          } else {
            start_all(view, decision);
          }
        },
        placement);
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "nothing";
}

TEST(Scheduler, WhatCannotBeIsAFaultThatNamesJobAndRule) {
  const JobId a{0U}, b{1U}, late{2U};
  const Picks node0{{NodeId{0U}, 2}}, node1{{NodeId{1U}, 2}};
  const std::string of_a = "policy scripted, job 'a' at 1 s: the policy ",
                    of_b = "policy scripted, job 'b' at 1 s: the policy ";
  for (const auto& [decide, says] :
       std::vector<std::pair<std::function<void(Decision&)>, std::string>>{
           {[&](Decision& d) { d.start(b, node0); },
            of_b + "grants 2 GPUs of node 0, where 0 are free"},
           {[&](Decision& d) { d.start(b, node1), d.start(b, node1); },
            of_b + "starts it twice in one decision"},
           {[&](Decision& d) { d.start(a, node1); }, of_a + "starts it, but it runs already"},
           {[&](Decision& d) {
              d.start(b, Picks{{NodeId{1U}, 1}});
            },
            of_b + "grants 1 GPUs to a gang of 2"},
           {[&](Decision& d) {
              d.start(b, Picks{{NodeId{1U}, 2}, {NodeId{1U}, 2}});
            },
            of_b + "grants 4 GPUs of node 1, where 2 are free"},
           {[&](Decision& d) {
              d.start(b, Picks{{NodeId{7U}, 2}});
            },
            of_b + "grants 2 GPUs of node 7, which cannot be"},
           {[&](Decision& d) {
              d.start(b, Picks{{NodeId{1U}, 3}, {NodeId{1U}, -1}});
            },
            of_b + "grants 3 GPUs of node 1, where 2 are free"},
           {[&](Decision& d) { d.preempt(b); }, of_b + "preempts it, but it does not run"},
           {[&](Decision& d) { d.preempt(a), d.preempt(a); },
            of_a + "preempts it twice in one decision"},
           {[&](Decision& d) { d.start(late); },
            "policy scripted, job 'late' at 1 s: the policy starts a job that neither waits nor "
            "runs "
            "here"},
           {[&](Decision& d) { d.start(JobId{99U}); },
            "policy scripted, job number 99 at 1 s: the policy starts a job that neither"},
           {[&](Decision& d) { d.preempt(a), d.start(a, node0), d.start(b, node0); },
            of_b + "grants 2 GPUs of node 0, where 0 are free"},
           {[&](Decision& d) { d.ask_at(at(1s)); },
            "policy scripted asks at 1 s to be asked at 1 s, which is not ahead"}})
    EXPECT_EQ(fault_of(decide, "best-fit").substr(0, says.size()), says);
  EXPECT_EQ(fault_of([&](Decision& d) { d.start(b, node1); }, "count"),
            of_b + "names GPUs, but they have no identity under count");
}

TEST(Scheduler, AMustThatFindsNoRoomIsAFault) {
  const std::string says =
      fault_of([](Decision& d) { d.start(JobId{1U}), d.start(JobId{1U}); }, "count");
  EXPECT_NE(says.find("starts it twice"), std::string::npos) << says;
  script = {};
  EXPECT_THROW(carry_out({{"a", 0s, 4, 10s}, {"b", 0s, 1, 1s}},
                         [](const View& view, Decision& decision) {
                           for (const JobId job : view.waiting()) decision.start(job);
                         }),
               Fault);
}

// One that never acts would wait for ever, and nobody would be told.
TEST(Scheduler, LeavingJobsBehindIsAFault) {
  try {
    carry_out({{"a", 0s, 4, 10s}, {"b", 3s, 4, 10s}}, [](const View&, Decision&) {});
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_STREQ(
        fault.what(),
        "policy scripted leaves 2 jobs waiting at 3 s, the first 'a', and nothing is left to "
        "happen");
  }
  SimOptions until;
  until.until = at(20s);
  EXPECT_EQ(texts(carry_out(
                {{"a", 0s, 4, 10s}}, [](const View&, Decision&) {}, "count", until)),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace orrery::test
