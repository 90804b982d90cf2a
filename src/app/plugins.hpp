// Plugins of one command line: loaded before anything else, watched while they run.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace orrery::app {

/// Ends the program with exit code 5 and the policy's name when a call into a plugin's policy does
/// not come back: nobody can take a loop of foreign code back. It watches while it lives.
class Watchdog {
 public:
  explicit Watchdog(std::chrono::milliseconds patience);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

 private:
  struct Watching;
  std::unique_ptr<Watching> watching_;
};

/// Of one command line.
struct PluginOptions {
  std::vector<std::string> paths;
  std::string patience = "10s";  ///< with one call
  bool watched = true;           ///< false: the command has a process of its own for them
};

/// Loads what is named and returns who watches it; nothing when nothing is named. Crashes are told
/// as such from then on. Throws what load_plugin() throws.
std::unique_ptr<Watchdog> load_plugins(const PluginOptions& options);

}  // namespace orrery::app
