// Loads policies from shared libraries that somebody named by hand.
#pragma once

#include <string>
#include <vector>

namespace orrery {

struct LoadedPlugin {
  std::string path;    ///< as it was named
  std::string sha256;  ///< of the file
  std::vector<std::string> policies;
};

/// Adds the policies of a shared library (orrery/policy/plugin.hpp) to the table; before any run.
/// Naming the same file twice loads it once. Throws UsageError for what is no plugin, was built for
/// another interface, may be written by everybody, or has a policy that is there already;
/// EnvironmentError when it cannot be read.
void load_plugin(const std::string& path);
/// In the order in which they were loaded.
const std::vector<LoadedPlugin>& loaded_plugins();

}  // namespace orrery
