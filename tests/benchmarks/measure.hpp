// Two ways of doing one thing, measured in turn in one process: only their ratio means something on
// a machine that others use too.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>

namespace orrery::bench {

/// User and system time of this process.
inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
double cpu_of(Work&& work) {
  const double before = cpu_seconds();
  work();
  return cpu_seconds() - before;
}

/// Median CPU seconds of each.
struct Medians {
  double floor = 0, engine = 0;
  double ratio() const { return engine / floor; }
};

/// Runs `floor` and `engine` alternately.
template <class Floor, class Engine>
Medians alternate(Floor&& floor, Engine&& engine) {
  constexpr std::size_t kTimes = 5;
  std::array<double, kTimes> of_floor{}, of_engine{};
  for (std::size_t i = 0; i < kTimes; ++i) {
    of_floor[i] = cpu_of(floor);
    of_engine[i] = cpu_of(engine);
  }
  std::ranges::sort(of_floor);
  std::ranges::sort(of_engine);
  return {of_floor[kTimes / 2], of_engine[kTimes / 2]};
}

/// What a benchmark found; it fails above the limit, or when the two did not do the same.
struct Verdict {
  double ratio = 0, limit = 0;
  std::string detail;  ///< the numbers behind the ratio
  bool same = true;    ///< both came to the same result
  bool passed() const { return same && ratio <= limit; }
};

inline std::string format_line(const char* format, auto... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace orrery::bench
