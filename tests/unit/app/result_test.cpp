// The result folder: what is in it, and that it is whole or absent.
#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <random>
#include <set>

namespace orrery::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// One node of two. a holds a GPU from 0 on; b wants both and, under srtf, takes them from 1 s to
// 3 s; a goes on and ends at 12.
constexpr const char* kJobs =
    "job_id,submit,gpus,duration,user,name,trace_status\n"
    "a,0,1,10,\"one, two\",\"say \"\"hi\"\"\",failed\n"
    "b,1,2,2,=cmd(),x,completed\n";

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST(Result, JobsCsvHasTheColumnsOfTheContractInRowOrder) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said said =
      orrery(words("run --trace jobs.csv --cluster 1x2 --policy srtf --out r"), scratch);
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(read_whole(scratch.path() / "r/jobs.csv"),
            "job_id,user,vc,name,model,gpus,submit_s,start_s,end_s,status,trace_status,jct_s,wait_"
            "s,run_s,"
            "overhead_s,gpu_time_s,preemptions,migrations,resizes,slowdown,energy_j,nodes,recorded_"
            "wait_s,"
            "wait_hold_s,wait_preempted_s,wait_quota_s,wait_type_s,wait_capacity_s,wait_host_s,"
            "wait_fragmented_s,wait_order_s\n"
            "a,\"one, two\",,\"say "
            "\"\"hi\"\"\",,1,0,0,12,finished,failed,12,2,10,0,10,1,0,0,1.2,,1,,0,2,0,0,"
            "0,0,0,0\n"
            "b,=cmd(),,x,,2,1,1,3,finished,completed,2,0,2,0,4,0,0,0,1,,1,,0,0,0,0,0,0,0,0\n");
}

TEST(Result, AttemptsAndTimelineAreExact) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  ASSERT_EQ(orrery(words("run --trace jobs.csv --cluster 1x2 --policy srtf --out r --attempts "
                         "--timeline 5s --events"),
                   scratch)
                .code,
            0);
  EXPECT_EQ(read_whole(scratch.path() / "r/attempts.csv"),
            "job_id,start_s,end_s,why_ended,gpus,allocation\n"
            "a,0,1,preempted,1,0:0-0\n"
            "b,1,3,finished,2,0:0-1\n"
            "a,3,12,finished,1,0:0-0\n");
  // [0, 5): 1 GPU for a second, 2 for two seconds, 1 for two: 7 of 5 s; a waits 2 s of it. The last
  // step is whole although a ends at 12.
  EXPECT_EQ(read_whole(scratch.path() / "r/timeline.csv"),
            "time_s,gpus_total,gpus_busy,gpus_down,jobs_waiting,jobs_running,gpus_wanted,power_w\n"
            "0,2,1.4,0,0.4,1,1.8,\n"
            "5,2,1,0,0,1,1,\n"
            "10,2,0.4,0,0,0.4,0.4,\n");
  EXPECT_TRUE(fs::exists(scratch.path() / "r/events.jsonl.zst"));
}

// C067: half-open intervals, exact integrals, never above the GPUs there are.
TEST(Result, TimelineBooksNoGpuTwice) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\n1,0,1,60\n2,60,1,60\n3,120,1,20\n");
  ASSERT_EQ(orrery(words("run --trace jobs.csv --cluster 1x1 --policy fifo --out r --timeline 1m"),
                   scratch)
                .code,
            0);
  EXPECT_EQ(read_whole(scratch.path() / "r/timeline.csv"),
            "time_s,gpus_total,gpus_busy,gpus_down,jobs_waiting,jobs_running,gpus_wanted,power_w\n"
            "0,1,1,0,0,1,1,\n"
            "60,1,1,0,0,1,1,\n"
            "120,1,0.333333,0,0,0.333333,0.333333,\n");
}

TEST(Result, ManifestTellsWhatTheRunWasMadeOf) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  scratch.file("c.json", R"({"nodes": [{"gpus": 2}]})");
  const Said said =
      orrery(words("run --trace jobs.csv --cluster c.json --policy srtf --seed 9 --out r --json"),
             scratch);
  ASSERT_EQ(said.code, 0) << said.err;
  const Json manifest = Json::parse(read_whole(scratch.path() / "r/manifest.json"));
  EXPECT_EQ(manifest["argv"][1], "run");
  EXPECT_EQ(manifest["settings"]["policy"], Json::array({"srtf"}));
  EXPECT_EQ(manifest["settings"]["placement"], "consolidated");
  EXPECT_EQ(manifest["settings"]["vc_mode"], "static");
  EXPECT_EQ(manifest["seed"], 9);
  EXPECT_EQ(manifest["inputs"].size(), 2U);
  EXPECT_EQ(manifest["inputs"][0]["sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(manifest["jobs"]["read"], 2);
  EXPECT_EQ(manifest["fingerprint"], Json::parse(said.out)["fingerprint"]);
  EXPECT_EQ(read_whole(scratch.path() / "r/summary.json"), said.out);
}

// C080: folders are made; a result is not overwritten without being asked, and never mixed.
TEST(Result, FolderIsMadeOnceAndReplacedOnlyByForce) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const std::string line = "run --trace jobs.csv --cluster 1x2 --policy srtf --out out/deep/er";
  EXPECT_EQ(orrery(words(line + " --attempts"), scratch).code, 0);
  EXPECT_EQ(orrery(words(line), scratch).code, 2);
  EXPECT_EQ(orrery(words(line + " --force"), scratch).code, 0);
  EXPECT_EQ(names_in(scratch.path() / "out/deep/er"),
            (std::set<std::string>{"jobs.csv", "manifest.json", "summary.json"}));
}

