// orrery diff: where two runs part.
#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orrery::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// One node of four: c fits beside a at 2, and fifo makes it wait behind b all the same.
constexpr const char* kJobs = "job_id,submit,gpus,duration\na,0,3,100\nb,1,4,10\nc,2,1,50\n";

void record(const Scratch& scratch, const std::string& folder, const std::string& policy,
            const std::string& more = "") {
  scratch.file("jobs.csv", kJobs);
  const Said said = orrery(
      words("run --trace jobs.csv --cluster 1x4 --policy " + policy + " --out " + folder + more),
      scratch);
  ASSERT_EQ(said.code, 0) << said.err;
}

TEST(Diff, TellsEntryFieldStandingAndSettings) {
  const Scratch scratch;
  record(scratch, "one", "fifo");
  record(scratch, "other", "fifo-skip");
  const Said said = orrery(words("diff one other"), scratch);
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_EQ(said.out, R"(the runs part at entry 2 of their histories: time
A  100 s  finish job a, 3 GPUs on 0:0-2
B  2 s  start job c, 1 GPU on 0:3-3

1 entry in common, the last:
   0 s  start job a, 3 GPUs on 0:0-2

from there on in this instant, A: nothing

from there on in this instant, B:
   2 s  start job c, 1 GPU on 0:3-3

job a after it
A  at 100 s: has ended
B  at 2 s: holds GPUs

job c after it
A  at 100 s: waits (capacity); 0 GPUs free, 0 jobs before it
B  at 2 s: holds GPUs

settings that differ
   policy: A ["fifo"], B ["fifo-skip"]
)");
  const Json told = Json::parse(orrery(words("diff one other --json"), scratch).out);
  EXPECT_EQ(told["same"], false);
  EXPECT_EQ(told["field"], "time");
  EXPECT_EQ(told["b"]["job_id"], "c");
  EXPECT_EQ(told["b"]["time_us"], 2'000'000);
  EXPECT_EQ(told["a"]["verb"], "finish");
}

TEST(Diff, SaysThatRunsAreTheSame) {
  const Scratch scratch;
  record(scratch, "one", "fifo");
  record(scratch, "other", "fifo", " --verify");
  const Said said = orrery(words("diff one other"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("the same: 6 entries, fingerprint ")) << said.out;
  EXPECT_EQ(Json::parse(orrery(words("diff one other --json"), scratch).out)["same"], true);
}

// The decision about job c, changed by hand in what was written: its start, its place, its end.
TEST(Diff, OfFilesNamesThePlantedDecision) {
  const Scratch scratch;
  record(scratch, "one", "fifo", " --attempts --events");
  record(scratch, "other", "fifo", " --attempts");
  Said said = orrery(words("diff one other --files"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, "the same: jobs.csv, attempts.csv, summary.json, manifest.json\n");
  const fs::path attempts = scratch.path() / "other/attempts.csv";
  std::string text = read_whole(attempts);
  const auto place = text.find("0:0-0");
  ASSERT_NE(place, std::string::npos) << text;
  std::ofstream{attempts, std::ios::binary} << text.replace(place, 5, "0:3-3");
  said = orrery(words("diff one other --files"), scratch);
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out, "attempts.csv, line 4, job 'c', allocation: A '0:0-0', B '0:3-3'\n");
}

TEST(Diff, RecordThatDoesNotComeOutAgainIsTold) {
  const Scratch scratch;
  record(scratch, "one", "fifo");
  const fs::path manifest = scratch.path() / "one/manifest.json";
  Json json = Json::parse(read_whole(manifest));
  json["fingerprint"] = "0123456789abcdef";
  std::ofstream{manifest} << json.dump();
  const Said said = orrery(words("diff one one"), scratch);
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.err.find("with fingerprint 0123456789abcdef; run again it has"), std::string::npos)
      << said.err;
}

TEST(Diff, NeedsTwoResultsAndTheirInputs) {
  const Scratch scratch;
  record(scratch, "one", "fifo");
  EXPECT_EQ(orrery(words("diff one"), scratch).code, 2);
  EXPECT_EQ(orrery(words("diff one nowhere"), scratch).code, 4);
  fs::remove(scratch.path() / "jobs.csv");
  EXPECT_EQ(orrery(words("diff one one"), scratch).code, 3);
}

}  // namespace
}  // namespace orrery::test
