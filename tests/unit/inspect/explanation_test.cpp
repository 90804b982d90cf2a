// Why a job waited: causes, when, and who stood before it.
#include "orrery/inspect/explanation.hpp"

#include "support/histories.hpp"
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// Explanations of every job of a run, by the trace's id.
std::map<std::string, Explanation> explained(const Workload& workload, const Setting& setting,
                                             std::size_t most_shown = 9) {
  const Topology topology = parse_cluster_shorthand(setting.cluster).value();
  std::vector<JobId> jobs;
  for (std::size_t i = 0; i < workload.size(); ++i) jobs.emplace_back(i);
  Explainer explainer{workload, jobs, most_shown};
  Recorder recorder;
  recorder.add(explainer, Explainer::kWants);
  Simulator simulator{workload, topology, choice(setting.policy, setting.placement),
                      setting.options, recorder};
  while (simulator.step()) explainer.look(simulator);
  explainer.finish(simulator.totals().end);
  std::map<std::string, Explanation> by_id;
  for (const Explanation& one : explainer.explanations())
    by_id.emplace(workload.id_text(one.outcome.job), one);
  return by_id;
}

/// "order 2..110 free 1 | a 3 | b 4" for each stretch.
std::vector<std::string> lines(const Workload& workload, const Explanation& told) {
  const auto rivals = [&](const Rivals& some) {
    std::string text;
    for (const Rival& one : some.shown)
      text += " " + std::string{workload.id_text(one.job)} + ":" + std::to_string(one.gpus);
    if (some.jobs > some.shown.size()) text += " of " + std::to_string(some.jobs);
    return text;
  };
  std::vector<std::string> all;
  for (const WaitStretch& one : told.stretches)
    all.push_back(std::string{name(one.cause)} + " " + seconds_text(one.from.time_since_epoch()) +
                  ".." + seconds_text(one.to.time_since_epoch()) + " free " +
                  std::to_string(one.free_gpus) + " later " + std::to_string(one.evictable_gpus) +
                  " |" + rivals(one.holders) + " |" + rivals(one.ahead));
  return all;
}
using Lines = std::vector<std::string>;

// One node of four: a holds 3 from 0 to 100; b (4 GPUs) waits for it from 1, and strictly before c
// (1 GPU), which would fit from 2 on. At 100 b takes all four, and c waits for capacity to 110.
TEST(Explanation, TellsCausesInTimeAndWhoStandsBeforeTheJob) {
  const Workload workload =
      make_workload({{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, 50s}});
  const auto told =
      explained(workload, {.policy = "fifo", .placement = "best-fit", .cluster = "1x4"});
  EXPECT_EQ(lines(workload, told.at("a")), Lines{});
  EXPECT_EQ(lines(workload, told.at("b")), (Lines{"capacity 1..100 free 1 later 0 | a:3 |"}));
  EXPECT_EQ(lines(workload, told.at("c")), (Lines{"order 2..100 free 1 later 0 | a:3 | b:4",
                                                  "capacity 100..110 free 0 later 0 | b:4 |"}));
}

// Two nodes of two. a and b hold one GPU each on both nodes (spread); c wants two on one node.
TEST(Explanation, TellsFragmentationApartFromCapacity) {
  const Workload workload =
      make_workload({{"a", 0s, 2, 10s}, {"b", 0s, 1, 30s}, {"c", 1s, 2, 5s}, {"d", 2s, 1, 20s}});
  // a: node 0; b: node 1; at 1 one GPU is free: capacity. At 2 d takes it. At 10 a ends: c starts.
  const auto told =
      explained(workload, {.policy = "fifo-skip", .placement = "first-fit", .cluster = "2x2"});
  EXPECT_EQ(lines(workload, told.at("c")), (Lines{"capacity 1..10 free 1 later 0 | a:2 b:1 |"}));
  const Workload torn = make_workload({{"a", 0s, 1, 10s}, {"b", 0s, 1, 30s}, {"c", 1s, 2, 5s}});
  EXPECT_EQ(
      lines(torn,
            explained(torn, {.policy = "fifo", .placement = "spread", .cluster = "2x2"}).at("c")),
      Lines{});  // spread=any: one GPU of each node will do
  const Workload gap = make_workload({{"a", 0s, 1, 10s},
                                      {"b", 0s, 1, 4s},
                                      {"c", 0s, 1, 30s},
                                      {"d", 0s, 1, 20s},
                                      {"e", 5s, 2, 1s}});
  // first-fit: a and b on node 0, c and d on node 1. b ends at 4, a at 10: e starts then.
  EXPECT_EQ(
      lines(gap,
            explained(gap, {.policy = "fifo", .placement = "first-fit", .cluster = "2x2"}).at("e")),
      (Lines{"capacity 5..10 free 1 later 0 | a:1 c:1 d:1 |"}));
  const Workload split = make_workload(
      {{"a", 0s, 1, 10s}, {"b", 0s, 1, 4s}, {"c", 0s, 1, 4s}, {"d", 0s, 1, 20s}, {"e", 5s, 2, 1s}});
  // From 4 on one GPU is free on each node: enough, and no node has two.
  EXPECT_EQ(
      lines(
          split,
          explained(split, {.policy = "fifo", .placement = "first-fit", .cluster = "2x2"}).at("e")),
      (Lines{"fragmented 5..10 free 2 later 0 | a:1 d:1 |"}));
}

