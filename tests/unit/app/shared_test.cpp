// Whole commands over real traces, with the numbers that other simulators and reference programs
// give.
#include "support/shared.hpp"

#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orrery::test {
namespace {

using Json = nlohmann::json;

Json run_json(const std::filesystem::path& trace, const std::string& rest, Said* whole = nullptr) {
  const Scratch scratch;
  std::vector<std::string> line{"run", "--trace", std::filesystem::absolute(trace).string(),
                                "--json"};
  for (const std::string& word : words(rest)) line.push_back(word);
  const Said said = orrery(line, scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  if (whole != nullptr) *whole = said;
  return Json::parse(said.out);
}

TEST(RealTraces, SrtfOnPhillyAsInSia) {
  ORRERY_SHARED(trace, "data/philly/sia_philly.csv.gz");
  const Json got = run_json(trace, "--cluster 64x8 --policy srtf --placement count");
  EXPECT_EQ(got["jobs"]["finished"], 82247);
  EXPECT_NEAR(got["jct_s"]["mean"], 17375.393, 0.0005);
  EXPECT_EQ(got["preemptions"], 120883);
  EXPECT_EQ(got["migrations"], 0);
}

TEST(RealTraces, FifoOnPhillyAsInSia) {
  ORRERY_SHARED(trace, "data/philly/sia_philly.csv.gz");
  const Json got = run_json(trace, "--cluster 64x8 --policy fifo --placement best-fit");
  EXPECT_NEAR(got["jct_s"]["mean"], 841623.921, 0.0005);
}

TEST(RealTraces, VenusHardlyWaitsAndANoticeSaysSo) {
  ORRERY_SHARED(trace, "data/helios/venus_gpu_jobs_clamped48h.csv.gz");
  Said said;
  const Json got = run_json(trace, "--cluster helios-venus --policy fifo", &said);
  EXPECT_EQ(got["jobs"]["read"], 125303);
  EXPECT_EQ(got["jobs"]["waited"], 386);
  EXPECT_NEAR(got["wait_s"]["mean"], 1.234, 0.0005);
  const double held = got["gpu_time_s"]["busy"], idle = got["gpu_time_s"]["idle"];
  EXPECT_EQ(held + idle, got["gpu_time_s"]["capacity"]);
  EXPECT_NE(said.err.find("only 386 of 125,303 jobs waited (mean wait of all: 1.234 s)"),
            std::string::npos)
      << said.err;
}

}  // namespace
}  // namespace orrery::test
