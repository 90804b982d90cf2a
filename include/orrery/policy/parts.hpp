// What composes with any order. So far: placement.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/cluster/free_nodes.hpp"
#include "orrery/policy/spec.hpp"

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace orrery {

/// What a job asks of a pool.
struct Demand {
  int gpus = 1;
  std::uint64_t draw = 0;  ///< a random placement's draw: a function of seed, job and its starts so
                           ///< far, never of when it is asked
};

/// So many GPUs of one node.
struct Pick {
  NodeId node;
  int gpus;
  friend bool operator==(const Pick&, const Pick&) = default;
};
using Picks = boost::container::small_vector<Pick, 2>;

/// Chooses free GPUs for a gang. The search for victims is the line's.
class Placement {
 public:
  virtual ~Placement() = default;
  /// Fills `picks` with what the rule chooses, nodes in the order chosen; false and empty when it
  /// finds no room.
  virtual bool place(const FreeNodes& free, const Demand& demand, Picks& picks) const = 0;
  /// Whether place() would find room: cheaper than finding it.
  virtual bool fits(const FreeNodes& free, const Demand& demand) const = 0;
  /// GPUs have no identity: only the count of a pool matters, and place() is never asked.
  virtual bool counts_only() const { return false; }
  /// spread = never on equal nodes: the closed form of semantics.md decides about victims.
  virtual bool closed_form(const FreeNodes&) const { return false; }
  /// "Fits" never becomes true when GPUs are taken or the demand grows: a demand that failed closes
  /// its class.
  virtual bool monotone(const FreeNodes&) const { return true; }
};

struct PlacementEntry {
  std::string_view name, summary, options;
};
std::span<const PlacementEntry> placement_table();
/// By name and options: count, first-fit, best-fit, consolidated[:relax=fewest|any], spread,
/// random[:seed]. `seed` is the run's, used by random where its own is not given. Throws
/// UsageError.
std::shared_ptr<const Placement> make_placement(const Spec& spec, std::uint64_t seed);

}  // namespace orrery
