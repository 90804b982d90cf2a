// Random numbers: one named stream a purpose, so that a new draw in one place shifts no other.
// Distributions come from Boost.Random.
#pragma once

#include "orrery/base/hash.hpp"

#include <cstdint>
#include <limits>
#include <string_view>

namespace orrery {

/// splitmix64 as a uniform random bit generator: a value, 8 bytes, equal on every machine.
class RandomStream {
 public:
  using result_type = std::uint64_t;
  explicit constexpr RandomStream(std::uint64_t state) : state_{state} {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  constexpr result_type operator()() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Streams of one seed, by name and, where a draw belongs to one job or run, by number.
class RngStreams {
 public:
  explicit constexpr RngStreams(std::uint64_t seed) : seed_{seed} {}
  RandomStream stream(std::string_view purpose, std::uint64_t number = 0) const {
    return RandomStream{mix(hash_text(purpose, seed_), number)};
  }

 private:
  std::uint64_t seed_;
};

}  // namespace orrery
