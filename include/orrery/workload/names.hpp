// Interned names (VCs, users, job names, models): index 0 is always the empty name, "the trace does not say".
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace orrery {

class NameTable {
 public:
  NameTable();
  NameTable(const NameTable& other);
  NameTable& operator=(const NameTable& other);
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;
  ~NameTable() = default;

  /// The index of `name`, adding it when it is new.
  std::uint32_t intern(std::string_view name);
  /// The index of `name`, or 0 when it was never interned.
  std::uint32_t find(std::string_view name) const;
  const std::string& operator[](std::uint32_t index) const { return names_[index]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;                             // stable addresses: the map's keys point into it
  std::unordered_map<std::string_view, std::uint32_t> index_;  // looked up, never iterated
};

}  // namespace orrery
