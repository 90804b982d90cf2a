#include "orrery/api/plugin.hpp"

#include "trace/text_input.hpp"

#include "orrery/base/error.hpp"
#include "orrery/policy/plugin.hpp"

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace orrery {
namespace {

namespace fs = std::filesystem;

std::vector<LoadedPlugin>& plugins() {
  static std::vector<LoadedPlugin> list;
  return list;
}

/// Somebody else's code must not run with the user's rights because of a file mode.
void refuse_what_all_may_write(const fs::path& file, const std::string& name) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0)
    throw EnvironmentError(fmt::format("--plugin: {} is not there", name));
  if (!S_ISREG(status.st_mode)) throw UsageError(fmt::format("--plugin: {} is no file", name));
  if ((status.st_mode & S_IWOTH) != 0)
    throw UsageError(
        fmt::format("--plugin: {} may be written by everybody: chmod o-w it first", name));
}

/// The table of a library. Nothing of it is called before the table has been compared.
const PluginTable& table_of(const boost::dll::shared_library& library, const std::string& name) {
  if (!library.has("orrery_plugin"))
    throw UsageError(fmt::format(
        "--plugin: {} has no table of policies (ORRERY_PLUGIN of orrery/policy/plugin.hpp)", name));
  const auto& table = library.get<const PluginTable>("orrery_plugin");
  if (table.size != sizeof(PluginTable) || table.abi != kPluginAbi)
    throw UsageError(
        fmt::format("--plugin: {} is of plugin interface {} ({} bytes), this Orrery has {} ({} "
                    "bytes): build it "
                    "again",
                    name, table.abi, table.size, kPluginAbi, sizeof(PluginTable)));
  if (table.interface != plugin_interface())
    throw UsageError(fmt::format(
        "--plugin: {} was built with other headers or another compiler ({}; this Orrery: {}): "
        "build it again",
        name, printable(table.compiler == nullptr ? "" : table.compiler, 60), __VERSION__));
  return table;
}

}  // namespace

void load_plugin(const std::string& path) {
  const std::string name = quote(path, 200);
  std::error_code error;
  const fs::path file = fs::canonical(path, error);  // never a search along the library path
  if (error) throw EnvironmentError(fmt::format("--plugin: {} is not there", name));
  refuse_what_all_may_write(file, name);
  LoadedPlugin loaded{.path = path, .sha256 = file_sha256(file.string()), .policies = {}};
  if (std::ranges::find(plugins(), loaded.sha256, &LoadedPlugin::sha256) != plugins().end()) return;
  boost::dll::fs::error_code refused;
  // Stays loaded up to the very end: its policies are in the table.
  auto& library = *new boost::dll::shared_library;
  library.load(file, refused);
  if (refused)
    throw UsageError(
        fmt::format("--plugin: {} cannot be loaded: {}", name, printable(refused.message(), 200)));
  const PluginTable& table = table_of(library, name);
  add_policies({table.policies, table.count});
  for (const PolicyEntry& entry : std::span{table.policies, table.count})
    loaded.policies.emplace_back(entry.name);
  plugins().push_back(std::move(loaded));
}

const std::vector<LoadedPlugin>& loaded_plugins() {
  return plugins();
}

}  // namespace orrery