// srtf on one GPU: b (10 s) takes it from a at 5; c (30 s, from 6) comes after b and before a,
// which has 95 s left.
TEST(Explanation, TellsPreemptionAndOrdersRivalsAsThePolicyDoes) {
  const Workload workload =
      make_workload({{"a", 0s, 1, 100s}, {"b", 5s, 1, 10s}, {"c", 6s, 1, 30s}});
  const auto told =
      explained(workload, {.policy = "srtf", .placement = "best-fit", .cluster = "1x1"});
  EXPECT_EQ(lines(workload, told.at("a")), (Lines{"preempted 5..45 free 0 later 0 | b:1 |"}));
  EXPECT_EQ(lines(workload, told.at("c")), (Lines{"capacity 6..15 free 0 later 0 | b:1 |"}));
}

// Two nodes of two under srtf: e wants both GPUs of a node for 50 s, and only d is later than it.
TEST(Explanation, CountsWhatLaterJobsHoldWhereThePolicyPreempts) {
  const Workload workload = make_workload({{"a", 0s, 1, 10s},
                                           {"b", 0s, 1, 12s},
                                           {"c", 0s, 1, 14s},
                                           {"d", 0s, 1, 90s},
                                           {"e", 1s, 2, 50s}});
  const auto told =
      explained(workload, {.policy = "srtf", .placement = "first-fit", .cluster = "2x2"});
  // Until b has ended too; d keeps its GPU, as evicting it alone makes no room.
  EXPECT_EQ(lines(workload, told.at("e")),
            (Lines{"capacity 1..12 free 0 later 1 | a:1 b:1 c:1 |"}));
}

TEST(Explanation, ShowsAFewRivalsAndCountsTheRest) {
  const Workload workload = make_workload({{"a", 0s, 1, 10s},
                                           {"b", 0s, 1, 10s},
                                           {"c", 0s, 2, 10s},
                                           {"d", 1s, 4, 1s},
                                           {"e", 2s, 4, 1s},
                                           {"f", 3s, 4, 1s}});
  const auto told =
      explained(workload, {.policy = "fifo", .placement = "count", .cluster = "1x4"}, 1);
  const Explanation& f = told.at("f");
  ASSERT_EQ(f.stretches.size(), 1U);
  EXPECT_EQ(f.stretches[0].holders.shown.size(), 1U);
  EXPECT_EQ(f.stretches[0].holders.jobs, 3U);
  EXPECT_EQ(f.stretches[0].holders.gpus, 4);
  EXPECT_EQ(f.stretches[0].ahead.jobs, 2U);
  EXPECT_EQ(f.stretches[0].ahead.gpus, 8);
}

TEST(Explanation, OfARejectedJobIsTheLimitAndOfAnUnfinishedOneEndsAtTheHorizon) {
  SimOptions options;
  options.until = at(7s);
  const Workload workload =
      make_workload({{"a", 0s, 1, 100s}, {"b", 2s, 1, 10s}, {"c", 3s, 2, 10s}, {"d", 9s, 1, 1s}});
  const auto told = explained(workload, {.policy = "fifo", .cluster = "1x1", .options = options});
  EXPECT_EQ(told.at("c").limit, "2 GPUs, but the cluster has 1");
  EXPECT_EQ(lines(workload, told.at("c")), Lines{});
  EXPECT_EQ(lines(workload, told.at("b")), (Lines{"capacity 2..7 free 0 later 0 | a:1 |"}));
  EXPECT_EQ(told.at("d").outcome.status, JobStatus::unfinished);
  EXPECT_EQ(lines(workload, told.at("d")), Lines{});
}

/// Jobs of a random workload, half of them in each of two VCs.
Workload two_vcs(std::uint64_t seed, int jobs) {
  std::vector<TestJob> rows = random_jobs(seed, jobs, 8);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].vc = i % 2 == 0 ? "even" : "odd";
  return make_workload(rows);
}

// Every job of 1,000, in whole microseconds, cause by cause: what explanations add up to is what
// the engine books on its own way, and the parts of a job fill its time exactly.
TEST(Explanation, AddsUpToTheWaitOfEveryJobUnderEveryPolicy) {
  const Workload workload = two_vcs(7, 1000);
  const Topology clusters[] = {
      Topology{"one", {{.count = 4, .gpus = 4}}, {}},
      Topology{"two", {{.count = 4, .gpus = 4}}, {{"even", 8}, {"odd", 8}}}};
  for (const PolicyEntry& entry : policy_table()) {
    for (const Topology& topology : clusters) {
      SimOptions options{.preempt_cost = 500ms};
      options.vc_mode = topology.vcs().empty() ? VcMode::shared : VcMode::fixed;
      const PolicyChoice chosen = choice(entry.name, "consolidated");
      std::vector<JobId> jobs;
      for (std::size_t i = 0; i < workload.size(); ++i) jobs.emplace_back(i);
      Explainer explainer{workload, jobs, 3};
      Recorder recorder;
      recorder.add(explainer, Explainer::kWants);
      Simulator simulator{workload, topology, chosen, options, recorder};
      while (simulator.step()) explainer.look(simulator);
      explainer.finish(simulator.totals().end);
      std::int64_t waited = 0;
      for (const Explanation& one : explainer.explanations()) {
        Duration sum{};
        SimTime last{};
        for (const WaitStretch& stretch : one.stretches) {
          EXPECT_LT(stretch.from, stretch.to);
          EXPECT_LE(last, stretch.from);
          last = stretch.to;
          sum += stretch.to - stretch.from;
        }
        ASSERT_EQ(sum, one.outcome.total_wait()) << entry.name;
        if (one.outcome.status != JobStatus::finished) continue;
        ASSERT_EQ(sum + one.outcome.run + one.outcome.overhead,
                  one.outcome.end - workload.arrival(one.outcome.job));
        waited += sum > 0s ? 1 : 0;
      }
      EXPECT_GT(waited, 100) << entry.name << " on " << topology.name();
    }
  }
}

}  // namespace
}  // namespace orrery::test
