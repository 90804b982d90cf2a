#include "orrery/base/hash.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace orrery {
namespace {

// 2^63 * 6 = 3 * 2^64: the upper half is 3, the lower 0, and the fold of both is 3.
TEST(Hash, FoldXorsTheHalvesOfTheProduct) {
  EXPECT_EQ(fold(std::uint64_t{1} << 63, 6), 3U);
  EXPECT_EQ(fold(5, 7), 35U);
  EXPECT_EQ(fold(~std::uint64_t{0}, ~std::uint64_t{0}), ~std::uint64_t{0});  // fe..ff fold 0..01
}

TEST(Hash, OrderOfTheWordsMatters) {
  EXPECT_NE(mix(mix(0, 1), 2), mix(mix(0, 2), 1));
  EXPECT_NE(mix(0, 0), 0U);
}

// Every length from 0 to 24 takes another way through words and tail; zero bytes count too.
TEST(Hash, TextsThatDifferInLengthOrOneByteDiffer) {
  std::set<std::uint64_t> seen;
  for (std::size_t length = 0; length <= 24; ++length) {
    const std::string zeros(length, '\0');
    EXPECT_TRUE(seen.insert(hash_text(zeros)).second) << length;
    for (std::size_t i = 0; i < length; ++i) {
      std::string text = zeros;
      text[i] = '\x80';
      EXPECT_TRUE(seen.insert(hash_text(text)).second) << length << " " << i;
    }
  }
  EXPECT_NE(hash_text("a", 1), hash_text("a", 2));
}

}  // namespace
}  // namespace orrery
