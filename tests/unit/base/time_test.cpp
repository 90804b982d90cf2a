#include "orrery/base/time.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;

constexpr Duration kTooLong = kLongestTime + 1us;

TEST(Time, CeilDivRoundsUpForEitherSign) {
  EXPECT_EQ(ceil_div(6, 3), 2);
  EXPECT_EQ(ceil_div(7, 3), 3);
  EXPECT_EQ(ceil_div(0, 3), 0);
  EXPECT_EQ(ceil_div(-7, 3), -2);
  EXPECT_EQ(ceil_div(-6, 3), -2);
}

TEST(Time, FloatingPointSecondsAreRoundedUp) {
  EXPECT_EQ(duration_rounded_up(1.5), 1'500'000us);
  EXPECT_EQ(duration_rounded_up(1e-9), 1us);
  EXPECT_EQ(duration_rounded_up(0), 0us);
  EXPECT_EQ(duration_rounded_up(-1.5e-6), -1us);
}

// Whatever a model computes, a time stays inside the range.
TEST(Time, FloatingPointSecondsAreCutAtTheLongestTime) {
  EXPECT_EQ(duration_rounded_up(1e300), kLongestTime);
  EXPECT_EQ(duration_rounded_up(-1e300), -kLongestTime);
  EXPECT_EQ(duration_rounded_up(std::numeric_limits<double>::infinity()), kLongestTime);
  EXPECT_THROW(duration_rounded_up(std::nan("")), Fault);
}

