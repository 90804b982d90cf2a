// The commands: what they print.
#include "api/json_file.hpp"
#include "app/settings.hpp"
#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>

namespace orrery::test {
namespace {

using Json = nlohmann::json;

// One node of four: a holds 3 GPUs for 100 s; b (4 GPUs) waits for it from 1 s on, c (1 GPU, 50 s)
// from 2 s on behind b. fifo: b runs 100 to 110, c 110 to 160. JCTs 100, 109, 158; waits 0, 99,
// 108. GPU time 300 + 40 + 50 = 390 of 640; until 2 s 3 of 4 GPUs are held.
constexpr const char* kJobs =
    "job_id,submit,gpus,duration,vc\na,0,3,100,x\nb,1,4,10,y\nc,2,1,50,x\n";

Json summary(const Said& said) {
  return Json::parse(said.out);
}

TEST(Run, PrintsTheTableOfTheContract) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said said = orrery(words("run --trace jobs.csv --cluster 1x4 --policy fifo"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string numbers = said.out.substr(0, said.out.find("engine"));
  EXPECT_EQ(numbers,
            "Orrery 0.1.0 · jobs.csv (csv) · 1x4 · fifo + consolidated · seed 1\n"
            "jobs      3 read · 3 replayed · 3 finished\n"
            "JCT       mean 2 m 02 s   p50 1 m 49 s   p90 2 m 28 s   p99 2 m 37 s   max 2 m 38 s\n"
            "waiting   mean 1 m 09 s   p50 1 m 39 s   p90 1 m 46 s   p99 1 m 47 s   capacity 53 %, "
            "order 47 %\n"
            "GPUs      4 · utilization 0.61 (0.75 while jobs arrive) · fragmentation 0.00 · 0 "
            "preemptions\n"
            "makespan  2 m 40 s\n");
  EXPECT_TRUE(std::regex_match(
      said.out.substr(numbers.size()),
      std::regex{"engine    6 events · \\d\\.\\d\\d s · [0-9.]+ [kMG]? ?events/s · \\d+ MiB · "
                 "fingerprint [0-9a-f]{4}…[0-9a-f]{2}\n"}))
      << said.out;
}

TEST(Run, JsonIsSummaryJson) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Json got =
      summary(orrery(words("run --trace jobs.csv --cluster 1x4 --policy fifo --json"), scratch));
  EXPECT_EQ(got["jobs"]["finished"], 3);
  EXPECT_DOUBLE_EQ(got["jct_s"]["mean"], (100 + 109 + 158) / 3.0);
  EXPECT_EQ(got["jct_s"]["p50"], 109);
  EXPECT_DOUBLE_EQ(got["jct_s"]["p90"], 109 + 0.8 * (158 - 109));  // rank 0.9 * 2 = 1.8
  EXPECT_EQ(got["makespan_s"], 160);
  EXPECT_EQ(got["gpu_time_s"]["capacity"], 640);
  EXPECT_EQ(got["gpu_time_s"]["busy"], 390);
  EXPECT_EQ(got["gpu_time_s"]["idle"], 250);
  EXPECT_DOUBLE_EQ(got["utilization"], 390 / 640.0);
  EXPECT_DOUBLE_EQ(got["utilization_while_arriving"], 0.75);
  EXPECT_DOUBLE_EQ(got["slowdown"]["mean"], (1 + 10.9 + 158 / 50.0) / 3);
  EXPECT_EQ(got["by_vc"]["x"]["jobs"], 2);
  EXPECT_EQ(got["by_vc"]["x"]["gpu_time_s"], 350);
  EXPECT_EQ(got["by_size"]["4"]["jct_s"]["mean"], 109);
}

// C064: statistics over no finished job are null with a count of 0, in every place.
TEST(Run, NothingFinishedGivesNullAndACount) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said said =
      orrery(words("run --trace jobs.csv --cluster 1x4 --policy fifo --until 5 --json"), scratch);
  const Json got = summary(said);
  EXPECT_EQ(got["jobs"]["unfinished"], 3);
  EXPECT_TRUE(got["jct_s"]["mean"].is_null());
  EXPECT_EQ(got["jct_s"]["n"], 0);
  EXPECT_TRUE(got["makespan_s"].is_null());
  EXPECT_EQ(got["gpu_time_s"]["capacity"], 20);
  for (const char* word : {"NaN", "nan", "Infinity", "inf"})
    EXPECT_EQ(said.out.find(word), std::string::npos) << word;
  const Said text =
      orrery(words("run --trace jobs.csv --cluster 1x4 --policy fifo --until 5"), scratch);
  EXPECT_NE(text.out.find("JCT       no job finished"), std::string::npos) << text.out;
}

// C013: a trace without a calendar has no dates.
TEST(Run, RelativeTimesStayRelative) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said said = orrery(
      words("run --trace jobs.csv --cluster 1x4 --policy fifo --out r --events --timeline 10s"),
      scratch);
  ASSERT_EQ(said.code, 0) << said.err;
  for (const char* name : {"manifest.json", "jobs.csv", "summary.json", "timeline.csv"})
    EXPECT_EQ(read_whole(scratch.path() / "r" / name).find("1970"), std::string::npos) << name;
  EXPECT_EQ((said.out + said.err).find("1970"), std::string::npos);
}

