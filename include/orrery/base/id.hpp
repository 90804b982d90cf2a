// Dense indices that compare only with their own kind.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace orrery {

template <class Tag>
class Id {
 public:
  constexpr explicit Id(std::uint32_t index) : index_{index} {}
  constexpr explicit Id(std::size_t index) : index_{static_cast<std::uint32_t>(index)} {}
  constexpr std::size_t index() const { return index_; }
  constexpr std::uint32_t value() const { return index_; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;

 private:
  std::uint32_t index_;
};

using JobId = Id<struct JobTag>;    ///< dense in canonical order: (submit, id, row)
using NodeId = Id<struct NodeTag>;  ///< dense in the order of the cluster file
using PoolId =
    Id<struct PoolTag>;  ///< nodes that one policy instance schedules: a VC, or the whole cluster

}  // namespace orrery
