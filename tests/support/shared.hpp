// Data that stands beside the repository and is not part of it: tests that need it skip where it is
// absent.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace orrery::test {

inline std::filesystem::path shared_path(std::string_view relative) {
  return std::filesystem::path{ORRERY_SOURCE_DIR} / ".." / "shared" / relative;
}

/// ORRERY_REQUIRE_SHARED=1 turns absent data into a failure.
inline bool shared_is_required() {
  const char* required = std::getenv("ORRERY_REQUIRE_SHARED");
  return required != nullptr && std::string_view{required} == "1";
}

}  // namespace orrery::test

/// Declares `variable`, the path of shared data; ends the test when it is absent.
#define ORRERY_SHARED(variable, relative)                                         \
  const std::filesystem::path variable = ::orrery::test::shared_path(relative);   \
  if (!std::filesystem::exists(variable)) {                                       \
    if (::orrery::test::shared_is_required()) FAIL() << variable << " is absent"; \
    GTEST_SKIP() << variable << " is absent";                                     \
  }                                                                               \
  static_assert(true)
