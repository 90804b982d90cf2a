#include "orrery/cluster/cluster.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <string>
#include <vector>

namespace orrery {
namespace {

constexpr PoolId kPool{0U};
constexpr NodeId kNode{0U};

Cluster one_pool(const Topology& topology) {
  const std::vector<PoolNodes> pools{{.first = NodeId{0U}, .nodes = topology.nodes()}};
  return Cluster{topology, pools};
}

std::string fault(auto&& act) {
  try {
    act();
  } catch (const Fault& error) {
    return error.what();
  }
  return "no fault";
}

TEST(Slice, CountsItsGpus) {
  EXPECT_TRUE(rc::check("count", [](std::uint64_t gpus) {
    const Slice slice{.node = kNode, .gpus = gpus};
    RC_ASSERT(slice.count() == std::popcount(gpus));
  }));
  EXPECT_EQ((Slice{.node = kNode, .gpus = ~std::uint64_t{0}}.count()), 64);
}

TEST(Cluster, TakesTheLowestFreeGpusOfANode) {
  Cluster cluster = one_pool(Topology{"c", {{.count = 2, .gpus = 4}}});
  const Slice a = cluster.take(kPool, kNode, 1);
  const Slice b = cluster.take(kPool, kNode, 2);
  EXPECT_EQ(a.gpus, 0b0001U);
  EXPECT_EQ(b.gpus, 0b0110U);
  cluster.give(kPool, a);
  EXPECT_EQ(cluster.take(kPool, kNode, 2).gpus, 0b1001U);
  EXPECT_EQ(cluster.free_mask(kNode), 0U);
  EXPECT_EQ(cluster.free_mask(NodeId{1U}), 0b1111U);
  EXPECT_EQ(cluster.free(kPool).total_free(), 4);
}

TEST(Cluster, HoldsNodesOf64Gpus) {
  Cluster cluster = one_pool(Topology{"c", {{.count = 1, .gpus = 64}}});
  EXPECT_EQ(cluster.take(kPool, kNode, 64).gpus, ~std::uint64_t{0});
  EXPECT_EQ(cluster.free(kPool).total_free(), 0);
}

TEST(Cluster, NeverGrantsAGpuTwice) {
  Cluster cluster = one_pool(Topology{"c", {{.count = 1, .gpus = 4}}});
  cluster.take(kPool, kNode, 3);
  const std::string what = fault([&] { cluster.take(kPool, kNode, 2); });
  EXPECT_NE(what.find("node 0 lacks 2 free GPUs"), std::string::npos) << what;
  EXPECT_EQ(cluster.free(kPool).free(kNode), 1);
  EXPECT_NE(fault([&] { cluster.take(kPool, kNode, 0); }), "no fault");
}

TEST(Cluster, TakesNoGpuBackTwice) {
  Cluster cluster = one_pool(Topology{"c", {{.count = 1, .gpus = 4}}});
  const Slice slice = cluster.take(kPool, kNode, 2);
  cluster.give(kPool, slice);
  const std::string what = fault([&] { cluster.give(kPool, slice); });
  EXPECT_NE(what.find("node 0 has a GPU given back twice"), std::string::npos) << what;
  EXPECT_EQ(cluster.free_mask(kNode), 0b1111U);
}

// Pools are runs of whole nodes; taking in one leaves the other as it was.
TEST(Cluster, PoolsAreDisjoint) {
  const Topology topology{"c", {{.count = 3, .gpus = 2}}};
  const std::vector<PoolNodes> pools{{.first = NodeId{0U}, .nodes = 1},
                                     {.first = NodeId{1U}, .nodes = 2}};
  Cluster cluster{topology, pools};
  EXPECT_EQ(cluster.free(PoolId{1U}).total_capacity(), 4);
  cluster.take(PoolId{1U}, NodeId{2U}, 2);
  EXPECT_EQ(cluster.free(PoolId{0U}).total_free(), 2);
  EXPECT_EQ(cluster.free(PoolId{1U}).total_free(), 2);
  EXPECT_EQ(cluster.free(PoolId{1U}).free(NodeId{2U}), 0);
}

// Grants of any order: masks are disjoint, and mask and count of a node agree.
TEST(Cluster, GrantsAreDisjoint) {
  EXPECT_TRUE(rc::check("disjoint", [](const std::vector<std::uint8_t>& moves) {
    Cluster cluster = one_pool(Topology{"c", {{.count = 2, .gpus = 8}}});
    std::vector<Slice> held;
    for (const std::uint8_t move : moves) {
      const NodeId node{std::size_t{move} % 2};
      const int gpus = move / 2 % 4 + 1;
      if (move >= 128 && !held.empty()) {
        cluster.give(kPool, held[move % held.size()]);
        held.erase(held.begin() + move % static_cast<std::ptrdiff_t>(held.size()));
      } else if (cluster.free(kPool).free(node) >= gpus) {
        held.push_back(cluster.take(kPool, node, gpus));
        RC_ASSERT(held.back().count() == gpus);
      }
      for (const NodeId each : {NodeId{0U}, NodeId{1U}}) {
        std::uint64_t sum = cluster.free_mask(each);
        for (const Slice& slice : held) {
          if (slice.node != each) continue;
          RC_ASSERT((sum & slice.gpus) == 0U);
          sum |= slice.gpus;
        }
        RC_ASSERT(sum == 0xffU);
        RC_ASSERT(cluster.free(kPool).free(each) == std::popcount(cluster.free_mask(each)));
      }
    }
  }));
}

}  // namespace
}  // namespace orrery
