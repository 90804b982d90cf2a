// orrery check: scenarios that hold, scenarios that do not, and what is said of them.
#include "app/scenario.hpp"
#include "support/program.hpp"

#include "orrery/policy/registry.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>

namespace orrery::test {
namespace {

namespace fs = std::filesystem;

// One node of four GPUs: b waits for a; c fits beside a until 92; d would delay b.
constexpr const char* kEasy = R"({
  "name": "EASY fills the gap and never delays the head of the queue",
  "cluster": "1x4", "policy": "easy", "durations": "oracle",
  "jobs": [{"id": "a", "submit": 0, "gpus": 3, "run": 100}, {"id": "b", "submit": 1, "gpus": 4, "run": 10},
           {"id": "c", "submit": 2, "gpus": 1, "run": 90},  {"id": "d", "submit": 3, "gpus": 1, "run": 98}],
  "expect": {"start": {"b": 100, "c": 2, "d": 110}, "end": {"a": "100s"}, "wait": {"b": 99}, "jct": {"c": 90},
             "nodes": {"b": 1}, "order": ["a", "c", "b", "d"], "jct_s.mean": 126, "preemptions": 0,
             "utilization": {"value": 0.6, "tolerance": 0.2}, "invariants": true,
             "better_than": {"policy": "fifo-skip", "metric": "jct_s.mean", "by": 18}}})";

TEST(Check, TheScenarioOfTheContractHolds) {
  const Scratch scratch;
  scratch.file("easy.json", kEasy);
  const Said said = orrery({"check", "easy.json"}, scratch);
  EXPECT_EQ(said.out, "1 passed, 0 failed\n") << said.err;
  EXPECT_EQ(said.code, 0);
}

TEST(Check, EachFailureIsToldWithExpectedAndGot) {
  const Scratch scratch;
  scratch.file("all/right.json", kEasy);
  scratch.file("all/deep/wrong.json", R"({
    "name": "wrong on purpose", "cluster": "1x1", "policy": "fifo",
    "jobs": [{"id": "a", "gpus": 1, "run": 10}, {"id": "b", "submit": "1s", "gpus": 1, "run": 1}],
    "expect": {"start": {"b": 3}, "end": {"a": null}, "nodes": {"a": 2}, "order": ["b", "a"], "preemptions": 1,
               "jct_s.mean": {"value": 20, "tolerance": 1}, "wait_s.max": null,
               "better_than": [{"policy": "srtf", "metric": "jct_s.mean"}]}})");
  const Said said = orrery({"check", "all", "--junit", "out.xml"}, scratch);
  // a runs 0 to 10, b waits from 1 to 10 and ends at 11: JCTs 10 and 10. Under srtf a is preempted
  // at 1, when 9 s are left, and ends at 11: JCTs 11 and 1.
  EXPECT_EQ(said.out,
            "all/deep/wrong.json: wrong on purpose\n"
            "  jct_s.mean: expected to be better than srtf by 0, got 10.0 against 6.0\n"
            "  end of a: expected never, got 10 s\n"
            "  jct_s.mean: expected 20 (give or take 1), got 10.0\n"
            "  nodes of a: expected 2, got 1\n"
            "  order of starts: expected b a, got a b\n"
            "  preemptions: expected 1, got 0\n"
            "  start of b: expected 3 s, got 10 s\n"
            "  wait_s.max: expected null, got 9.0\n"
            "1 passed, 1 failed\n")
      << said.err;
  EXPECT_EQ(said.code, 1);
  const std::string junit = read_whole(scratch.path() / "out.xml");
  EXPECT_NE(junit.find("tests=\"2\" failures=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("message=\"preemptions: expected 1, got 0\""), std::string::npos) << junit;
}

TEST(Check, FilesNamedInAScenarioStandBesideIt) {
  const Scratch scratch;
  scratch.file("in/jobs.csv", "job_id,submit,gpus,duration\na,0,1,10\nb,0,4,10\n");
  scratch.file("in/c.json", R"({"nodes": [{"gpus": 4}]})");
  scratch.file("in/s.json",
               R"({"name": "from files", "cluster": "c.json", "policy": "fifo", "trace": "jobs.csv",
                               "expect": {"start": {"b": 10}, "jobs.finished": 2}})");
  const Said said = orrery({"check", "in/s.json"}, scratch);
  EXPECT_EQ(said.out, "1 passed, 0 failed\n") << said.err;
}

// `a` starts at 0 under both policies; `b` does not.
TEST(Check, EveryPolicyAndPlacementOfAScenarioIsHeldToIt) {
  const Scratch scratch;
  scratch.file("s.json", R"({"name": "several", "cluster": "1x1", "policy": ["fifo", "srtf"],
    "placement": ["count", "best-fit"],
    "jobs": [{"id": "a", "gpus": 1, "run": 10}, {"id": "b", "submit": 1, "gpus": 1, "run": 2}],
    "expect": {"start": {"a": 0, "b": 10}, "preempted": {"a": 0}, "migrated": {"a": 0}}})");
  const Said said = orrery({"check", "s.json"}, scratch);
  EXPECT_EQ(said.out,
            "s.json: several\n"
            "  srtf + count: preemptions of a: expected 0, got 1\n"
            "  srtf + count: start of b: expected 10 s, got 1 s\n"
            "  srtf + best-fit: preemptions of a: expected 0, got 1\n"
            "  srtf + best-fit: start of b: expected 10 s, got 1 s\n"
            "0 passed, 1 failed\n")
      << said.err;
}

