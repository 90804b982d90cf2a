// What the program says beside its results: notices and progress on standard error.
#pragma once

#include "orrery/engine/simulator.hpp"
#include "orrery/workload/workload.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::app {

enum class ProgressMode : std::uint8_t {
  automatic,  ///< a bar on a terminal, nothing elsewhere
  plain,      ///< a line now and then
  none
};

class Console {
 public:
  Console(bool quiet, ProgressMode mode);
  void notice(std::string_view text) const;
  bool quiet() const { return quiet_; }
  ProgressMode progress() const { return mode_; }

 private:
  bool quiet_;
  ProgressMode mode_;  // plain or none where standard error is no terminal
};

/// Jobs done, simulated date, events a second, time left; on one line that is rewritten, or on
/// lines of their own.
class Progress {
 public:
  Progress(const Console& console, const Workload& workload);
  ~Progress();
  /// For RunOptions::progress. False once the user asked to stop.
  bool operator()(const Simulator& run);

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(const Simulator& run, double elapsed_s) const;

  const Console& console_;
  const Workload& workload_;
  Clock::time_point started_ = Clock::now(), told_ = started_;
  bool drawn_ = false;
};

/// Ctrl-C and SIGTERM end a run in good order while this lives.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  /// The signal that came, or 0.
  static int received();
};

}  // namespace orrery::app
