// Tables for people and numbers for programs.
#include "orrery/report/summary_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orrery::test {
namespace {

TEST(SummaryText, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345678), "12,345,678");
}

TEST(SummaryText, AlignsByCharactersNotBytes) {
  EXPECT_EQ(aligned({{"é", "1"}, {"ab", "22"}}), "é    1\nab  22\n");
}

TEST(SummaryText, EmptySummaryHasNoNumberThatLooksLikeOne) {
  const std::string text = summary_text({.version = "1",
                                         .trace = "t",
                                         .format = "csv",
                                         .cluster = "c",
                                         .policy = "p",
                                         .placement = "q"},
                                        Summary{});
  EXPECT_NE(text.find("JCT       no job finished\nwaiting   no job finished\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("utilization - · fragmentation -"), std::string::npos) << text;
  EXPECT_NE(text.find("makespan  -\n"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(summary_json(Summary{}));
  EXPECT_TRUE(json["utilization"].is_null());
  EXPECT_TRUE(json["jct_s"]["p50"].is_null());
}

TEST(SummaryText, CausesThatRoundToAPercentAreNamedLargestFirst) {
  Summary summary;
  summary.jct_s.n = 1;
  summary.jct_s.mean = summary.jct_s.p50 = summary.jct_s.p90 = summary.jct_s.p99 =
      summary.jct_s.max = 60;
  summary.wait_s = summary.jct_s;
  summary.wait_by_cause_us[static_cast<std::size_t>(WaitCause::order)] = 30;
  summary.wait_by_cause_us[static_cast<std::size_t>(WaitCause::capacity)] = 969;
  summary.wait_by_cause_us[static_cast<std::size_t>(WaitCause::quota)] = 1;
  const std::string text = summary_text({}, summary);
  EXPECT_NE(text.find("p99 1 m 00 s   capacity 97 %, order 3 %\n"), std::string::npos) << text;
}

TEST(SummaryJson, TakesNamesThatAreNoUtf8) {
  Summary summary;
  summary.by_vc["\xff\xfe"] = {};
  EXPECT_TRUE(nlohmann::json::accept(summary_json(summary)));
}

}  // namespace
}  // namespace orrery::test
