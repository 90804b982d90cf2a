#include "orrery/base/id.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>

namespace orrery {
namespace {

TEST(Id, ComparesByIndexWithItsOwnKind) {
  EXPECT_LT(JobId{1U}, JobId{2U});
  EXPECT_EQ(JobId{7U}, JobId{std::size_t{7}});
  EXPECT_EQ(JobId{7U}.index(), 7U);
  EXPECT_EQ(JobId{7U}.value(), 7U);
}

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a == b;
};

TEST(Id, DoesNotMixWithOtherKindsOrNumbers) {
  static_assert(!std::is_convertible_v<JobId, NodeId>);
  static_assert(!std::is_constructible_v<JobId, NodeId>);
  static_assert(!std::is_convertible_v<std::uint32_t, JobId>);
  static_assert(!std::is_convertible_v<JobId, std::uint32_t>);
  static_assert(Comparable<JobId, JobId> && !Comparable<JobId, NodeId>);
  EXPECT_EQ(sizeof(JobId), 4U);
}

}  // namespace
}  // namespace orrery
