// orrery policy conform, and what it says of a policy that crashes or never answers.
#include "app/conform.hpp"

#include "support/program.hpp"
#include "unit/conformance/planted.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orrery::test {
namespace {

using Json = nlohmann::ordered_json;

TEST(Conform, ACleanPolicy) {
  const Scratch scratch;
  const Said said = orrery(words("policy conform srtf --workloads 50"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "srtf: 50 workloads, 12 rules, no breach\n");
  const Json json = Json::parse(
      orrery(words("policy conform las:quantum=5s --workloads 50 --seed 9 --json"), scratch).out);
  EXPECT_EQ(json["policy"], "las:quantum=5s");
  EXPECT_EQ(json["workloads"], 50);
  EXPECT_EQ(json["breach"], nullptr);
}

TEST(Conform, UnknownPoliciesAndOptionsAreUsageErrors) {
  const Scratch scratch;
  EXPECT_EQ(orrery(words("policy conform srft"), scratch).code, 2);
  const Said said = orrery(words("policy conform las:quantm=5s"), scratch);
  EXPECT_NE(said.err.find("quantm"), std::string::npos) << said.err;
  EXPECT_EQ(said.code, 2);
}

Json told_of(const PolicyEntry& entry, std::chrono::milliseconds patience) {
  return app::conformance_of(
      {&entry, {}},
      {.policy = std::string{entry.name}, .workloads = 20, .seed = 1, .patience = patience});
}

TEST(Conform, APolicyThatCrashesIsABreachAndNoCrash) {
  const PolicyEntry entry = entry_of<FollowsNothing>("FollowsNothing");
  const Json told = told_of(entry, seconds{60});
  EXPECT_EQ(told["breach"]["rule"], "returns");
  EXPECT_GT(told["breach"]["scenario"]["jobs"].size(), 0U);
}

TEST(Conform, APolicyThatLoopsForEverIsABreachAndNoWait) {
  const PolicyEntry entry = entry_of<LoopsForEver>("LoopsForEver");
  const Json told = told_of(entry, std::chrono::milliseconds{200});
  EXPECT_EQ(told["breach"]["rule"], "returns");
  EXPECT_EQ(told["breach"]["what"], "it did not come back within 0.2 s");
}

// The scenario of a breach is a file that `check` can run.
TEST(Conform, ABreachComesWithAScenario) {
  const PolicyEntry entry = entry_of<ForgetsTheSlope>("ForgetsTheSlope");
  Json told = told_of(entry, seconds{60});
  EXPECT_EQ(told["workloads"], 1);
  EXPECT_EQ(told["breach"]["rule"], "keys");
  Json scenario = told["breach"]["scenario"];
  EXPECT_LE(scenario["jobs"].size(), 6U);
  EXPECT_EQ(scenario["policy"], "ForgetsTheSlope");
  scenario["policy"] = "srtf";  // as that one is in no table
  const Scratch scratch;
  scratch.file("s.json", scenario.dump());
  EXPECT_EQ(orrery(words("check s.json"), scratch).out, "1 passed, 0 failed\n");
}

// ---- check --minimize

// 200 jobs on 64 GPUs, in which fifo is worse than srtf: two on one node show why.
TEST(Minimize, LeavesTheFewJobsThatShowIt) {
  const Scratch scratch;
  scratch.file("t.json", R"({"name": "fifo is better than srtf", "limit": 200, "cluster": "8x8",
    "trace": ")" ORRERY_SOURCE_DIR R"(/traces/helios-sample.csv.gz", "policy": "fifo",
    "expect": {"better_than": {"policy": "srtf", "metric": "jct_s.mean"}}})");
  const Said said = orrery(words("check --minimize t.json -o small.json"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.err.find("2 jobs on 1x1 made of 200 on 8x8"), std::string::npos) << said.err;
  const Json small = Json::parse(read_whole(scratch.path() / "small.json"));
  EXPECT_EQ(small["jobs"].size(), 2U);
  EXPECT_EQ(small["name"], "fifo is better than srtf (minimal)");
  const Said again = orrery(words("check small.json"), scratch);
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.out.find("expected to be better than srtf"), std::string::npos) << again.out;
}

TEST(Minimize, KeepsTheJobsWhoseOrderIsWrong) {
  const Scratch scratch;
  scratch.file("s.json",
               R"({"name": "order", "cluster": "2x2", "policy": "sjf", "placement": "count",
    "jobs": [{"id": "a", "gpus": 4, "run": 10}, {"id": "b", "submit": 1, "gpus": 4, "run": 9},
             {"id": "c", "submit": 2, "gpus": 4, "run": 3}, {"id": "d", "submit": 3, "gpus": 1, "run": 5}],
    "expect": {"order": ["b", "c"], "start": {"d": 0}}})");
  const Said said = orrery(words("check --minimize s.json"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  const Json small = Json::parse(said.out);
  EXPECT_EQ(small["expect"], (Json{{"order", {"b", "c"}}}));
  EXPECT_EQ(small["jobs"].size(), 2U) << said.out;
  EXPECT_EQ(small["cluster"], "1x1");
}

TEST(Minimize, AValueIsNothingToMinimizeFor) {
  const Scratch scratch;
  scratch.file("s.json", R"({"name": "value", "cluster": "1x1", "policy": "fifo",
    "jobs": [{"id": "a", "gpus": 1, "run": 10}], "expect": {"end": {"a": 11}}})");
  const Said said = orrery(words("check --minimize s.json"), scratch);
  EXPECT_EQ(said.code, 2);
  EXPECT_NE(said.err.find("nothing goes wrong that a smaller case can show"), std::string::npos);
}

}  // namespace
}  // namespace orrery::test
