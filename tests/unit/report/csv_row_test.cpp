// Rows that every reader takes as they were meant.
#include "report/csv_row.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

std::string row(const std::function<void(CsvRow&)>& fill) {
  CsvRow out;
  fill(out);
  out.end();
  return std::string{out.buffer()};
}

TEST(CsvRow, QuotesOnlyWhatWouldBeMisread) {
  EXPECT_EQ(
      row([](CsvRow& r) {
        r.text("plain").text("").text("a,b").text("say \"hi\"").text("two\nlines").text(" blank ");
      }),
      "plain,,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\" blank \"\n");
}

TEST(CsvRow, NumbersHaveNoLocaleAndNoFalseDigits) {
  EXPECT_EQ(row([](CsvRow& r) {
              r.number(-5)
                  .number(std::optional{0.1})
                  .number(std::optional<double>{})
                  .number(std::optional{1e300});
            }),
            "-5,0.1,,1e+300\n");
}

TEST(CsvRow, SecondsHaveAtMostSixDecimals) {
  EXPECT_EQ(row([](CsvRow& r) {
              r.seconds(0us)
                  .seconds(1us)
                  .seconds(Duration{1500ms})
                  .seconds(kNever)
                  .seconds(at(60s))
                  .seconds(std::optional<Duration>{});
            }),
            "0,0.000001,1.5,,60,\n");
}

TEST(CsvRow, WideSecondsPassSixtyFourBits) {
  const GpuTime::Wide wide =
      (GpuTime::Wide{1} << 64) * 1'000'000 + 250'000;  // 2^64 s and a quarter
  EXPECT_EQ(row([&](CsvRow& r) { r.wide_seconds(wide).wide_seconds(2'500'000); }),
            "18446744073709551616.25,2.5\n");
  EXPECT_EQ(wide_seconds_text(0), "0");
  EXPECT_EQ(wide_seconds_text(-1), "-0.000001");
}

TEST(CsvRow, GrowsForAnyField) {
  const std::string large(1'000'000, '"');
  EXPECT_EQ(row([&](CsvRow& r) { r.text(large).text("x"); }).size(), 2'000'000 + 2 + 3);
}

}  // namespace
}  // namespace orrery::test
