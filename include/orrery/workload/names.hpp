// Interned names (VCs, users, job names, models): index 0 is always the empty name, "the trace does
// not say". Other indices are in the order of first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

class NameTable {
 public:
  NameTable();

  /// The index of `name`, adding it when it is new. A few nanoseconds when it is not.
  std::uint32_t intern(std::string_view name);
  /// The index of `name`, or 0 when it was never interned.
  std::uint32_t find(std::string_view name) const;
  const std::string& operator[](std::uint32_t index) const { return names_[index]; }
  std::size_t size() const { return names_.size(); }
  /// Bytes held, texts included.
  std::size_t bytes() const;

 private:
  struct Slot {
    std::uint32_t tag = 0;    // the upper half of the hash: most misses end here
    std::uint32_t index = 0;  // 0: nobody here, as the empty name is never looked up
  };
  std::size_t slot_of(std::string_view name, std::uint64_t hash) const;
  void grow();

  std::deque<std::string> names_;
  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
};

}  // namespace orrery
