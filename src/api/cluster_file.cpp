#include "api/json_file.hpp"

#include "orrery/api/simulate.hpp"
#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace orrery {
namespace {

Topology read_cluster_file(const std::string& path) {
  const nlohmann::json file = read_json_file(path).value;
  check_against_schema(file, "cluster", printable(path));
  std::vector<NodeGroup> groups;
  for (const auto& group : file.at("nodes"))
    groups.push_back({.count = group.value("count", 1),
                      .gpus = group.at("gpus").get<int>(),
                      .gpu_type = group.value("gpu_type", std::string{}),
                      .rack = group.value("rack", 0)});
  std::vector<VcShare> vcs;
  std::set<std::string> names;
  for (const auto& vc : file.value("vcs", nlohmann::json::array())) {
    vcs.push_back({.name = vc.at("name").get<std::string>(), .gpus = vc.at("gpus").get<int>()});
    if (!names.insert(vcs.back().name).second)
      throw InputError(fmt::format("{}: vcs[{}].name: {} is there already", printable(path),
                                   vcs.size() - 1, quote(vcs.back().name)));
  }
  return {file.value("name", std::filesystem::path{path}.stem().string()), std::move(groups),
          std::move(vcs)};
}

}  // namespace

Topology load_cluster(const std::string& spec) {
  if (auto preset = cluster_preset(spec)) return *std::move(preset);
  if (auto shorthand = parse_cluster_shorthand(spec)) return *std::move(shorthand);
  std::error_code error;
  if (spec == "-" || std::filesystem::exists(spec, error)) return read_cluster_file(spec);
  throw UsageError(fmt::format("cluster {} is no preset, no file and no shorthand such as 64x8{}",
                               quote(spec), did_you_mean(spec, cluster_preset_names())));
}

}  // namespace orrery
