#include "app/plugins.hpp"

#include "app/commands.hpp"

#include "orrery/api/plugin.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/time.hpp"
#include "orrery/policy/registry.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

namespace orrery::app {
namespace {

using Clock = std::chrono::steady_clock;

/// In a signal handler only what is async-signal-safe.
extern "C" void tell_of_crash(int) {
  constexpr std::string_view text =
      "a policy of a plugin crashed, or Orrery did while plugins were loaded\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(kFault);
}

}  // namespace

struct Watchdog::Watching {
  struct Seen {
    std::uint64_t number = 0;
    Clock::time_point since;
  };

  void look(std::chrono::milliseconds patience) {
    std::map<const void*, Seen> now;
    for (const ForeignCalls& calls : foreign_calls()) {
      const auto before = seen.find(calls.policy);
      const bool same = before != seen.end() && before->second.number == calls.number;
      now[calls.policy] = {calls.number, same ? before->second.since : Clock::now()};
      if (calls.number % 2 == 0 || Clock::now() - now[calls.policy].since < patience) continue;
      std::fprintf(stderr, "policy '%s' (plugin): a call into it did not come back within %g s\n",
                   calls.name.c_str(), static_cast<double>(patience.count()) / 1000);
      _exit(kFault);
    }
    seen = std::move(now);
  }

  std::map<const void*, Seen> seen;
  std::mutex lock;
  std::condition_variable stop;
  bool stopped = false;
  std::thread thread;
};

Watchdog::Watchdog(std::chrono::milliseconds patience) : watching_{std::make_unique<Watching>()} {
  watching_->thread = std::thread{[this, patience] {
    std::unique_lock lock{watching_->lock};
    const auto between = std::max(patience / 10, std::chrono::milliseconds{1});
    while (!watching_->stop.wait_for(lock, between, [this] { return watching_->stopped; }))
      watching_->look(patience);
  }};
}

Watchdog::~Watchdog() {
  {
    const std::scoped_lock lock{watching_->lock};
    watching_->stopped = true;
  }
  watching_->stop.notify_one();
  watching_->thread.join();
}

std::unique_ptr<Watchdog> load_plugins(const PluginOptions& options) {
  const auto patience = parse_duration(options.patience);
  if (!patience || *patience < std::chrono::milliseconds{1} || *patience > kLongestTime)
    throw UsageError("--plugin-patience: " + quote(options.patience) +
                     " is no duration from 1ms on, such as 10s");
  for (const std::string& path : options.paths) load_plugin(path);
  if (options.paths.empty() || !options.watched) return nullptr;
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(crash, tell_of_crash);
  return std::make_unique<Watchdog>(
      std::chrono::duration_cast<std::chrono::milliseconds>(*patience));
}

}  // namespace orrery::app
