#include "app/console.hpp"

#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace orrery::app {
namespace {

// A handler can reach nothing else.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t stop_signal = 0;
extern "C" void note_signal(int signal) {
  stop_signal = signal;
}

}  // namespace

Console::Console(bool quiet, ProgressMode mode) : quiet_{quiet}, mode_{mode} {
  static const auto log = [] {
    auto made = spdlog::stderr_logger_mt("orrery");
    made->set_pattern("%v");
    return made;
  }();
  log->set_level(spdlog::level::info);
  if (quiet || (mode == ProgressMode::automatic && isatty(STDERR_FILENO) == 0))
    mode_ = ProgressMode::none;
}

void Console::notice(std::string_view text) const {
  // Not by the log's level: another Console may talk while this one is quiet.
  if (!quiet_) spdlog::get("orrery")->info("notice: {}", text);
}

Progress::Progress(const Console& console, const Workload& workload)
    : console_{console}, workload_{workload} {}

Progress::~Progress() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);  // the bar was for the time of waiting
  std::fflush(stderr);
}

bool Progress::operator()(const Simulator& run) {
  if (StopSignals::received() != 0) return false;
  if (console_.progress() == ProgressMode::none) return true;
  const bool bar = console_.progress() == ProgressMode::automatic;
  const auto now = Clock::now();
  if (now - told_ < (bar ? std::chrono::milliseconds{200} : std::chrono::milliseconds{5000}))
    return true;
  told_ = now;
  const std::string text = line(run, std::chrono::duration<double>(now - started_).count());
  std::fprintf(stderr, bar ? "\r%s\x1b[K" : "%s\n", text.c_str());
  std::fflush(stderr);
  drawn_ = drawn_ || bar;
  return true;
}

std::string Progress::line(const Simulator& run, double elapsed_s) const {
  const auto done = static_cast<double>(run.jobs_ended());
  const auto all = static_cast<double>(workload_.size());
  const auto origin = workload_.calendar_origin();
  const std::string when = origin ? calendar_text(*origin + micros(run.now()))
                                  : human_duration(run.now().time_since_epoch());
  const double left_s = done > 0 ? elapsed_s * (all - done) / done : 0;
  return fmt::format("{} of {} jobs ({:.0f} %) · {} · {} events/s · {} left",
                     grouped(run.jobs_ended()), grouped(workload_.size()), 100 * done / all, when,
                     grouped(static_cast<std::uint64_t>(static_cast<double>(run.events()) /
                                                        std::max(elapsed_s, 1e-3))),
                     done > 0
                         ? human_duration(Duration{static_cast<std::int64_t>(left_s) * 1000000})
                         : "unknown time");
}

StopSignals::StopSignals() {
  stop_signal = 0;
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}
StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}
int StopSignals::received() {
  return stop_signal;
}

}  // namespace orrery::app
