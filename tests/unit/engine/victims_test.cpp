// Whose GPUs are taken so that an earlier job fits: rules 3 to 5 of a pass, on nodes.
#include "support/scenario.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;
using Strings = std::set<std::string>;

/// Where each job started first, and who lost its GPUs or moved at `watched`.
struct Watch final : Sink {
  void history(const HistoryEntry& entry) override {
    const std::string id{workload->id_text(entry.job)};
    std::vector<std::size_t> nodes;
    for (const Slice& slice : entry.slices) nodes.push_back(slice.node.index());
    if (entry.verb == Verb::start) started.emplace(id, nodes);
    if (entry.time != watched) return;
    if (entry.verb == Verb::preempt) preempted.insert(id);
    if (entry.verb == Verb::migrate) migrated.emplace(id, nodes);
  }
  const Workload* workload = nullptr;
  SimTime watched;
  std::map<std::string, std::vector<std::size_t>> started, migrated;
  Strings preempted;
};

/// A run whose changes at 10 s are watched, where `w` and what follows it arrives.
Watch watch(const std::string& cluster, const std::vector<TestJob>& jobs,
            const std::string& placement = "best-fit", const std::string& policy = "srtf") {
  const Workload workload = make_workload(jobs);
  Watch watch;
  watch.workload = &workload;
  watch.watched = at(10s);
  Recorder recorder;
  recorder.add(watch, Recorder::kHistory);
  Simulator simulator{workload, parse_cluster_shorthand(cluster).value(), choice(policy, placement),
                      SimOptions{}, recorder};
  simulator.run();
  watch.workload = nullptr;
  return watch;
}

// Left at 10 s on node 0: a 90 s, b 41 s; on node 1: c 72 s, d 53 s.
const std::vector<TestJob> kTwoNodes{
    {"a", 0s, 1, 100s}, {"b", 1s, 1, 50s}, {"c", 2s, 1, 80s}, {"d", 3s, 1, 60s}};

std::vector<TestJob> with(std::vector<TestJob> jobs, const TestJob& one) {
  jobs.push_back(one);
  return jobs;
}

// For 2 GPUs b must go from node 0, d from node 1. d is the later of the two: w takes node 1,
// although the latest of all, a, is on node 0. d, evicted but before a, takes the GPU of a in its
// turn: it has moved, and a and c are out.
TEST(Victims, NodeWhoseEarliestVictimIsTheLatestIsTaken) {
  for (const char* placement : {"first-fit", "best-fit", "consolidated"}) {
    const Watch seen = watch("2x2", with(kTwoNodes, {"w", 10s, 2, 5s}), placement);
    EXPECT_EQ(seen.started.at("w"), std::vector<std::size_t>{1}) << placement;
    EXPECT_EQ(seen.preempted, (Strings{"a", "c"})) << placement;
    EXPECT_EQ(seen.migrated.at("d"), std::vector<std::size_t>{0}) << placement;
    EXPECT_EQ(seen.migrated.size(), 1U) << placement;
  }
}

// For one GPU it is the latest of all, a.
TEST(Victims, OneGpuComesFromTheLatestOfAll) {
  const Watch seen = watch("2x2", with(kTwoNodes, {"w", 10s, 1, 5s}));
  EXPECT_EQ(seen.started.at("w"), std::vector<std::size_t>{0});
  EXPECT_EQ(seen.preempted, Strings{"a"});
  EXPECT_TRUE(seen.migrated.empty());
}

// gang holds both nodes: on a tie the lower node is taken, and gang loses its GPUs everywhere, node
// 1 included, where y starts.
TEST(Victims, TieGoesToTheLowestNodeAndAVictimLosesAll) {
  const Watch seen = watch("2x2", {{"gang", 0s, 4, 100s}, {"w", 10s, 2, 5s}, {"y", 10s, 2, 60s}});
  EXPECT_EQ(seen.started.at("w"), std::vector<std::size_t>{0});
  EXPECT_EQ(seen.started.at("y"), std::vector<std::size_t>{1});
  EXPECT_EQ(seen.preempted, Strings{"gang"});
}

