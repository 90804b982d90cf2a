// 64-bit mixing: fingerprints, name tables, and random draws that depend on what they are for and
// not on when they are made.
#pragma once

#include <cstddef>
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
/// The bytes of a text shorter than a word, in its low bytes: a few overlapping loads.
inline std::uint64_t short_word(const char* text, std::size_t size) {
  if (size >= 4) {
    std::uint32_t first = 0, last = 0;
    std::memcpy(&first, text, 4);
    std::memcpy(&last, text + size - 4, 4);
    return first | (std::uint64_t{last} << (8 * (size - 4)));
  }
  if (size == 0) return 0;
  const auto byte = [&](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
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
  return mix(hash, short_word(text.data(), text.size()));
}

}  // namespace orrery
