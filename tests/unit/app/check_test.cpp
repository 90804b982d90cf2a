// orrery check: scenarios that hold, scenarios that do not, and what is said of them.
#include "support/program.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

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

TEST(Check, JsonHoldsEveryScenario) {
  const Scratch scratch;
  scratch.file("easy.json", kEasy);
  const Said said = orrery({"check", "easy.json", "--json"}, scratch);
  EXPECT_NE(said.out.find("\"passed\": true"), std::string::npos) << said.out;
}

}  // namespace
}  // namespace orrery::test
