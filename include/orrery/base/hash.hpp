// 64-bit mixing: fingerprints, name tables, and random draws that depend on what they are for and
// not on when they are made.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace orrery {

/// Multiply two 64-bit numbers and fold the 128-bit product: one good step of mixing.
constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
/// Mixes one more word into a running hash; the order of the words matters.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  return fold(hash ^ 0x9e3779b97f4a7c15ULL, word ^ 0xd6e8feb86659fd93ULL) + hash;
}
/// Hash of bytes, equal on every machine (words are read little-endian).
inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) {
  std::uint64_t hash = mix(seed, text.size());
  while (text.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    hash = mix(hash, word);
    text.remove_prefix(8);
  }
  std::uint64_t tail = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    tail |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return mix(hash, tail);
}

}  // namespace orrery