TEST(Check, UpdateWritesWhatWasGotAndTellsWhatMoved) {
  const Scratch scratch;
  scratch.file("right.json", kEasy);
  scratch.file("wrong.json", R"({
  "name": "moved", "cluster": "1x1", "policy": "srtf",
  "jobs": [{"id": "a", "gpus": 1, "run": "10s"}, {"id": "b", "submit": 0.5, "gpus": 1, "run": 2}],
  "expect": {"start": {"b": 10}, "end": {"a": 12, "b": null}, "order": ["b", "a"], "preemptions": 3,
             "jct_s.mean": {"value": 1, "tolerance": 0.25}, "preempted": {"a": 4},
             "better_than": {"policy": "las", "metric": "jct_s.mean", "by": 1000}}})");
  const Said said = orrery({"check", ".", "--update"}, scratch);
  EXPECT_EQ(said.out,
            "./wrong.json: moved: updated\n"
            "  end of b: expected never, got 2.5 s\n"
            "  jct_s.mean: expected 1 (give or take 0.25), got 7.0\n"
            "  order of starts: expected b a, got a b\n"
            "  preemptions of a: expected 4, got 1\n"
            "  preemptions: expected 3, got 1\n"
            "  start of b: expected 10 s, got 0.5 s\n"
            "./wrong.json: moved\n"
            "  jct_s.mean: expected to be better than las by 1000, got 7.0 against 7.0\n"
            "1 passed, 0 updated, 1 failed\n")
      << said.err;
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(read_whole(scratch.path() / "wrong.json"), R"({
  "name": "moved",
  "cluster": "1x1", "policy": "srtf",
  "jobs": [
    {"id": "a", "gpus": 1, "run": "10s"},
    {"id": "b", "submit": 0.5, "gpus": 1, "run": 2}
  ],
  "expect": {
    "start": {"b": 0.5},
    "end": {"a": 12, "b": 2.5},
    "order": ["a", "b"],
    "preemptions": 1,
    "jct_s.mean": {"value": 7.0, "tolerance": 0.25},
    "preempted": {"a": 1},
    "better_than": {"policy": "las", "metric": "jct_s.mean", "by": 1000}
  }
}
)");
  EXPECT_EQ(read_whole(scratch.path() / "right.json"), kEasy) << "what holds is left as it is";
}

// Two policies that do different things cannot both be written down.
TEST(Check, UpdateLeavesWhatIsNotOneValue) {
  const Scratch scratch;
  const std::string text = R"({"name": "two", "cluster": "1x1", "policy": ["fifo", "srtf"],
    "jobs": [{"id": "a", "gpus": 1, "run": 10}, {"id": "b", "submit": 1, "gpus": 1, "run": 2}],
    "expect": {"start": {"b": 10}}})";
  scratch.file("s.json", text);
  const Said said = orrery({"check", "s.json", "--update"}, scratch);
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out,
            "s.json: two\n  srtf + consolidated: start of b: expected 10 s, got 1 s\n"
            "0 passed, 0 updated, 1 failed\n");
  EXPECT_EQ(read_whole(scratch.path() / "s.json"), text);
}

// ---- tests/scenarios: the decisive tests of the policies

std::vector<fs::path> our_scenarios() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(ORRERY_SOURCE_DIR "/tests/scenarios"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  return files;
}

TEST(Scenarios, AllHold) {
  const Scratch scratch;
  const Said said = orrery({"check", ORRERY_SOURCE_DIR "/tests/scenarios"}, scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, std::to_string(our_scenarios().size()) + " passed, 0 failed\n");
  EXPECT_GE(our_scenarios().size(), 40U);
}

TEST(Scenarios, AreLaidOutAsUpdateWritesThem) {
  for (const fs::path& file : our_scenarios())
    EXPECT_EQ(app::scenario_text(nlohmann::ordered_json::parse(read_whole(file))), read_whole(file))
        << file;
}

// What every policy is tested for beside its decisive test.
TEST(Scenarios, EachPolicyHasItsTiesAndItsStarvedJob) {
  std::map<std::string, std::string> names;  // of the scenarios of each policy
  for (const fs::path& file : our_scenarios()) {
    const app::Scenario scenario = app::read_scenario(file.string());
    for (const std::string& policy : scenario.settings.policies)
      names[parse_spec(policy).name] += file.filename().string() + "\n";
  }
  for (const PolicyEntry& entry : policy_table()) {
    const std::string& mine = names[std::string{entry.name}];
    EXPECT_NE(mine.find("tie"), std::string::npos) << entry.name;
    EXPECT_NE(mine.find("starved"), std::string::npos) << entry.name;
  }
}

TEST(Check, JsonHoldsEveryScenario) {
  const Scratch scratch;
  scratch.file("easy.json", kEasy);
  const Said said = orrery({"check", "easy.json", "--json"}, scratch);
  EXPECT_NE(said.out.find("\"passed\": true"), std::string::npos) << said.out;
}

}  // namespace
}  // namespace orrery::test
