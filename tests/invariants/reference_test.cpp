// The engine against the reference simulator (reference/): every step of every job equal, with the
// independent checker on the engine's run.
#include "invariants/draw.hpp"
#include "invariants/scenario_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace orrery::test {
namespace {

#ifdef ORRERY_LONG_TESTS
constexpr int kRandomScenarios = 50'000;  // a policy and placement
constexpr std::uint64_t kPasses = 1'000'000;
#else
constexpr int kRandomScenarios = 1'000;
constexpr std::uint64_t kPasses = 100'000;
#endif

std::string name_of(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

class Reference : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Every, Reference, testing::ValuesIn(policies()),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(Reference, AgreesOnRandomWorkloadsWithAnyPlacement) {
  for (const std::string& placement : placements()) {
    Draw draw{hash_text(GetParam() + placement), {}};
    for (int n = 0; n < kRandomScenarios; ++n)
      ASSERT_EQ(smallest_difference(draw.scenario(GetParam(), placement)), "") << "scenario " << n;
  }
}

// The engine keeps the order incrementally; the reference sorts and walks all jobs in every pass.
TEST_P(Reference, FullWalkEqualsTheLineInEachOf100000PassesOverLongQueues) {
  Draw draw{hash_text("queues " + GetParam()),
            {.jobs = 80, .nodes = 9, .gpus_per_node = 4, .longest = 30}};
  std::uint64_t passes = 0;
  for (std::size_t n = 0; passes < kPasses; ++n) {
    const Scenario scenario = draw.scenario(GetParam(), placements()[n % placements().size()]);
    const Comparison comparison = compare(scenario);
    passes += comparison.passes;
    ASSERT_EQ(comparison.difference.empty() ? "" : smallest_difference(scenario), "")
        << "scenario " << n;
  }
}

/// Every workload of up to four jobs on three GPUs: gangs of 1 to 3, 0 to 3 s long, submitted from
/// 0 to 2 s. Calls `visit` with each.
template <class Visit>
void each_small_workload(const Visit& visit) {
  std::vector<reference::Job> jobs;
  const auto extend = [&](const auto& self) -> void {
    if (!jobs.empty()) visit(jobs);
    if (jobs.size() == 4) return;
    const reference::Second earliest = jobs.empty() ? 0 : jobs.back().submit;
    for (reference::Second submit = earliest; submit <= 2; ++submit)
      for (int gpus = 1; gpus <= 3; ++gpus)
        for (reference::Second run = 0; run <= 3; ++run) {
          jobs.push_back({.submit = submit, .gpus = gpus, .run = run});
          self(self);
          jobs.pop_back();
        }
  };
  extend(extend);
}

TEST_P(Reference, AgreesOnEveryWorkloadOfFourJobsAndThreeGpus) {
  Scenario scenario;
  scenario.pool = {3};
  scenario.rules.policy = GetParam();
  scenario.rules.quantum = 1;
  scenario.rules.limits = {1, 3};
  scenario.knowledge = Scenario::Knowledge::oracle;
  std::uint64_t seen = 0;
  each_small_workload([&](const std::vector<reference::Job>& jobs) {
    ++seen;
    if (testing::Test::HasFailure()) return;
    scenario.jobs = jobs;
    if (!compare(scenario).difference.empty()) ADD_FAILURE() << smallest_difference(scenario);
  });
  EXPECT_EQ(seen, 329'220U);  // 3 x 12 + 6 x 12^2 + 10 x 12^3 + 15 x 12^4
}

}  // namespace
}  // namespace orrery::test
