// Invariants that stay on in release builds: a wrong number is worse than no number.
#pragma once

#include "orrery/base/error.hpp"

#include <string>

namespace orrery {
// Called by the macro alone: NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
[[noreturn]] inline void check_failed(const char* condition, const char* file, int line,
                                      const std::string& detail) {
  std::string where{file};
  if (const auto slash = where.rfind('/'); slash != std::string::npos) where.erase(0, slash + 1);
  throw Fault("fault in Orrery: " + std::string{condition} + " does not hold at " + where + ":" +
              std::to_string(line) + (detail.empty() ? "" : " (" + detail + ")"));
}
}  // namespace orrery

/// Stops the run with a Fault when the condition does not hold; the second argument is a text with
/// the values concerned, made only then and out of line.
#define ORRERY_CHECK(condition, detail)                                             \
  (static_cast<bool>(condition) ? void(0) : [&]() __attribute__((noinline, cold)) { \
    ::orrery::check_failed(#condition, __FILE__, __LINE__, (detail));               \
  }())

/// The same for checks that cost more than the step they guard: on in debug and asan builds.
#ifdef ORRERY_SLOW_CHECKS
#define ORRERY_CHECK_SLOW(condition, detail) ORRERY_CHECK(condition, detail)
#else
#define ORRERY_CHECK_SLOW(condition, detail) void(0)
#endif