TEST(Result, FailedRunLeavesNothingBehind) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\na,0,x,1\n");
  EXPECT_EQ(
      orrery(words("run --trace jobs.csv --cluster 1x2 --policy srtf --out r --events"), scratch)
          .code,
      3);
  EXPECT_EQ(names_in(scratch.path() / "r"), std::set<std::string>{});
}

TEST(Result, SymbolicLinksInTheFolderAreReplacedAndNotFollowed) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  scratch.file("precious", "untouched");
  fs::create_directory(scratch.path() / "r");
  fs::create_symlink("../precious", scratch.path() / "r/jobs.csv");
  EXPECT_EQ(
      orrery(words("run --trace jobs.csv --cluster 1x2 --policy srtf --out r --force"), scratch)
          .code,
      0);
  EXPECT_EQ(read_whole(scratch.path() / "precious"), "untouched");
  EXPECT_FALSE(fs::is_symlink(scratch.path() / "r/jobs.csv"));
}

TEST(Result, FullDiskIsAnErrorOfTheEnvironment) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const std::string line = std::string{ORRERY_PROGRAM} + " run --trace " + (scratch / "jobs.csv") +
                           " --cluster 1x2 --policy srtf > /dev/full 2>" + (scratch / "err");
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 4);
  EXPECT_EQ(read_whole(scratch.path() / "err").find("standard output cannot be written"), 0U)
      << read_whole(scratch.path() / "err");
}

// Killed at any instant: each file is whole or absent, a manifest stands only beside the rest, and
// the next run into the same folder needs no help.
TEST(Result, KillAtAnyInstantLeavesWholeFilesOrNone) {
  const Scratch scratch;
  std::string jobs = "job_id,submit,gpus,duration\n";
  for (int i = 0; i < 60000; ++i)
    jobs +=
        std::to_string(i) + "," + std::to_string(i * 3) + ",1," + std::to_string(1 + i % 50) + "\n";
  scratch.file("jobs.csv", jobs);
  const std::string line =
      "run --trace jobs.csv --cluster 4x8 --policy srtf --events --attempts --out ";
  ASSERT_EQ(orrery(words(line + "whole"), scratch).code, 0);
  const auto whole = names_in(scratch.path() / "whole");
  std::mt19937 draw{1};
  int killed = 0;
  for (int round = 0; round < 25; ++round) {
    const std::string folder = "r" + std::to_string(round);
    const pid_t child = start_orrery(words(line + folder), scratch.path());
    usleep(std::uniform_int_distribution<useconds_t>{0, 250000}(draw));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
    const fs::path path = scratch.path() / folder;
    for (const std::string& name : names_in(path)) {
      if (name.starts_with(".orrery-")) continue;
      if (name == "manifest.json" || name == "summary.json") continue;  // they hold clock times
      EXPECT_EQ(read_whole(path / name), read_whole(scratch.path() / "whole" / name)) << name;
    }
    if (names_in(path).contains("manifest.json")) {
      for (const std::string& name : whole) EXPECT_TRUE(fs::exists(path / name)) << name;
    }
    const bool was_whole = names_in(path).contains("manifest.json");
    const bool had_files = std::ranges::any_of(
        names_in(path), [](const std::string& name) { return !name.starts_with(".orrery-"); });
    const Said again = orrery(words(line + folder), scratch);
    EXPECT_EQ(again.code, was_whole || had_files ? 2 : 0) << again.err;
  }
  EXPECT_GT(killed, 5);  // or the test has seen nothing
}

// What was asked for stops in good order: no result, and the exit code of the signal.
TEST(Result, TerminatedRunWritesNoResult) {
  const Scratch scratch;
  std::string jobs = "job_id,submit,gpus,duration\n";
  for (int i = 0; i < 400000; ++i)
    jobs +=
        std::to_string(i) + "," + std::to_string(i) + ",1," + std::to_string(100 + i % 1000) + "\n";
  scratch.file("jobs.csv", jobs);
  const pid_t child =
      start_orrery(words("run --trace jobs.csv --cluster 1x8 --policy las2d:quantum=1s --out r"),
                   scratch.path());
  while (names_in(scratch.path() / "r").empty() && fs::exists(scratch.path() / "r") == false)
    usleep(1000);
  usleep(
      700000);  // the trace is read by then, or the default action ends the program: both are fine
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE((WIFEXITED(status) && WEXITSTATUS(status) == 143) ||
              (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM));
  for (const std::string& name : names_in(scratch.path() / "r"))
    EXPECT_TRUE(name.starts_with(".orrery-")) << name;
}

}  // namespace
}  // namespace orrery::test
