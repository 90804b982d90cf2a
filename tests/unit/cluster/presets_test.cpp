// The built-in clusters against the published numbers of nodes and GPUs.
#include "orrery/cluster/topology.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {
namespace {

struct Published {
  std::string_view name;
  std::size_t nodes;
  std::int64_t gpus;
};

// philly: 321 x 2 + 231 x 8. philly-352x8: 352 x 8. Helios: 1,064, 1,144, 2,096 and 2,112 in nodes
// of 8. Acme: 4,704 in all. openb: its 1,213 nodes with GPUs. pai: its 1,814 machines with GPUs.
TEST(Presets, HaveThePublishedNodesAndGpus) {
  const std::vector<Published> published{{"philly", 552, 2490},        {"philly-352x8", 352, 2816},
                                         {"helios-venus", 133, 1064},  {"helios-earth", 143, 1144},
                                         {"helios-saturn", 262, 2096}, {"helios-uranus", 264, 2112},
                                         {"acme-seren", 286, 2288},    {"acme-kalos", 302, 2416},
                                         {"openb", 1213, 6212},        {"pai", 1814, 6742}};
  ASSERT_EQ(cluster_preset_names().size(), published.size());
  for (std::size_t i = 0; i < published.size(); ++i) {
    const auto& [name, nodes, gpus] = published[i];
    EXPECT_EQ(cluster_preset_names()[i], name);
    const Topology cluster = cluster_preset(name).value();
    EXPECT_EQ(cluster.name(), name);
    EXPECT_EQ(cluster.nodes(), nodes) << name;
    EXPECT_EQ(cluster.total_gpus(), gpus) << name;
    EXPECT_FALSE(cluster.assumption().empty()) << name << " says what is guessed";
  }
}

TEST(Presets, AreFoundByTheirNamesOnly) {
  for (const char* name : {"", "Philly", "helios", "64x8"})
    EXPECT_FALSE(cluster_preset(name).has_value()) << name;
}

// Static VCs are whole nodes of 8, and together all of the cluster.
TEST(Presets, VcsMakeUpTheClusterInWholeNodes) {
  for (const auto& [name, vcs] : {std::pair{"helios-venus", 16U}, std::pair{"philly-352x8", 11U}}) {
    const Topology cluster = cluster_preset(name).value();
    EXPECT_EQ(cluster.vcs().size(), vcs);
    std::int64_t sum = 0;
    std::set<std::string> names;
    for (const VcShare& vc : cluster.vcs()) {
      EXPECT_EQ(vc.gpus % 8, 0) << vc.name;
      sum += vc.gpus;
      names.insert(vc.name);
    }
    EXPECT_EQ(sum, cluster.total_gpus());
    EXPECT_EQ(names.size(), cluster.vcs().size());
  }
}

// The node sizes of Alibaba's clusters: openb has 8 GPUs on 617 nodes, 4 on 54, 2 on 518, 1 on 24.
TEST(Presets, MixNodeSizesWhereTheSourceDoes) {
  const Topology openb = cluster_preset("openb").value();
  std::vector<int> count(9);
  for (std::size_t i = 0; i < openb.nodes(); ++i)
    ++count[static_cast<std::size_t>(openb.gpus(NodeId{i}))];
  EXPECT_EQ(count, (std::vector<int>{0, 24, 518, 0, 54, 0, 0, 0, 617}));
}

}  // namespace
}  // namespace orrery
