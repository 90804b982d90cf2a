// Delta debugging: what is left is needed, and plain.
#include "orrery/conformance/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::conformance {
namespace {

using namespace std::chrono_literals;

Case large() {
  Case from{.jobs = random_jobs(3, 300), .nodes = 32, .gpus_per_node = 8};
  for (TrialJob& job : from.jobs) job.vc = "vc";
  return from;
}

TEST(Shrink, KeepsTheOneJobThatIsNeededAndMakesItPlain) {
  const Case least = shrink(large(), [](const Case& one) {
    return std::ranges::any_of(one.jobs,
                               [](const TrialJob& job) { return job.gpus >= 3 && job.run > 2s; });
  });
  ASSERT_EQ(least.jobs.size(), 1U);
  EXPECT_EQ(least.jobs[0].gpus, 3);
  EXPECT_EQ(least.jobs[0].run, 3s);
  EXPECT_EQ(least.jobs[0].submit, 0s);
  EXPECT_EQ(least.jobs[0].walltime, std::nullopt);
  EXPECT_EQ(least.jobs[0].vc, "");
  EXPECT_EQ(least.nodes, 1);
  EXPECT_EQ(least.gpus_per_node, 1);
}

// Jobs 17, 150 and 290 only matter together: none can go, and everything else does.
TEST(Shrink, IsOneMinimalWhereJobsAreNeededTogether) {
  std::size_t runs = 0;
  const auto fails = [&](const Case& one) {
    ++runs;
    const auto has = [&](const char* id) {
      return std::ranges::find(one.jobs, id, &TrialJob::id) != one.jobs.end();
    };
    return has("17") && has("150") && has("290") && one.nodes * one.gpus_per_node >= 6;
  };
  const Case least = shrink(large(), fails);
  EXPECT_EQ(least.jobs.size(), 3U);
  EXPECT_TRUE(fails(least));
  for (std::size_t i = 0; i < least.jobs.size(); ++i) {
    Case without = least;
    without.jobs.erase(without.jobs.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(fails(without));
  }
  EXPECT_EQ(least.nodes * least.gpus_per_node, 6);
  EXPECT_LT(runs, 2000U);
}

TEST(Shrink, StopsAtItsLimit) {
  std::size_t runs = 0;
  shrink(
      large(), [&](const Case&) { return ++runs, false; }, 25);
  EXPECT_LE(runs, 25U);
}

}  // namespace
}  // namespace orrery::conformance