TEST(ParseSeconds, ReadsDecimalNumbers) {
  const std::vector<std::pair<const char*, Duration>> table{
      {"0", 0us},
      {"12", 12s},
      {"0.25", 250ms},
      {"-3", -3s},
      {"+3", 3s},
      {"-0", 0us},
      {"2.5e6", 2'500'000s},
      {"25E-1", 2'500ms},
      {"1e+2", 100s},
      {"1.", 1s},
      {".5", 500ms},
      {"000012.500000", 12'500ms},
      {"123456789.123456", 123'456'789'123'456us},
      {"0.000000000000000000000000000000000001e36", 1s},
      {"1000000000000000000000000000000000000e-36", 1s},
      {"0e999999999999999999999", 0us}};
  for (const auto& [text, value] : table) EXPECT_EQ(parse_seconds(text), value) << text;
}

// To the nearest microsecond, halves away from zero, and once: 0.49999... does not become 0.5
// first.
TEST(ParseSeconds, RoundsOnceToTheNearestMicrosecond) {
  const std::vector<std::pair<const char*, Duration>> table{
      {"0.0000004", 0us},
      {"0.0000005", 1us},
      {"-0.0000005", -1us},
      {"0.00000049999999999999999999999999", 0us},
      {"0.00000050000000000000000000000001", 1us},
      {"0.0000014999999999999999999999999999", 1us},
      {"0.0000015", 2us},
      {"0.9999995", 1s},
      {"5e-7", 1us},
      {"4.9e-7", 0us},
      {"0.5e-99", 0us},
      {"9e-999999999999999999999", 0us},
      // What a double cannot hold: 0.1 more than 2^53 microseconds.
      {"9007199254.740993", 9'007'199'254'740'993us}};
  for (const auto& [text, value] : table) EXPECT_EQ(parse_seconds(text), value) << text;
}

TEST(ParseSeconds, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"",   " ",  "-",    "+",     ".",     "-.",  "e5",  "1e",  "1e+", "1.2.3", "1 ",
        " 1", "1s", "0x10", "1,000", "1_000", "nan", "inf", "--1", "+-1", "1e5.5", "١"})
    EXPECT_EQ(parse_seconds(text), std::nullopt) << text;
  EXPECT_EQ(parse_seconds(std::string_view{"1\0", 2}), std::nullopt);
}

// 2^58 us are 288230376151.711744 s. What is larger comes back as one microsecond more, so that the
// caller can say "too large".
TEST(ParseSeconds, SaysThatANumberIsTooLarge) {
  EXPECT_EQ(parse_seconds("288230376151.711744"), kLongestTime);
  EXPECT_EQ(parse_seconds("-288230376151.711744"), -kLongestTime);
  for (const char* text : {"288230376151.711745", "288230376151.7117445", "1e12", "1e300",
                           "1e999999999999999999999", "99999999999999999999999999999999999999"}) {
    EXPECT_EQ(parse_seconds(text), kTooLong) << text;
    EXPECT_EQ(parse_seconds(std::string{"-"} + text), -kTooLong) << text;
  }
}

TEST(ParseDecimal, ReadsOtherUnits) {
  EXPECT_EQ(parse_decimal("40822000000", 1us), 40'822s);
  EXPECT_EQ(parse_decimal("0.6", 1ms), 600us);
  EXPECT_EQ(parse_decimal("0.0006", 1ms), 1us);
  EXPECT_EQ(parse_decimal("0.5", 1us), 1us);
  EXPECT_EQ(parse_decimal("0.4", 1us), 0us);
  EXPECT_EQ(parse_decimal("1.5", 24h), 36h);
  EXPECT_EQ(parse_decimal("0.000011574074074", 24h),
            1s);  // 86400 * 1.1574074074e-5 = 0.99999999999
}

// Whatever is printed reads back as it was.
TEST(ParseSeconds, ReadsEveryPrintedTimeBack) {
  EXPECT_TRUE(rc::check("seconds_text is exact", [] {
    const Duration d{*rc::gen::inRange<std::int64_t>(-micros(kLongestTime), micros(kLongestTime))};
    RC_ASSERT(parse_seconds(seconds_text(d)) == d);
    RC_ASSERT(parse_duration(duration_text(d)) == d);
  }));
}

TEST(ParseDuration, ReadsANumberWithAUnit) {
  const std::vector<std::pair<const char*, Duration>> table{
      {"6m", 6min},    {"3250s", 3250s}, {"1500us", 1500us}, {"1.5h", 90min},
      {"2d", 48h},     {"250ms", 250ms}, {"90", 90s},        {"0.5", 500ms},
      {"1e3s", 1000s}, {"0s", 0s},       {"-1h", -1h}};
  for (const auto& [text, value] : table) EXPECT_EQ(parse_duration(text), value) << text;
}

TEST(ParseDuration, RefusesOtherUnits) {
  for (const char* text : {"6min", "6M", "6 m", "m", "", "1w", "1y", "6sec", "1h30m", "s6"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  EXPECT_EQ(parse_duration("1000000000d"), kTooLong);
}

TEST(SecondsText, HasSixDecimalsAtMostAndNoTrailingZeros) {
  EXPECT_EQ(seconds_text(0us), "0");
  EXPECT_EQ(seconds_text(12'500ms), "12.5");
  EXPECT_EQ(seconds_text(-1us), "-0.000001");
  EXPECT_EQ(seconds_text(100s), "100");
  EXPECT_EQ(seconds_text(1'000'010us), "1.00001");
  EXPECT_EQ(seconds_text(kLongestTime), "288230376151.711744");
  EXPECT_EQ(seconds_text(Duration::min()), "-9223372036854.775808");
  EXPECT_EQ(seconds_text(Duration::max()).size(), 20U);  // its buffer has room for 24
}

TEST(HumanDuration, ShowsTheTwoLargestUnits) {
  const std::vector<std::pair<Duration, const char*>> table{{0us, "0 s"},
                                                            {500us, "0.0005 s"},
                                                            {1'234'567us, "1.234 s"},
                                                            {9'999'999us, "9.999 s"},
                                                            {3s, "3 s"},
                                                            {10'900ms, "10 s"},
                                                            {59'999ms, "59 s"},
                                                            {60s, "1 m 00 s"},
                                                            {1144s, "19 m 04 s"},
                                                            {3599s, "59 m 59 s"},
                                                            {1h, "1 h 00 m"},
                                                            {4h + 49min + 59s, "4 h 49 m"},
                                                            {24h * 3 + 2h, "3 d 02 h"},
                                                            {24h * 117 + 14h + 59min, "117 d 14 h"},
                                                            {-90s, "-1 m 30 s"}};
  for (const auto& [duration, text] : table) EXPECT_EQ(human_duration(duration), text);
}

TEST(DurationText, UsesTheLargestWholeUnit) {
  const std::vector<std::pair<Duration, const char*>> table{
      {6min, "6m"}, {3250s, "3250s"}, {1500us, "1500us"}, {0us, "0s"},
      {24h, "1d"},  {90s, "90s"},     {1h, "1h"},         {2ms, "2ms"}};
  for (const auto& [duration, text] : table) EXPECT_EQ(duration_text(duration), text);
}

// 2000 is a leap year, 1900 is not.
TEST(Calendar, CountsDaysOfTheGregorianCalendar) {
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil(1969, 12, 31), -1);
  EXPECT_EQ(days_from_civil(2000, 3, 1) - days_from_civil(2000, 2, 28), 2);
  EXPECT_EQ(days_from_civil(1900, 3, 1) - days_from_civil(1900, 2, 28), 1);
  EXPECT_EQ(days_from_civil(2017, 10, 7), 17'446);  // 47 * 365 + 12 leap days + 279
}

TEST(Calendar, PrintsDateAndTime) {
  EXPECT_EQ(calendar_text(0), "1970-01-01 00:00:00");
  EXPECT_EQ(calendar_text(-1), "1969-12-31 23:59:59");
  EXPECT_EQ(calendar_text((17'446 * std::int64_t{86'400} + 3610) * 1'000'000 + 999'999),
            "2017-10-07 01:00:10");
}

}  // namespace
}  // namespace orrery
