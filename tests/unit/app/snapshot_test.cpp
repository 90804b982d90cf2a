// run --snapshot-at, run --resume: a run that goes on from an instant, unchanged or under another
// policy.
#include "support/program.hpp"

#include "orrery/base/random.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace orrery::test {
namespace {

using Json = nlohmann::json;

const std::string kInputs =
    " --trace " ORRERY_SOURCE_DIR "/traces/helios-sample.csv.gz --limit 400 --cluster 6x8 ";

Said run_orrery(const std::string& line, const Scratch& scratch) {
  return orrery(words("run --quiet " + line), scratch);
}

Json read_json(const Scratch& scratch, const std::string& file) {
  return Json::parse(read_whole(scratch.path() / file));
}

/// Records a run under `folder` with a snapshot at `at`.
void record(const Scratch& scratch, const std::string& folder, const std::string& at,
            const std::string& more = "--policy srtf --preempt-cost 30s") {
  const Said said =
      run_orrery(kInputs + more + " --out " + folder + " --snapshot-at " + at, scratch);
  ASSERT_EQ(said.code, 0) << said.err;
}

TEST(Snapshot, AHundredRunsGoOnToTheFingerprintOfTheOneThatNeverStopped) {
  const Scratch scratch;
  RandomStream random{42};
  for (const std::string how :
       {"--policy fifo", "--policy easy --durations oracle", "--policy tiresias --round 10m",
        "--policy srtf --preempt-cost 30s --placement random:3", "--policy las2d --load 2"}) {
    record(scratch, "whole", "0 --force", how);
    const Json whole = read_json(scratch, "whole/manifest.json")["fingerprint"];
    for (int n = 0; n < 20; ++n) {
      const std::string at = std::to_string(random() % 1'500'000);
      record(scratch, "cut", at + " --force --until " + at, how);
      const Said on = run_orrery("--resume cut --json", scratch);
      ASSERT_EQ(on.code, 0) << on.err;
      ASSERT_EQ(Json::parse(on.out)["fingerprint"], whole) << how << " " << at;
    }
  }
}

TEST(Snapshot, ABranchSharesThePastAndIsARunOfItsOwn) {
  const Scratch scratch;
  record(scratch, "first", "5d");
  const Said branch = run_orrery("--resume first --policy easy --durations oracle", scratch);
  EXPECT_EQ(branch.code, 2) << "the past was made without it";
  ASSERT_EQ(run_orrery("--resume first --policy fifo --verify --out other", scratch).code, 0);
  const Said parted = orrery(words("diff first other --json"), scratch);
  EXPECT_EQ(parted.code, 1);
  const Json told = Json::parse(parted.out);
  const Json past = read_json(scratch, "first/snapshot.json")["snapshot"];
  EXPECT_EQ(past["at_us"], 432'000'000'000);
  EXPECT_GE(told["entries_in_common"], past["entries"]);
  EXPECT_GE(told["a"]["time_us"], past["at_us"]);
  EXPECT_GE(told["b"]["time_us"], past["at_us"]);
  EXPECT_EQ(orrery(words("reproduce other"), scratch).code, 0);
  const Json settings = read_json(scratch, "other/manifest.json")["settings"];
  EXPECT_EQ(settings["policy"], Json::array({"srtf"}));
  EXPECT_EQ(settings["takeover"], Json::array({"5d=fifo"}));
  // The branch has a snapshot and a branch of its own.
  ASSERT_EQ(run_orrery("--resume first --policy fifo --snapshot-at 6d --out again", scratch).code,
            0);
  ASSERT_EQ(run_orrery("--resume again --policy sjf --out third", scratch).code, 0);
  EXPECT_EQ(read_json(scratch, "third/manifest.json")["settings"]["takeover"],
            Json::array({"5d=fifo", "6d=sjf"}));
}

TEST(Snapshot, TheSamePolicyIsNoBranch) {
  const Scratch scratch;
  record(scratch, "first", "5d");
  ASSERT_EQ(run_orrery("--resume first --policy srtf --out same", scratch).code, 0);
  EXPECT_EQ(orrery(words("diff first same"), scratch).code, 0);
  EXPECT_EQ(read_json(scratch, "same/manifest.json")["settings"]["takeover"], Json::array());
}

TEST(Snapshot, WhatMadeThePastIsNotToldAnew) {
  const Scratch scratch;
  record(scratch, "first", "5d");
  for (const char* other :
       {"--seed 2", "--cluster 8x8", "--placement count", "--load 2", "--preempt-cost 1s",
        "--limit 3", "--durations history", "--takeover 1d=fifo", "--config first/manifest.json"}) {
    const Said said = run_orrery("--resume first " + std::string{other}, scratch);
    EXPECT_EQ(said.code, 2) << other;
    const std::string option = words(other).front();
    EXPECT_NE(said.err.find(option + " does not go with --resume"), std::string::npos) << said.err;
  }
  const Said early = run_orrery("--resume first --until 4d", scratch);
  EXPECT_EQ(early.code, 2);
  EXPECT_NE(early.err.find("the run ends at 345600 s, before the snapshot's instant of 432000 s"),
            std::string::npos)
      << early.err;
}

TEST(Snapshot, APastThatIsAnotherIsRefused) {
  const Scratch scratch;
  record(scratch, "first", "5d");
  const Json recorded = read_json(scratch, "first/snapshot.json");
  for (const auto& [key, value] :
       {std::pair<const char*, Json>{"entries", 7}, {"fingerprint", "0123456789abcdef"}}) {
    Json changed = recorded;
    changed["snapshot"][key] = value;
    scratch.file("changed.json", changed.dump());
    const Said said = run_orrery("--resume changed.json --out never", scratch);
    EXPECT_EQ(said.code, 3);
    EXPECT_NE(said.err.find("changed.json: this is not the run's past"), std::string::npos)
        << said.err;
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "never" / "manifest.json"));
  }
  Json other_trace = recorded;
  other_trace["inputs"][0]["sha256"] = std::string(64, '0');
  scratch.file("changed.json", other_trace.dump());
  EXPECT_EQ(run_orrery("--resume changed.json", scratch).code, 3);
}

TEST(Snapshot, KindsOfFilesAreToldApart) {
  const Scratch scratch;
  record(scratch, "first", "5d");
  std::filesystem::remove(scratch.path() / "first" / "snapshot.json");
  const auto says = [&](const std::vector<std::string>& line, const std::string& what) {
    const Said said = orrery(line, scratch);
    EXPECT_EQ(said.code, 3);
    EXPECT_NE(said.err.find(what), std::string::npos) << said.err;
  };
  says(words("run --resume first"), "has no snapshot.json");
  says(words("run --resume first/manifest.json"), "is no snapshot");
  record(scratch, "first", "5d --force");
  says(words("reproduce first/snapshot.json"), "orrery run --resume goes on from it");
  EXPECT_EQ(run_orrery(kInputs + "--policy srtf --snapshot-at 5d", scratch).code, 2)
      << "needs a folder";
  EXPECT_EQ(orrery(words("compare --resume first"), scratch).code, 2);
}

TEST(Takeover, OneThatIsNeverReachedIsTold) {
  const Scratch scratch;
  const Said said = orrery(words("run" + kInputs + "--policy srtf --takeover 900d=fifo"), scratch);
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.err.find("the run was over before 900d: fifo decided nothing"), std::string::npos)
      << said.err;
  const Said bad = orrery(words("run" + kInputs + "--policy srtf --takeover fifo"), scratch);
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("--takeover: 'fifo' is not of the form T=SPEC"), std::string::npos)
      << bad.err;
}

}  // namespace
}  // namespace orrery::test
