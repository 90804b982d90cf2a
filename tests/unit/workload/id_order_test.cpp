// The order of trace ids: digit runs as numbers, the rest as bytes.
#include "orrery/workload/workload.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace orrery {
namespace {

TEST(IdBefore, RunsOfDigitsAreNumbersAndTheRestBytes) {
  const std::vector<std::string> ascending{"",
                                           "1",
                                           "2",
                                           "10",
                                           "10a",
                                           "99999999999999999999999999999999999998",
                                           "99999999999999999999999999999999999999",
                                           "100000000000000000000000000000000000000",
                                           "A",
                                           "a",
                                           "a1",
                                           "a2",
                                           "a2b1",
                                           "a2b2",
                                           "a2b10",
                                           "a10",
                                           "application_1506638472019_9",
                                           "application_1506638472019_10",
                                           "b",
                                           "\xc3\xa9"};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j)
      EXPECT_EQ(id_before(ascending[i], ascending[j]), i < j)
          << ascending[i] << " before " << ascending[j];
}

// Leading zeros do not change a number; ids equal but for them are ordered by their bytes.
TEST(IdBefore, LeadingZerosDecideLast) {
  EXPECT_TRUE(id_before("01", "1"));
  EXPECT_FALSE(id_before("1", "01"));
  EXPECT_TRUE(id_before("001", "01"));
  EXPECT_TRUE(id_before("1", "02"));
  EXPECT_TRUE(id_before("01", "2"));
  EXPECT_TRUE(id_before("0", "1"));
  EXPECT_TRUE(id_before("00", "1"));
  EXPECT_TRUE(id_before("a01b1", "a1b2"));  // 1, then b, then 1 before 2
  EXPECT_TRUE(id_before("a1b1", "a01b2"));
}

// A strict total order on texts: exactly one of before, equal, after; and transitive.
TEST(IdBefore, IsATotalOrder) {
  const auto texts =
      rc::gen::container<std::string>(rc::gen::element('0', '1', '2', '9', 'a', '-'));
  EXPECT_TRUE(rc::check("total", [&] {
    const std::string a = *texts, b = *texts, c = *texts;
    RC_ASSERT(int{id_before(a, b)} + int{id_before(b, a)} + int{a == b} == 1);
    if (id_before(a, b) && id_before(b, c)) RC_ASSERT(id_before(a, c));
  }));
}

}  // namespace
}  // namespace orrery
