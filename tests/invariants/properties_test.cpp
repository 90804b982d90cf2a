// RapidCheck: whatever comes in, the independent checker finds no broken rule, and a second run
// gives the same fingerprint.
#include "support/checked.hpp"
#include "support/scenario.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

constexpr std::array kPlacements{"count",
                                 "first-fit",
                                 "best-fit",
                                 "consolidated",
                                 "consolidated:relax=fewest",
                                 "consolidated:relax=any",
                                 "spread",
                                 "random:5"};

/// Seconds or odd microseconds, with many zeros and ties.
rc::Gen<Duration> durations(int most_seconds) {
  return rc::gen::map(
      rc::gen::weightedOneOf<std::int64_t>(
          {{2, rc::gen::just(std::int64_t{0})},
           {6, rc::gen::map(rc::gen::inRange<std::int64_t>(0, most_seconds + 1),
                            [](std::int64_t s) { return s * 1'000'000; })},
           {2, rc::gen::inRange<std::int64_t>(0, most_seconds * std::int64_t{1'000'000})}}),
      [](std::int64_t us) { return Duration{us}; });
}

/// Gangs of one GPU, of a node, of the whole cluster, and one that is refused.
rc::Gen<int> gangs(const Topology& cluster) {
  const auto all = static_cast<int>(cluster.total_gpus());
  return rc::gen::weightedOneOf<int>({{4, rc::gen::just(1)},
                                      {4, rc::gen::inRange(1, cluster.largest_node() + 1)},
                                      {3, rc::gen::inRange(1, all + 1)},
                                      {1, rc::gen::just(all)},
                                      {1, rc::gen::just(all + 1)}});
}

/// Two VCs, one of the first half of the nodes.
Topology any_cluster() {
  std::vector<NodeGroup> groups;
  const bool equal = *rc::gen::arbitrary<bool>();
  const int size = *rc::gen::inRange(1, 9);
  for (int n = *rc::gen::inRange(2, 6); n > 0; --n)
    groups.push_back({.count = 1, .gpus = equal ? size : *rc::gen::inRange(1, 9)});
  Topology cluster{"any", groups};
  VcShare first{.name = "x"}, second{.name = "y"};
  for (std::size_t n = 0; n < cluster.nodes(); ++n)
    (n < cluster.nodes() / 2 ? first : second).gpus += cluster.gpus(NodeId{n});
  cluster.set_vcs({first, second});
  return cluster;
}

std::vector<TestJob> any_jobs(const Topology& cluster) {
  std::vector<TestJob> jobs;
  Duration submit{};
  const int count = *rc::gen::inRange(0, 30);
  for (int j = 0; j < count; ++j) {
    submit +=
        *rc::gen::weightedOneOf<Duration>({{3, rc::gen::just(Duration{})}, {2, durations(5)}});
    jobs.push_back({.id = std::to_string(j),
                    .submit = submit,
                    .gpus = *gangs(cluster),
                    .run = *durations(20),
                    .vc = *rc::gen::element<std::string>("x", "y", "z")});
    if (*rc::gen::inRange(0, 3) > 0) jobs.back().walltime = *durations(20);
  }
  return jobs;
}

SimOptions any_options() {
  using Kind = DurationKnowledge::Kind;
  SimOptions options;
  options.vc_mode = *rc::gen::element(VcMode::shared, VcMode::shared, VcMode::fixed);
  options.durations = {.kind = *rc::gen::element(Kind::by_policy, Kind::oracle, Kind::walltime,
                                                 Kind::noisy, Kind::history),
                       .sigma = 0.5};
  options.enforce_walltime = *rc::gen::arbitrary<bool>();
  if (*rc::gen::inRange(0, 4) == 0) options.round = *rc::gen::element<Duration>(1s, 7s, 1500ms);
  if (*rc::gen::inRange(0, 3) == 0) {
    options.preempt_cost = *durations(3);
    options.until = at(300s);  // where it costs more than it gains, there is no end
  }
  if (*rc::gen::inRange(0, 4) == 0) options.until = at(*durations(40));
  return options;
}

std::string with_options(std::string_view policy) {
  std::string spec{policy};
  if (policy == "las" || policy == "las2d")
    spec += *rc::gen::element<std::string>(":quantum=1s", ":quantum=6500ms");
  if (policy == "mlfq" || policy == "mlfq2d" || policy == "tiresias")
    spec += *rc::gen::element<std::string>(":limits=3s/10s", ":limits=1s/2s/4s,grain=1s",
                                           ":limits=100ms");
  return spec;
}

class Properties : public testing::TestWithParam<std::string_view> {};

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names;
  for (const PolicyEntry& entry : policy_table()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, Properties, testing::ValuesIn(policy_names()),
                         [](const auto& test) {
                           std::string name{test.param};
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(Properties, CheckerFindsNoFaultAndTwoRunsAreEqual) {
  for (const char* placement : kPlacements) {
    const bool held = rc::check(std::string{GetParam()} + " on " + placement, [&] {
      const Topology cluster = any_cluster();
      const Workload workload = make_workload(any_jobs(cluster));
      const std::string policy = with_options(GetParam());
      const SimOptions options = any_options();
      const std::uint64_t first =
          checked_fingerprint(workload, cluster, policy, placement, options);
      RC_ASSERT(checked_fingerprint(workload, cluster, policy, placement, options) == first);
    });
    EXPECT_TRUE(held);
  }
}

}  // namespace
}  // namespace orrery::test
