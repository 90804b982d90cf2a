// Intervals: the arithmetic by hand, and how often they hold the truth.
#include "orrery/metrics/paired.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace orrery::test {
namespace {

std::vector<std::int64_t> exponential(RandomStream& random, std::size_t count, double mean) {
  boost::random::exponential_distribution<double> of{1 / mean};
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<std::int64_t>(of(random)) + 1);
  return values;
}

// Means 1, 2, 3: mean 2, deviation 1, error 1 / sqrt(3); t(2 degrees, 97.5 %) = 4.302653.
TEST(StudentInterval, OfThreeMeans) {
  const auto interval = t_interval_of_mean(std::vector<double>{1, 2, 3});
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->low, 2 - 4.302653 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(interval->high, 2 + 4.302653 / std::sqrt(3.0), 1e-6);
}

// Ratio (3 + 3) / (2 + 4) = 1. Rests 3 - 2 = 1 and 3 - 4 = -1: deviation sqrt(2), error 1, over the
// mean 3; t(1 degree) = 12.7062.
TEST(StudentInterval, OfAChangeIsOfTheRatioOfSums) {
  const auto interval = t_interval_of_change(std::vector<double>{2, 4}, std::vector<double>{3, 3});
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->low, -12.706205 / 3, 1e-6);
  EXPECT_NEAR(interval->high, 12.706205 / 3, 1e-6);
}

TEST(StudentInterval, NeedsTwoTraces) {
  EXPECT_FALSE(t_interval_of_mean(std::vector<double>{1}).has_value());
  EXPECT_FALSE(t_interval_of_change(std::vector<double>{1}, std::vector<double>{1}).has_value());
  EXPECT_FALSE(
      t_interval_of_change(std::vector<double>{0, 0}, std::vector<double>{1, 1}).has_value());
}

// No hit in ten: (1 - p)^10 = 0.025 at the upper end.
TEST(ShareInterval, IsExact) {
  const Interval none = share_interval(0, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.1), 1e-9);
  const Interval all = share_interval(10, 10);
  EXPECT_NEAR(all.low, std::pow(0.025, 0.1), 1e-9);
  EXPECT_EQ(all.high, 1);
}

TEST(BlockBootstrap, AFactorIsAChangeWithoutDoubt) {
  RandomStream random{1};
  const std::vector<std::int64_t> first = exponential(random, 500, 1e6);
  std::vector<std::int64_t> twice = first;
  for (std::int64_t& value : twice) value *= 2;
  const BlockBootstrap blocks{first.size(), RandomStream{2}};
  const auto same = blocks.of_change(first, first), doubled = blocks.of_change(first, twice);
  EXPECT_EQ(same->low, 0);
  EXPECT_EQ(same->high, 0);
  EXPECT_EQ(doubled->low, 1);
  EXPECT_EQ(doubled->high, 1);
}

TEST(BlockBootstrap, FewJobsHaveNoInterval) {
  const std::vector<std::int64_t> few(BlockBootstrap::kFewestJobs - 1, 5);
  const BlockBootstrap blocks{few.size(), RandomStream{1}};
  EXPECT_FALSE(blocks.of_mean(few).has_value());
  EXPECT_FALSE(blocks.of_change(few, few).has_value());
  const std::vector<std::int64_t> zeros(BlockBootstrap::kFewestJobs, 0);
  EXPECT_FALSE(BlockBootstrap(zeros.size(), RandomStream{1}).of_change(zeros, zeros).has_value());
}

TEST(BlockBootstrap, IsAFunctionOfItsSeed) {
  RandomStream random{7};
  const std::vector<std::int64_t> values = exponential(random, 300, 1e6);
  const auto one = BlockBootstrap{300, RandomStream{3}}.of_mean(values);
  const auto again = BlockBootstrap{300, RandomStream{3}}.of_mean(values);
  EXPECT_EQ(one->low, again->low);
  EXPECT_EQ(one->high, again->high);
}

/// How many of 400 intervals hold the true mean of exponential values with mean 1000, each repeated
/// `run` times in a row as jobs of one queue would be.
int held(std::size_t run) {
  RandomStream random{11};
  int count = 0;
  for (std::uint64_t k = 0; k < 400; ++k) {
    const std::vector<std::int64_t> drawn = exponential(random, 600 / run, 1000);
    std::vector<std::int64_t> values;
    for (const std::int64_t value : drawn) values.insert(values.end(), run, value);
    const auto interval = BlockBootstrap{values.size(), RandomStream{k}}.of_mean(values);
    count += interval->holds(1000.5) ? 1 : 0;  // whole numbers from 1 on: half a unit above
  }
  return count;
}

// 95 % of 400 is 380, give or take 4.4: these bounds are four deviations away. Values that come in
// runs are held as often, which drawing single jobs would not do.
TEST(BlockBootstrap, HoldsTheTruthAsOftenAsItSays) {
  EXPECT_NEAR(held(1), 380, 18);
  EXPECT_NEAR(held(5), 380, 18);
}

}  // namespace
}  // namespace orrery::test
