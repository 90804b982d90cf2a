#include "orrery/cluster/free_nodes.hpp"

#include "orrery/base/check.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace orrery {
/// The first set bit at or after `from`, or nothing.
std::optional<std::size_t> BitSet::scan(const std::vector<std::uint64_t>& words, std::size_t from) {
  std::size_t w = word(from);
  if (w >= words.size()) return std::nullopt;
  std::uint64_t rest = words[w] & (~std::uint64_t{0} << (from & 63));
  while (rest == 0) {
    if (++w == words.size()) return std::nullopt;
    rest = words[w];
  }
  return (w << 6) + lowest(rest);
}

BitSet::BitSet(std::size_t size)
    : low_((size + 63) / 64), mid_((low_.size() + 63) / 64), top_((mid_.size() + 63) / 64) {}

std::optional<std::size_t> BitSet::next(std::size_t from) const {
  if (word(from) >= low_.size()) return std::nullopt;
  const std::uint64_t here = low_[word(from)] & (~std::uint64_t{0} << (from & 63));
  if (here != 0) return (word(from) << 6) + lowest(here);
  const auto l = scan(mid_, word(from) + 1);
  if (!l) return std::nullopt;
  return (*l << 6) + lowest(low_[*l]);
}

std::size_t BitSet::nth(std::size_t k) const {
  for (std::size_t w = 0;; ++w) {
    const auto here = static_cast<std::size_t>(std::popcount(low_[w]));
    if (k >= here) {
      k -= here;
      continue;
    }
    std::uint64_t bits = low_[w];
    while (k-- > 0) bits &= bits - 1;
    return (w << 6) + lowest(bits);
  }
}

FreeNodes::FreeNodes(NodeId first, std::vector<std::uint8_t> gpus)
    : first_{first}, capacity_{std::move(gpus)}, free_{capacity_}, group_of_(capacity_.size()) {
  std::vector<std::uint8_t> sizes{capacity_};
  std::ranges::sort(sizes, std::greater{});
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  for (const std::uint8_t size : sizes) {
    groups_.push_back({.capacity = size, .with_free = {}});
    groups_.back().with_free.assign(std::size_t{size} + 1, BitSet{capacity_.size()});
  }
  for (std::size_t i = 0; i < capacity_.size(); ++i) {
    const auto group =
        static_cast<std::size_t>(std::ranges::find(sizes, capacity_[i]) - sizes.begin());
    group_of_[i] = static_cast<std::uint8_t>(group);
    groups_[group].with_free[capacity_[i]].insert(i);
    groups_[group].some_free |= std::uint64_t{1} << (capacity_[i] - 1);
    total_capacity_ += capacity_[i];
  }
  total_free_ = total_capacity_;
  largest_ = sizes.empty() ? 0 : sizes.front();
}

int FreeNodes::most_free() const {
  int most = 0;
  for (const Group& group : groups_)
    most = std::max(most, static_cast<int>(std::bit_width(group.some_free)));
  return most;
}

}  // namespace orrery
