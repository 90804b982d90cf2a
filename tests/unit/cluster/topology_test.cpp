#include "orrery/cluster/topology.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery {
namespace {

std::string usage_error(auto&& make) {
  try {
    make();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Topology, NumbersNodesInTheOrderOfItsGroups) {
  const Topology cluster{"mixed",
                         {{.count = 2, .gpus = 4, .gpu_type = "v100", .rack = 0},
                          {.count = 1, .gpus = 8, .gpu_type = "a100", .rack = 3}}};
  EXPECT_EQ(cluster.nodes(), 3U);
  EXPECT_EQ(cluster.total_gpus(), 16);
  EXPECT_EQ(cluster.largest_node(), 8);
  EXPECT_EQ(cluster.gpus(NodeId{1U}), 4);
  EXPECT_EQ(cluster.gpus(NodeId{2U}), 8);
  EXPECT_EQ(cluster.gpu_type(NodeId{1U}), "v100");
  EXPECT_EQ(cluster.gpu_type(NodeId{2U}), "a100");
  EXPECT_EQ(cluster.rack(NodeId{2U}), 3);
  EXPECT_THROW(cluster.rack(NodeId{3U}), Fault);
}

TEST(Topology, RefusesGroupsThatCannotBe) {
  EXPECT_EQ(usage_error([] { Topology{"c", {}}; }), "cluster 'c' has no nodes");
  EXPECT_EQ(usage_error([] {
              Topology{"c", {{.count = 0, .gpus = 8}}};
            }),
            "cluster 'c': a group has 0 nodes, at least 1 is needed");
  EXPECT_EQ(usage_error([] {
              Topology{"c", {{.count = 1, .gpus = 0}}};
            }),
            "cluster 'c': a node has 1 to 64 GPUs, got 0; describe a larger machine as several "
            "nodes");
  EXPECT_EQ(usage_error([] {
              Topology{"c", {{.count = 1, .gpus = 65}}};
            }),
            "cluster 'c': a node has 1 to 64 GPUs, got 65; describe a larger machine as several "
            "nodes");
  EXPECT_EQ(usage_error([] {
              Topology{"c", {{.count = 2'000'000, .gpus = 1}, {.count = 2'000'001, .gpus = 1}}};
            }),
            "cluster 'c': more than 4000000 nodes");
}

TEST(Shorthand, IsNodesTimesGpus) {
  const Topology cluster = parse_cluster_shorthand("64x8").value();
  EXPECT_EQ(cluster.name(), "64x8");
  EXPECT_EQ(cluster.nodes(), 64U);
  EXPECT_EQ(cluster.total_gpus(), 512);
  EXPECT_EQ(cluster.gpu_type(NodeId{0U}), "");
  EXPECT_EQ(cluster.assumption(), "");
}

TEST(Shorthand, MayNameAGpuType) {
  const Topology cluster = parse_cluster_shorthand("32x4:v100").value();
  EXPECT_EQ(cluster.total_gpus(), 128);
  EXPECT_EQ(cluster.gpu_type(NodeId{31U}), "v100");
}

TEST(Shorthand, MayHaveRacks) {
  const Topology cluster = parse_cluster_shorthand("4x16x8").value();
  EXPECT_EQ(cluster.nodes(), 64U);
  EXPECT_EQ(cluster.total_gpus(), 512);
  EXPECT_EQ(cluster.rack(NodeId{15U}), 0);
  EXPECT_EQ(cluster.rack(NodeId{16U}), 1);
  EXPECT_EQ(cluster.rack(NodeId{63U}), 3);
}

// Other shapes are names of files or presets.
TEST(Shorthand, IsNothingElse) {
  for (const char* text : {"", "64", "x", "64x", "x8", "64x8x", "64X8", "64 x 8", "64x8 ", "philly",
                           "a64x8", "64x8.json", "1x2x3x4", "64x8x", "+64x8", "99999999999x8"})
    EXPECT_FALSE(parse_cluster_shorthand(text).has_value()) << text;
}

TEST(Shorthand, RefusesNumbersThatCannotBe) {
  EXPECT_EQ(usage_error([] { parse_cluster_shorthand("0x8"); }),
            "cluster '0x8': a group has 0 nodes, at least 1 is needed");
  EXPECT_EQ(usage_error([] { parse_cluster_shorthand("-1x8"); }),
            "cluster '-1x8': a group has -1 nodes, at least 1 is needed");
  EXPECT_EQ(usage_error([] { parse_cluster_shorthand("8x128"); }),
            "cluster '8x128': a node has 1 to 64 GPUs, got 128; describe a larger machine as "
            "several nodes");
  EXPECT_EQ(usage_error([] { parse_cluster_shorthand("0x4x8"); }),
            "cluster '0x4x8': a cluster has 1 to 100000 racks, got 0");
  EXPECT_EQ(usage_error([] { parse_cluster_shorthand("2147483647x8"); }),
            "cluster '2147483647x8': more than 4000000 nodes");
}

}  // namespace
}  // namespace orrery