TEST(Run, MeasureRestrictsTheStatisticsAndNotTheRun) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const std::string line = "run --trace jobs.csv --cluster 1x4 --policy fifo --json --measure ";
  const Json ranks = summary(orrery(words(line + "#1..#3"), scratch));
  EXPECT_EQ(ranks["jobs"]["measured"], 2);
  EXPECT_DOUBLE_EQ(ranks["jct_s"]["mean"], (109 + 158) / 2.0);
  const Json times = summary(orrery(words(line + "2.."), scratch));
  EXPECT_EQ(times["jobs"]["measured"], 1);
  EXPECT_EQ(times["jct_s"]["mean"], 158);
  EXPECT_EQ(times["fingerprint"], ranks["fingerprint"]);
  EXPECT_EQ(times["gpu_time_s"]["capacity"], 4 * 158);  // from 2 to the last end
}

TEST(Run, SettingsFileSaysTheSameAsTheCommandLine) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const std::string line =
      "run --trace jobs.csv --cluster 1x4 --policy las2d:quantum=20s --round 10s --seed 7 "
      "--placement spread --preempt-cost 500ms --durations noisy:sigma=0.5";
  ASSERT_EQ(orrery(words(line + " --write-config s.json"), scratch).code, 0);
  const Said direct = orrery(words(line + " --json"), scratch);
  const Said by_file = orrery(words("run --config s.json --json"), scratch);
  ASSERT_EQ(by_file.code, 0) << by_file.err;
  EXPECT_EQ(summary(direct)["fingerprint"], summary(by_file)["fingerprint"]);
  ASSERT_EQ(orrery(words("run --config s.json --write-config t.json"), scratch).code, 0);
  EXPECT_EQ(read_whole(scratch.path() / "s.json"), read_whole(scratch.path() / "t.json"));
  const Json other = summary(orrery(words("run --config s.json --policy fifo --json"), scratch));
  EXPECT_NE(other["fingerprint"], summary(direct)["fingerprint"]);  // the command line wins
}

TEST(Settings, TheSchemaHasThemAllAndNoMore) {
  const Json schema = Json::parse(schema_text("settings"));
  std::vector<std::string> published;
  for (const auto& [key, unused] : schema["properties"].items())
    if (key != "$schema") published.push_back(key);
  std::vector<std::string> known;
  for (const app::SettingEntry& entry : app::setting_table()) known.push_back(entry.key());
  std::sort(known.begin(), known.end());
  EXPECT_EQ(known, published);
}

TEST(Run, NamesFromDataReachTheTerminalAsEscapes) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration,vc\n\x1b[2Ja,0,9,1,\x1b]0;owned\x07\n");
  const Said said =
      orrery(words("run --trace jobs.csv --cluster 1x4 --policy fifo --vc-mode shared"), scratch);
  EXPECT_EQ((said.out + said.err).find('\x1b'), std::string::npos) << said.err;
}

