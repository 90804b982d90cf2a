// orrery policy and orrery cluster: what there is.
#include "app/commands.hpp"
#include "report/json_parts.hpp"

#include "orrery/policy/parts.hpp"
#include "orrery/policy/registry.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>

namespace orrery::app {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string_view knows_text(Knows knows) {
  switch (knows) {
    case Knows::nothing:
      return "nothing but what users declare";
    case Knows::walltime:
      return "run times, by default the users' walltimes";
    case Knows::oracle:
      return "run times, by default the true ones";
    case Knows::recorded:
      return "when the trace says that jobs started";
  }
  return {};
}

Json policy_object(const PolicyEntry& policy) {
  return {{"name", policy.name},       {"summary", policy.summary},
          {"order", policy.order},     {"blocked", policy.blocked},
          {"options", policy.options}, {"knows", knows_text(policy.knows)},
          {"paper", policy.paper},     {"fidelity", policy.fidelity}};
}

std::string vcs_text(const Topology& cluster) {
  std::string text;
  for (const VcShare& vc : cluster.vcs())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", printable(vc.name), vc.gpus);
  return text;
}

Json cluster_object(const Topology& cluster) {
  Json nodes = Json::array(), vcs = Json::array();
  for (const NodeGroup& group : cluster.groups())
    nodes.push_back({{"count", group.count},
                     {"gpus", group.gpus},
                     {"gpu_type", group.gpu_type},
                     {"rack", group.rack}});
  for (const VcShare& vc : cluster.vcs()) vcs.push_back({{"name", vc.name}, {"gpus", vc.gpus}});
  return {{"name", cluster.name()}, {"nodes", nodes}, {"vcs", vcs}};
}

}  // namespace

int policy_list(bool json) {
  if (json) {
    Json list = Json::array();
    for (const PolicyEntry& policy : policy_table()) list.push_back(policy_object(policy));
    write_text("-", json_text(list));
    return kDone;
  }
  Rows policies{{"policy", "order", "a job that does not fit", "what it is"}};
  for (const PolicyEntry& policy : policy_table())
    policies.push_back({std::string{policy.name}, std::string{policy.order},
                        std::string{policy.blocked}, std::string{policy.summary}});
  Rows placements{{"placement", "what it does"}};
  for (const PlacementEntry& placement : placement_table())
    placements.push_back({std::string{placement.name}, std::string{placement.summary}});
  write_text("-", aligned(policies, 4) + "\n" + aligned(placements, 2));
  return kDone;
}

int policy_show(const std::string& name, bool json) {
  const PolicyEntry& policy = policy_entry(name);
  if (json) {
    write_text("-", json_text(policy_object(policy)));
    return kDone;
  }
  const auto or_none = [](std::string_view text) {
    return text.empty() ? std::string{"none"} : std::string{text};
  };
  std::string options = or_none(policy.options);
  for (std::size_t at = 0; (at = options.find('\n', at)) != std::string::npos; at += 11)
    options.replace(at, 1, "\n          ");  // continuation lines under the first
  write_text(
      "-", fmt::format("{}: {}\n"
                       "order     {}\n"
                       "blocked   {}\n"
                       "options   {}\n"
                       "knows     {}\n"
                       "paper     {}\n"
                       "fidelity  {}\n",
                       policy.name, policy.summary, policy.order, policy.blocked, options,
                       knows_text(policy.knows), or_none(policy.paper), or_none(policy.fidelity)));
  return kDone;
}

int cluster_list(bool json) {
  Json list = Json::array();
  Rows rows{{"cluster", "nodes", "GPUs", "VCs"}};
  for (const std::string& name : cluster_preset_names()) {
    const Topology cluster = *cluster_preset(name);
    rows.push_back({name, grouped(cluster.nodes()),
                    grouped(static_cast<std::uint64_t>(cluster.total_gpus())),
                    std::to_string(cluster.vcs().size())});
    list.push_back({{"name", name},
                    {"nodes", cluster.nodes()},
                    {"gpus", cluster.total_gpus()},
                    {"vcs", cluster.vcs().size()}});
  }
  write_text("-", json ? json_text(list) : aligned(rows));
  return kDone;
}

int cluster_show(const std::string& name, bool json) {
  const Topology cluster = load_cluster(name);
  if (json) {
    write_text("-", json_text(cluster_object(cluster)));
    return kDone;
  }
  std::string text =
      fmt::format("{}: {} nodes, {} GPUs\n", printable(cluster.name()), grouped(cluster.nodes()),
                  grouped(static_cast<std::uint64_t>(cluster.total_gpus())));
  Rows rows{{"nodes", "GPUs each", "rack", "type"}};
  for (const NodeGroup& group : cluster.groups())
    rows.push_back({std::to_string(group.count), std::to_string(group.gpus),
                    std::to_string(group.rack),
                    group.gpu_type.empty() ? "not told" : printable(group.gpu_type)});
  text += aligned(rows, 0);
  if (!cluster.vcs().empty()) text += "VCs and their GPUs: " + vcs_text(cluster) + "\n";
  if (!cluster.assumption().empty()) text += "assumed: " + cluster.assumption() + "\n";
  write_text("-", text);
  return kDone;
}

}  // namespace orrery::app
