#include "orrery/workload/names.hpp"

#include "orrery/base/check.hpp"
#include "orrery/base/hash.hpp"

#include <limits>

namespace orrery {
namespace {

constexpr std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

NameTable::NameTable() : names_(1), slots_(16) {}

std::size_t NameTable::slot_of(std::string_view name, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = static_cast<std::size_t>(hash) & mask;
  while (slots_[at].index != 0 &&
         (slots_[at].tag != tag_of(hash) || names_[slots_[at].index] != name)) {
    at = (at + 1) & mask;
  }
  return at;
}

std::uint32_t NameTable::intern(std::string_view name) {
  if (name.empty()) return 0;
  const std::uint64_t hash = hash_text(name);
  std::size_t at = slot_of(name, hash);
  if (slots_[at].index != 0) return slots_[at].index;
  ORRERY_CHECK(names_.size() < std::numeric_limits<std::uint32_t>::max(), "too many names");
  if (names_.size() * 2 > slots_.size()) {
    grow();
    at = slot_of(name, hash);
  }
  const auto index = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  slots_[at] = {.tag = tag_of(hash), .index = index};
  return index;
}

std::uint32_t NameTable::find(std::string_view name) const {
  return name.empty() ? 0 : slots_[slot_of(name, hash_text(name))].index;
}

void NameTable::grow() {
  slots_.assign(slots_.size() * 2, Slot{});
  for (std::size_t i = 1; i < names_.size(); ++i) {
    const std::uint64_t hash = hash_text(names_[i]);
    slots_[slot_of(names_[i], hash)] = {.tag = tag_of(hash),
                                        .index = static_cast<std::uint32_t>(i)};
  }
}

std::size_t NameTable::bytes() const {
  const std::size_t inside = std::string{}.capacity();  // a short text lives inside its string
  std::size_t total = slots_.capacity() * sizeof(Slot) + names_.size() * sizeof(std::string);
  for (const std::string& name : names_) {
    if (name.capacity() > inside) total += name.capacity() + 1;
  }
  return total;
}

}  // namespace orrery
