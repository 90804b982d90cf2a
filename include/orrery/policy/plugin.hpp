// Policies out of the tree: a shared library with one symbol, a table that says what it was built
// with and which policies it has.
//
//   constexpr orrery::PolicyEntry kPolicies[] = {{.name = "widest", ..., .make = make_widest}};
//   ORRERY_PLUGIN(kPolicies)
#pragma once

#include "orrery/policy/registry.hpp"
#include "orrery/policy/scheduler.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace orrery {

/// Read before anything of the library is called. Only fields behind `size` may ever be added.
struct PluginTable {
  std::uint32_t size = sizeof(PluginTable);
  std::uint32_t abi = 1;           ///< kPluginAbi
  std::uint64_t interface = 0;     ///< plugin_interface()
  const char* compiler = nullptr;  ///< for the message when it is another
  const PolicyEntry* policies = nullptr;
  std::size_t count = 0;
};
inline constexpr std::uint32_t kPluginAbi = 1;

/// A hash of what both sides must agree on: compiler, standard library, the shapes of the types
/// that cross.
constexpr std::uint64_t plugin_interface() {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3ULL; };
  for (const char* c = __VERSION__; *c != '\0'; ++c) add(static_cast<unsigned char>(*c));
#ifdef __GLIBCXX__
  add(__GLIBCXX__);
#endif
#ifdef _GLIBCXX_USE_CXX11_ABI
  add(_GLIBCXX_USE_CXX11_ABI);
#endif
  for (const std::size_t size :
       {sizeof(PolicyEntry), sizeof(Key), sizeof(LineRule), sizeof(JobView), sizeof(Options),
        sizeof(LinePolicy), sizeof(Decision), sizeof(Estimates), sizeof(std::string)})
    add(size);
  return hash;
}

}  // namespace orrery

/// Exports an array of PolicyEntry from a shared library.
#define ORRERY_PLUGIN(entries)                                                               \
  extern "C" __attribute__((visibility("default"))) const orrery::PluginTable orrery_plugin; \
  const orrery::PluginTable orrery_plugin{.abi = orrery::kPluginAbi,                         \
                                          .interface = orrery::plugin_interface(),           \
                                          .compiler = __VERSION__,                           \
                                          .policies = std::data(entries),                    \
                                          .count = std::size(entries)};
