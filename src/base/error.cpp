#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

/// Length in bytes of the well-formed UTF-8 character at the front of `text` (no surrogates, no
/// overlong forms); 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!follows(1) || !follows(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
    if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogate
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;  // overlong
    if (first == 0xF4 && byte(1) > 0x8F) return 0;  // past U+10FFFF
    return 4;
  }
  return 0;
}

/// True for characters that steer a terminal or turn the direction of text around: C0 and C1
/// controls, DEL, line and paragraph separators, bidirectional marks.
bool steers_terminal(std::string_view character) {
  if (character.size() == 1) {
    const auto byte = static_cast<unsigned char>(character[0]);
    return byte < 0x20 || byte == 0x7F;
  }
  if (character.size() == 2) {
    return character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0;
  }
  return (character >= "\xE2\x80\x8E" && character <= "\xE2\x80\x8F") ||
         (character >= "\xE2\x80\xA8" && character <= "\xE2\x80\xAE") ||
         (character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9");
}

/// `text` without anything that a terminal would act on. Whole characters up to `limit` bytes of
/// the input are kept; a cut shows as an ellipsis.
std::string safe_text(std::string_view text, std::size_t limit) {
  std::string out;
  out.reserve(std::min(text.size(), limit) + 4);
  std::size_t used = 0;
  while (used < text.size()) {
    const std::size_t length = utf8_length(text.substr(used));
    const std::string_view character = text.substr(used, std::max<std::size_t>(length, 1));
    if (used + character.size() > limit) {
      out += "…";
      break;
    }
    if (length == 0 || steers_terminal(character)) {
      for (const char c : character) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += character;
    }
    used += character.size();
  }
  return out;
}

/// A word as people mistype it: case and the choice of '-' or '_' do not count.
std::string folded(std::string_view word) {
  std::string out{word};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return out;
}

/// Edit distance where swapping two neighbours counts as one step (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

void ErrorList::add(std::size_t line, std::size_t column, std::string_view message) {
  std::string text = file_;
  if (line != 0) text += ":" + std::to_string(line);
  if (column != 0) text += ":" + std::to_string(column);
  text += ": ";
  text += message;
  lines_.push_back(std::move(text));
  if (lines_.size() >= kLimit) throw_if_any();
}

void ErrorList::throw_if_any() const {
  if (lines_.empty()) return;
  throw InputError(fmt::format("{}", fmt::join(lines_, "\n")));
}

std::string quote(std::string_view text, std::size_t limit) {
  return "'" + safe_text(text, limit) + "'";
}

std::string printable(std::string_view text, std::size_t limit) {
  return safe_text(text, limit);
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  // A slip touches a third of the word at most, and never more than three places.
  constexpr std::size_t kLongestWord = 64;  // the cost is the product of the lengths
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string typed = folded(word);
  std::string best;
  std::size_t best_distance = std::clamp<std::size_t>((typed.size() + 1) / 3, 1, 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(typed, folded(candidate));
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string best = nearest(word, known);
  return best.empty() ? std::string{} : " (did you mean " + quote(best) + "?)";
}

}  // namespace orrery