TEST(Compare, OneRowAPolicyOverTheJobsThatFinishedUnderAll) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said said = orrery(words("compare --trace jobs.csv --cluster 1x4 --policy fifo --policy "
                                 "fifo-skip --until 120 --json --csv table.csv"),
                           scratch);
  ASSERT_EQ(said.code, 0) << said.err;
  // fifo: c starts at 110 and is cut off; fifo-skip: c runs 2 to 52, b 100 to 110.
  const Json got = summary(said);
  EXPECT_EQ(got["jobs_compared"], 2);
  EXPECT_EQ(got["jobs_left_out"], 1);
  EXPECT_DOUBLE_EQ(got["rows"][0]["summary"]["jct_s"]["mean"], 104.5);
  EXPECT_DOUBLE_EQ(got["rows"][1]["summary"]["jct_s"]["mean"], 104.5);
  EXPECT_EQ(got["rows"][1]["change_of_mean_jct"], 0);
  EXPECT_EQ(got["rows"][1]["summary"]["jobs"]["finished"], 3);
  const std::string csv = read_whole(scratch.path() / "table.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "policy,jobs,jct_mean_s,jct_p50_s,jct_p99_s,wait_mean_s,wait_p99_s,utilization,"
            "preemptions,makespan_s,change_of_mean_jct,seconds,load,runs,jct_mean_low_s,"
            "jct_mean_high_s,change_low,change_high,bound_jct_mean_s,bound_makespan_s");
}

TEST(Compare, TheTableDoesNotDependOnTheNumberOfThreads) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const std::string line =
      "compare --trace jobs.csv --cluster 1x4 --policy fifo --policy srtf --policy las2d --policy "
      "tiresias --json --threads ";
  Json one = summary(orrery(words(line + "1"), scratch));
  Json four = summary(orrery(words(line + "4"), scratch));
  for (Json* table : {&one, &four})
    for (Json& row : (*table)["rows"]) row["summary"].erase("engine");
  EXPECT_EQ(one, four);
}

// C023: a policy that goes by walltimes says so where there are none.
TEST(Run, EasyWithoutWalltimesIsTold) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said said =
      orrery(words("run --trace jobs.csv --cluster 1x4 --policy easy --out r"), scratch);
  EXPECT_NE(said.err.find("easy goes by walltimes, and the trace has none"), std::string::npos);
  const Json manifest = Json::parse(read_whole(scratch.path() / "r/manifest.json"));
  EXPECT_NE(manifest["policy_knows"], "") << manifest["policy_knows"];
}

TEST(Lists, NameEveryPolicyPlacementAndPreset) {
  const Scratch scratch;
  const Said policies = orrery(words("policy list"), scratch);
  for (const char* name :
       {"fifo",  "fifo-skip", "sjf",      "sjf-skip",     "svsf",   "svsf-skip", "srtf",
        "srsf",  "las",       "las2d",    "mlfq",         "mlfq2d", "tiresias",  "easy",
        "count", "first-fit", "best-fit", "consolidated", "spread", "random"})
    EXPECT_NE(policies.out.find(std::string{"\n"} + name + " "), std::string::npos) << name;
  EXPECT_EQ(summary(orrery(words("policy list --json"), scratch)).size(), 15U);
  const Said clusters = orrery(words("cluster list"), scratch);
  for (const char* name :
       {"philly", "philly-352x8", "helios-venus", "helios-earth", "helios-saturn", "helios-uranus",
        "acme-seren", "acme-kalos", "openb", "pai"})
    EXPECT_NE(clusters.out.find(std::string{"\n"} + name + " "), std::string::npos) << name;
  EXPECT_NE(orrery(words("policy show tiresias"), scratch).out.find("NSDI 2019"),
            std::string::npos);
}

TEST(Lists, ClusterShowJsonIsAClusterFile) {
  const Scratch scratch;
  const Said shown = orrery(words("cluster show helios-venus --json"), scratch);
  scratch.file("c.json", shown.out);
  EXPECT_EQ(orrery(words("cluster show c.json --json"), scratch).out, shown.out);
}

TEST(Run, VerifyTellsHowMuchItChecked) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said said =
      orrery(words("run --trace jobs.csv --cluster 1x4 --policy srtf --verify"), scratch);
  EXPECT_EQ(said.code, 0);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      said.err, found, std::regex{"verified: (\\d+) entries of the event stream, no rule broken"}))
      << said.err;
  EXPECT_GE(std::stoi(found[1]), 12);  // three submits, starts, ends and outcomes at least
}

TEST(Run, DemoNeedsNothing) {
  const Scratch scratch;
  const Said said = orrery(words("run --demo"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find("node 1 gpu 3"), std::string::npos);
  EXPECT_NE(said.out.find("srtf + consolidated"), std::string::npos);
}

}  // namespace
}  // namespace orrery::test
