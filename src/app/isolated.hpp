// Work in a process of its own, for code that may crash or never come back.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace orrery::app {

struct Isolated {
  std::string told;         ///< what the work returned
  std::uint64_t beats = 0;  ///< signs of life that it gave
  std::string broke;        ///< empty: it came to its end; else how it did not
};

/// Runs `work` in a child process; it calls `beat` as a sign of life. Killed after `patience`
/// without one, or when a signal stops this process. Throws EnvironmentError when there can be no
/// child. To be called while this process has one thread.
Isolated isolated(const std::function<std::string(const std::function<void()>& beat)>& work,
                  std::chrono::milliseconds patience);

}  // namespace orrery::app
