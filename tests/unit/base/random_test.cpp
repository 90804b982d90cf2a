#include "orrery/base/random.hpp"

#include <gtest/gtest.h>

#include <set>

namespace orrery {
namespace {

// The published first outputs of splitmix64 (Steele, Lea and Flood, OOPSLA 2014) for the state
// 1234567.
TEST(RandomStream, IsSplitmix64) {
  RandomStream stream{1234567};
  EXPECT_EQ(stream(), 6457827717110365317U);
  EXPECT_EQ(stream(), 3203168211198807973U);
  EXPECT_EQ(stream(), 9817491932198370423U);
  EXPECT_EQ(stream(), 4593380528125082431U);
  EXPECT_EQ(stream(), 16408922859458223821U);
}

TEST(RandomStream, IsAValue) {
  RandomStream one{7};
  one();
  RandomStream copy = one;
  EXPECT_EQ(one(), copy());
}

// A draw more in one place shifts no other: a stream depends on seed, purpose and number alone.
TEST(RngStreams, EachPurposeAndNumberHasItsOwnStream) {
  const RngStreams streams{42};
  RandomStream failures = streams.stream("failures");
  failures();
  failures();
  EXPECT_EQ(streams.stream("arrivals")(), RngStreams{42}.stream("arrivals")());
  std::set<std::uint64_t> first_draws;
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const char* purpose : {"failures", "arrivals", ""})
      for (std::uint64_t number = 0; number < 10; ++number)
        first_draws.insert(RngStreams{seed}.stream(purpose, number)());
  EXPECT_EQ(first_draws.size(), 300U);
}

}  // namespace
}  // namespace orrery
