// Virtual clusters: one pool for all, or whole nodes for each.
#include "support/scenario.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// A run on nodes of 4 GPUs, `vcs` in the order of their list.
TestRun run_vcs(int nodes, std::vector<VcShare> vcs, const std::vector<TestJob>& jobs, VcMode mode,
                const std::string& policy = "fifo") {
  TestRun result;
  result.workload = std::make_shared<Workload>(make_workload(jobs));
  const Topology topology{"c", {{.count = nodes, .gpus = 4}}, std::move(vcs)};
  SimOptions options;
  options.vc_mode = mode;
  Recorder recorder;
  recorder.add(result, Recorder::kOutcomes);
  Simulator simulator{*result.workload, topology, choice(policy, "best-fit"), options, recorder};
  simulator.run();
  result.totals = simulator.totals();
  result.rejections = simulator.rejections();
  return result;
}

std::string usage_error(int nodes, std::vector<VcShare> vcs) {
  try {
    run_vcs(nodes, std::move(vcs), {}, VcMode::fixed);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

const std::vector<TestJob> kTwoVcs{
    {"a", 0s, 4, 100s, {}, "A"}, {"a2", 1s, 4, 10s, {}, "A"}, {"b", 2s, 4, 10s, {}, "B"}};

// Shared: VCs only label jobs, so a2 takes the second node and b waits for it.
TEST(Vcs, SharedPoolIgnoresThem) {
  const TestRun result = run_vcs(2, {{"A", 4}, {"B", 4}}, kTwoVcs, VcMode::shared);
  EXPECT_EQ(result.start("a2"), 1s);
  EXPECT_EQ(result.start("b"), 11s);
}

// Static: a2 waits for a in the node of A, and b, in its own, for nobody.
TEST(Vcs, StaticOnesHaveTheirOwnNodes) {
  const TestRun result = run_vcs(2, {{"A", 4}, {"B", 4}}, kTwoVcs, VcMode::fixed);
  EXPECT_EQ(result.start("a2"), 100s);
  EXPECT_EQ(result.start("b"), 2s);
}

// A preempting policy takes GPUs inside a VC only: short finds nobody to preempt in B.
TEST(Vcs, PreemptionStaysInsideAVc) {
  const TestRun result = run_vcs(
      2, {{"A", 4}, {"B", 4}},
      {{"a", 0s, 4, 100s, {}, "A"}, {"b", 0s, 4, 50s, {}, "B"}, {"short", 10s, 4, 5s, {}, "B"}},
      VcMode::fixed, "srtf");
  EXPECT_EQ(result["a"].preemptions, 0U);
  EXPECT_EQ(result["b"].preemptions, 1U);
  EXPECT_EQ(result.end("b"), 55s);
}

// Jobs of a VC without nodes, of a VC that the list lacks and without a VC are rejected, each for
// its reason, and so is one that its own VC can never hold.
TEST(Vcs, JobsThatHaveNoNodesAreRejected) {
  const TestRun result = run_vcs(3, {{"A", 8}, {"none", 0}},
                                 {{"1", 0s, 1, 10s, {}, "none"},
                                  {"2", 0s, 1, 10s, {}, "other"},
                                  {"3", 0s, 1, 10s},
                                  {"4", 0s, 9, 10s, {}, "A"},
                                  {"5", 0s, 8, 10s, {}, "A"},
                                  {"6", 0s, 1, 10s, {}, "other"}},
                                 VcMode::fixed);
  EXPECT_EQ(result.rejections, (std::vector<std::pair<std::string, std::uint64_t>>{
                                   {"VC 'none' has no nodes", 1},
                                   {"VC 'other' has no nodes", 2},
                                   {"no VC, where each VC has its own nodes", 1},
                                   {"9 GPUs, but VC 'A' has 8", 1}}));
  EXPECT_EQ(result["5"].status, JobStatus::finished);
}

// Capacity is that of the cluster: the third node is idle, as nobody's.
TEST(Vcs, NodesOfNobodyAreIdle) {
  const TestRun result = run_vcs(3, {{"A", 8}}, {{"5", 0s, 8, 10s, {}, "A"}}, VcMode::fixed);
  EXPECT_EQ(result.totals.at_end.capacity, GpuTime::Wide{120'000'000});
  EXPECT_EQ(result.totals.at_end.idle, GpuTime::Wide{40'000'000});
}

TEST(Vcs, SizesThatAreNoWholeNodesAreRefused) {
  EXPECT_EQ(usage_error(2, {}),
            "static VCs need their sizes: a cluster file with \"vcs\", or --vc-sizes FILE");
  EXPECT_EQ(usage_error(2, {{"A", 6}}),
            "VC 'A' wants 6 GPUs, which the next nodes, of 4 GPUs, do not make up whole");
  EXPECT_EQ(
      usage_error(2, {{"A", 4}, {"B", 8}}),
      "the VCs want 12 GPUs in whole nodes, the cluster c has 8: no nodes are left for VC 'B'");
}

// The two VCs wait for their own reasons: the ledger of each pool is its own.
TEST(Vcs, WaitsAreBookedByPool) {
  const TestRun result = run_vcs(2, {{"A", 4}, {"B", 4}}, kTwoVcs, VcMode::fixed);
  EXPECT_EQ(result["a2"].wait[static_cast<std::size_t>(WaitCause::capacity)], 99s);
  EXPECT_EQ(result["b"].total_wait(), 0s);
}

}  // namespace
}  // namespace orrery::test