// Left at 10 s on node 0: a 90 s, b 81 s; on node 1: c 32 s, d 23 s; on node 2: e 64 s and a free
// GPU. w wants 3: first two in one node, where b, d or e must go: b is the latest. Then one GPU:
// that of node 2 costs nobody anything.
TEST(Victims, LargerGangTakesWholeNodesThenARemainder) {
  const Watch seen = watch("3x2", {{"a", 0s, 1, 100s},
                                   {"b", 1s, 1, 90s},
                                   {"c", 2s, 1, 40s},
                                   {"d", 3s, 1, 30s},
                                   {"e", 4s, 1, 70s},
                                   {"w", 10s, 3, 5s}});
  EXPECT_EQ(seen.started.at("w"), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(seen.preempted, (Strings{"a", "b"}));
}

// An idle node counts as later than any: w takes it first, then that of a (90 s left), not of b
// (81).
TEST(Victims, IdleNodesComeFirst) {
  const Watch seen = watch("3x2", {{"a", 0s, 2, 100s}, {"b", 1s, 2, 90s}, {"w", 10s, 4, 5s}});
  EXPECT_EQ(seen.started.at("w"), (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(seen.preempted, Strings{"a"});
}

// Nodes of 4: x (2 GPUs, 90 s left), y (1, 80), z (1, 70). For 3 GPUs x and y go. For 2: x alone.
TEST(Victims, OnlyAsManyGoAsTheGangNeeds) {
  const std::vector<TestJob> held{{"x", 0s, 2, 100s}, {"y", 0s, 1, 90s}, {"z", 0s, 1, 80s}};
  std::vector<TestJob> jobs = held;
  jobs.push_back({"w", 10s, 3, 5s});
  EXPECT_EQ(watch("1x4", jobs).preempted, (Strings{"x", "y"}));
  jobs.back().gpus = 2;
  EXPECT_EQ(watch("1x4", jobs).preempted, Strings{"x"});
}

// x (1 GPU) is the latest, y (3) the next: for 3 GPUs both are reached, and then y alone is enough.
// From the earliest to the latest: y is needed, x is spared.
TEST(Victims, WhoeverIsNotNeededIsSpared) {
  const Watch seen = watch("1x4", {{"x", 0s, 1, 100s}, {"y", 0s, 3, 90s}, {"w", 10s, 3, 5s}});
  EXPECT_EQ(seen.preempted, Strings{"y"});
}

// Left at 10 s: p (1 GPU) 110 s, q (2) 100 s, r (3) 90 s. For 4 GPUs all three are reached. From
// the earliest on: r is needed, q is spared (4 GPUs are left without it), then p is needed. q stays
// where it is; had p been spared first, q would have gone.
TEST(Victims, TheEarliestIsSparedFirst) {
  const Watch seen =
      watch("1x6", {{"p", 0s, 1, 120s}, {"q", 0s, 2, 110s}, {"r", 0s, 3, 100s}, {"w", 10s, 4, 5s}});
  EXPECT_EQ(seen.preempted, (Strings{"p", "r"}));
  EXPECT_TRUE(seen.migrated.empty());
}

// The same choice of a node where what is left falls at several speeds: z (90 GPU-seconds left) is
// on node 0, gang (360) on nodes 1 and 2. Both come to gang: the lower node is taken.
TEST(Victims, TieGoesToTheLowestNodeUnderSeveralSlopesToo) {
  const Watch seen = watch("3x2", {{"z", 0s, 1, 100s}, {"gang", 0s, 4, 100s}, {"w", 10s, 2, 5s}},
                           "best-fit", "srsf");
  EXPECT_EQ(seen.started.at("gang"), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(seen.started.at("w"), std::vector<std::size_t>{1});
  EXPECT_EQ(seen.preempted, Strings{"gang"});
}

// y is later than w, z earlier: what y holds does not suffice, so nobody goes.
TEST(Victims, NobodyGoesWhenAllLaterOnesDoNotSuffice) {
  const Watch seen = watch("1x4", {{"z", 0s, 2, 15s}, {"y", 0s, 2, 100s}, {"w", 10s, 3, 50s}});
  EXPECT_EQ(seen.preempted, Strings{});
}

// Left at 10 s: p 2 s, a 91 s on node 0, q 4 s, b 93 s on node 1. w (5 s) could have the GPUs of a
// and b, which are on two nodes: a gang of 2 that stays in one node waits, one that is only counted
// or may spread does not.
TEST(Victims, GpusOfSeveralNodesDoNotMakeUpANode) {
  const std::vector<TestJob> jobs{{"p", 0s, 1, 12s},
                                  {"a", 1s, 1, 100s},
                                  {"q", 2s, 1, 12s},
                                  {"b", 3s, 1, 100s},
                                  {"w", 10s, 2, 5s}};
  EXPECT_EQ(watch("2x2", jobs).preempted, Strings{});
  EXPECT_EQ(watch("2x2", jobs, "count").preempted, (Strings{"a", "b"}));
  for (const char* placement : {"consolidated:relax=fewest", "consolidated:relax=any"}) {
    const Watch seen = watch("2x2", jobs, placement);
    EXPECT_EQ(seen.preempted, (Strings{"a", "b"})) << placement;
    EXPECT_EQ(seen.started.at("w"), (std::vector<std::size_t>{0, 1})) << placement;
  }
}

// Left at 10 s on node 0: big (3 GPUs) 90 s, s (1) 95 s; on node 1: t (3) 20 s, and a free GPU. w
// (4 GPUs, 30 s) evicts big and s. s finds the free GPU of node 1 and has moved; big has not.
TEST(Victims, EvictedJobThatFindsRoomHasMigrated) {
  const Watch seen = watch(
      "2x4", {{"big", 0s, 3, 100s}, {"s", 1s, 1, 104s}, {"t", 2s, 3, 28s}, {"w", 10s, 4, 30s}});
  EXPECT_EQ(seen.started.at("w"), std::vector<std::size_t>{0});
  EXPECT_EQ(seen.preempted, Strings{"big"});
  EXPECT_EQ(seen.migrated.at("s"), std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace orrery::test
