#include "orrery/base/error.hpp"

#include "orrery/base/check.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace orrery {
namespace {

TEST(Quote, KeepsOrdinaryText) {
  EXPECT_EQ(quote(""), "''");
  EXPECT_EQ(quote("job 7"), "'job 7'");
  EXPECT_EQ(quote("é — 漢 😀"), "'é — 漢 😀'");
  EXPECT_EQ(printable("a|b"), "a|b");
}

TEST(Quote, ShowsWhatWouldSteerATerminal) {
  const std::vector<std::pair<std::string, const char*>> table{
      {"a\nb", R"('a\x0ab')"},
      {"\x1b[31m", R"('\x1b[31m')"},
      {std::string("\0", 1), R"('\x00')"},
      {"\x7f", R"('\x7f')"},
      {"\xc2\x9b", R"('\xc2\x9b')"},           // a control code of two bytes
      {"\xe2\x80\xae", R"('\xe2\x80\xae')"},   // turns the direction of text around
      {"\xe2\x80\xa8", R"('\xe2\x80\xa8')"}};  // line separator
  for (const auto& [text, shown] : table) EXPECT_EQ(quote(text), shown);
}

TEST(Quote, ShowsBytesThatAreNoUtf8) {
  const std::vector<std::pair<std::string, const char*>> table{
      {"\xff", R"('\xff')"},
      {"a\xc3", R"('a\xc3')"},        // cut off
      {"\xc0\x80", R"('\xc0\x80')"},  // overlong
      {"\xe0\x80\x80", R"('\xe0\x80\x80')"},
      {"\xed\xa0\x80", R"('\xed\xa0\x80')"},          // a surrogate
      {"\xf4\x90\x80\x80", R"('\xf4\x90\x80\x80')"},  // past the last character
      {"\xf0\x80\x80\x80", R"('\xf0\x80\x80\x80')"}};
  for (const auto& [text, shown] : table) EXPECT_EQ(quote(text), shown);
}

// A cut falls between characters, never inside one.
TEST(Quote, CutsLongText) {
  EXPECT_EQ(quote("abcdef", 3), "'abc…'");
  EXPECT_EQ(quote("abc", 3), "'abc'");
  EXPECT_EQ(quote("aéé", 4), "'aé…'");
  EXPECT_EQ(quote(std::string(1000, 'x')).size(), 60 + 2 + 3U);
}

// Of any bytes: no control code and nothing longer than four characters a byte.
TEST(Quote, IsSafeForAnyBytes) {
  EXPECT_TRUE(rc::check("safe", [](const std::string& text) {
    const std::string shown = quote(text, 1000);
    RC_ASSERT(
        std::ranges::none_of(shown, [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
    RC_ASSERT(shown.size() <= 4 * text.size() + 2);
  }));
}

TEST(Nearest, FindsATypingSlip) {
  const std::vector<std::string> known{"fifo", "fifo-skip", "sjf",     "srtf",
                                       "srsf", "tiresias",  "best-fit"};
  EXPECT_EQ(nearest("strf", known), "srtf");  // two neighbours swapped are one slip
  EXPECT_EQ(nearest("fif", known), "fifo");
  EXPECT_EQ(nearest("FIFO", known), "fifo");
  EXPECT_EQ(nearest("fifo_skip", known), "fifo-skip");
  EXPECT_EQ(nearest("tirsias", known), "tiresias");
  EXPECT_EQ(nearest("tiersais", known), "tiresias");
  EXPECT_EQ(nearest("bestfit", known), "best-fit");
}

TEST(Nearest, SaysNothingWhenNothingIsNear) {
  const std::vector<std::string> known{"fifo", "sjf", "a"};
  for (const char* word : {"", "gavel", "xyz", "fi", "b"})
    EXPECT_EQ(nearest(word, known), "") << word;
  EXPECT_EQ(nearest(std::string(100'000, 'f'), known), "");
}

TEST(Nearest, MakesAQuestion) {
  EXPECT_EQ(did_you_mean("strf", {"srtf"}), " (did you mean 'srtf'?)");
  EXPECT_EQ(did_you_mean("gavel", {"srtf"}), "");
}

std::string thrown_by(const ErrorList& errors) {
  try {
    errors.throw_if_any();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ErrorList, GathersLinesWithTheirPlaces) {
  ErrorList errors{"jobs.csv"};
  EXPECT_EQ(thrown_by(errors), "nothing");
  errors.add(12, 3, "gpus must be at least 1, got -2");
  errors.add(13, 0, "a field is missing");
  errors.add(0, 0, "no job is left");
  EXPECT_EQ(errors.size(), 3U);
  EXPECT_EQ(thrown_by(errors),
            "jobs.csv:12:3: gpus must be at least 1, got -2\n"
            "jobs.csv:13: a field is missing\n"
            "jobs.csv: no job is left");
}

TEST(ErrorList, GivesUpWhenItIsFull) {
  ErrorList errors{"f"};
  for (std::size_t i = 1; i < ErrorList::kLimit; ++i) errors.add(i, 1, "bad");
  EXPECT_THROW(errors.add(20, 1, "bad"), InputError);
  EXPECT_EQ(errors.size(), 20U);
}

TEST(Check, NamesConditionPlaceAndValues) {
  const int free = -1;
  ORRERY_CHECK(free < 0, "never made");
  try {
    ORRERY_CHECK(free >= 0, "free " + std::to_string(free));
    FAIL();
  } catch (const Fault& fault) {
    const std::string what = fault.what();
    EXPECT_EQ(what.find("fault in Orrery: free >= 0 does not hold at error_test.cpp:"), 0U) << what;
    EXPECT_NE(what.find("(free -1)"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace orrery
