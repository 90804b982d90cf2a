// orrery compare: seeds, loads, intervals, bounds, folders.
#include "support/program.hpp"
#include "support/shared.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>

namespace orrery::test {
namespace {

using Json = nlohmann::json;

Json compared(const std::string& line, const Scratch& scratch) {
  const Said said = orrery(words("compare --json " + line), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  return said.code == 0 ? Json::parse(said.out) : Json{};
}

/// Without what a run measures of itself.
Json without_times(Json comparison) {
  for (Json& row : comparison["rows"]) row["summary"].erase("engine");
  return comparison;
}

TEST(Compare, APolicyAgainstItselfIsNotDistinguishable) {
  const Scratch scratch;
  ASSERT_EQ(orrery(words("trace generate --jobs 500 --gpus 128 -o t.json"), scratch).code, 0);
  for (const char* trace : {"t.json", "like:philly:jobs=200"}) {
    const std::string line =
        std::string{"--cluster 16x8 --policy fifo --policy fifo --seeds 20 --trace "} + trace;
    const Json got = compared(line, scratch);
    EXPECT_EQ(got["rows"][1]["runs"], 20);
    EXPECT_EQ(got["rows"][1]["change_of_mean_jct"], 0);
    EXPECT_EQ(got["rows"][1]["change_interval"], Json({0.0, 0.0}));
    EXPECT_EQ(got["rows"][1]["distinguishable"], false);
    const Said said = orrery(words("compare " + line), scratch);
    EXPECT_TRUE(std::regex_search(
        said.out,
        std::regex{"\nfifo \\(2\\) .*\\+0\\.0 % \\(\\+0\\.0 to \\+0\\.0\\), not distinguishable"}))
        << said.out;
  }
}

TEST(Compare, AClearDifferenceIsOne) {
  const Scratch scratch;
  const Json got = compared(
      "--trace like:philly:jobs=400 --cluster 8x8 --policy fifo --policy srtf --seeds 10", scratch);
  EXPECT_EQ(got["rows"][1]["distinguishable"], true);
  EXPECT_LT(got["rows"][1]["change_interval"][1], 0);
  EXPECT_EQ(got["loads"][0]["traces"], 10);
  EXPECT_EQ(got["loads"][0]["intervals"], "Student's t over traces");
  for (const Json& row : got["rows"])
    EXPECT_GE(row["jct_mean_s"], got["loads"][0]["bounds"]["jct_mean_s"]);
}

TEST(Compare, NothingDependsOnTheNumberOfThreads) {
  const Scratch scratch;
  for (const char* trace : {"like:helios:jobs=150", "like:philly:jobs=150 --placement random"}) {
    const std::string line =
        std::string{
            "--cluster 8x8 --policy fifo --policy las2d:quantum=1h "
            "--policy srtf --seeds 3 --loads 0.5,1,2 --trace "} +
        trace;
    const Json one = compared(line + " --threads 1 --out one", scratch);
    const Json many = compared(line + " --threads 7 --out many", scratch);
    EXPECT_EQ(without_times(one), without_times(many));
    EXPECT_EQ(one["rows"].size(), 9U);
    EXPECT_EQ(read_whole(scratch.path() / "one/runs/02-las2d-quantum-1h/jobs.csv"),
              read_whole(scratch.path() / "many/runs/02-las2d-quantum-1h/jobs.csv"));
    std::filesystem::remove_all(scratch.path() / "one");
    std::filesystem::remove_all(scratch.path() / "many");
  }
}

TEST(Compare, LoadsDivideTheGapsBetweenArrivals) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\na,0,4,10\nb,8,4,10\n");
  const Json got =
      compared("--trace jobs.csv --cluster 1x4 --policy fifo --policy srtf --loads 1,2", scratch);
  EXPECT_EQ(got["rows"][0]["load"], 1);
  EXPECT_EQ(got["rows"][0]["jct_mean_s"], 11);  // b waits from 8 to 10
  EXPECT_EQ(got["rows"][2]["load"], 2);
  EXPECT_EQ(got["rows"][2]["jct_mean_s"], 13);  // and from 4 to 10
}

TEST(Compare, TinyCasesShowTheBestThereIs) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\na,0,4,10\nb,0,4,2\n");
  const Json got = compared("--trace jobs.csv --cluster 1x4 --policy fifo --policy sjf", scratch);
  const Json& bounds = got["loads"][0]["bounds"];
  EXPECT_EQ(bounds["best_jct_mean_s"], 7);  // b first: 2 and 12
  EXPECT_EQ(bounds["jct_mean_s"], 7);
  EXPECT_EQ(bounds["makespan_s"], 12);
  EXPECT_EQ(got["rows"][0]["jct_mean_s"], 11);
  EXPECT_EQ(got["rows"][1]["jct_mean_s"], 7);
  EXPECT_TRUE(got["rows"][1]["change_interval"].is_null()) << "two jobs have no interval";
}

// In static mode each VC is bounded by its own GPUs: x has one GPU for two jobs of 10 s.
TEST(Compare, BoundsKnowStaticVcs) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration,vc\na,0,1,10,x\nb,0,1,10,x\nc,0,1,10,y\n");
  scratch.file("vcs.csv", "vc,gpus\nx,1\ny,3\n");
  const std::string line =
      "--trace jobs.csv --cluster 4x1 --vc-sizes vcs.csv --policy fifo --policy sjf";
  EXPECT_EQ(compared(line, scratch)["loads"][0]["bounds"]["makespan_s"], 20);
  EXPECT_EQ(compared(line + " --vc-mode shared", scratch)["loads"][0]["bounds"]["makespan_s"], 10);
}

TEST(Compare, WritesMarkdownLatexAndCsv) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\na,0,4,10\nb,8,4,10\n");
  const std::string line = "compare --trace jobs.csv --cluster 1x4 --policy fifo --policy srtf ";
  ASSERT_EQ(orrery(words(line + "--markdown t.md --latex t.tex --csv t.csv"), scratch).code, 0);
  EXPECT_NE(read_whole(scratch.path() / "t.md").find("\n| policy | jobs |"), std::string::npos);
  EXPECT_NE(read_whole(scratch.path() / "t.tex").find("\\toprule"), std::string::npos);
  EXPECT_EQ(orrery(words(line + "--markdown -"), scratch).out.find("| policy"),
            read_whole(scratch.path() / "t.md").find("| policy"));
}

TEST(Compare, TheFolderHoldsTheFirstRunOfEachPolicy) {
  const Scratch scratch;
  const std::string line =
      "compare --quiet --trace like:philly:jobs=100 --cluster 8x8 --policy fifo --policy "
      "las2d:quantum=1h --seeds 2 --attempts --out c";
  ASSERT_EQ(orrery(words(line), scratch).code, 0);
  for (const char* name : {"comparison.json", "comparison.csv", "manifest.json",
                           "runs/01-fifo/summary.json", "runs/02-las2d-quantum-1h/attempts.csv"})
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "c" / name)) << name;
  const Json manifest = Json::parse(read_whole(scratch.path() / "c/manifest.json"));
  EXPECT_EQ(manifest["kind"], "comparison");
  EXPECT_EQ(manifest["runs"][1]["folder"], "runs/02-las2d-quantum-1h");
  const Said again = orrery(words("reproduce c/runs/02-las2d-quantum-1h"), scratch);
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  const Said whole = orrery(words("reproduce c"), scratch);
  EXPECT_EQ(whole.code, 3);
  EXPECT_NE(whole.err.find("is the manifest of a comparison: name one of its runs"),
            std::string::npos)
      << whole.err;
  EXPECT_EQ(orrery(words(line), scratch).code, 2) << "the folder is not empty";
  EXPECT_EQ(orrery(words(line + " --force"), scratch).code, 0);
}

TEST(Compare, OneSeedOfSomethingRandomIsTold) {
  const Scratch scratch;
  const std::string line =
      "compare --trace like:philly:jobs=100 --cluster 8x8 --policy fifo --policy srtf --placement "
      "random";
  EXPECT_NE(orrery(words(line), scratch).err.find("results depend on the seed"), std::string::npos);
  EXPECT_EQ(orrery(words(line + " --seeds 5"), scratch).err.find("results depend on the seed"),
            std::string::npos);
}

// An honest interval at 95 % sees a difference where there is none once in twenty.
TEST(CompareSelfTest, FalseAlarmsAreAboutOneInTwenty) {
  const Scratch scratch;
  for (const char* line :
       {"--trace like:philly:jobs=120 --cluster 4x8 --policy srtf --seeds 8",
        "--trace like:helios:jobs=300 --cluster 8x8 --policy fifo --placement random --seeds 5"}) {
    const Json got = compared(std::string{"--self-test 100 --quiet "} + line, scratch);
    EXPECT_EQ(got["tests"], 100);
    EXPECT_EQ(got["without_interval"], 0);
    // Above one in twenty by more than four deviations of 100 tests would be a dishonest interval.
    EXPECT_LE(got["alarm_rate"], 0.14) << line;
  }
}

TEST(CompareSelfTest, NoSeedMattersToADeterministicPolicy) {
  const Scratch scratch;
  ASSERT_EQ(orrery(words("trace generate --jobs 100 -o t.json"), scratch).code, 0);
  const Said said = orrery(
      words("compare --quiet --self-test 3 --trace t.json --cluster 8x8 --policy fifo"), scratch);
  EXPECT_NE(said.out.find("no seed mattered in 3 of them"), std::string::npos) << said.out;
}

TEST(Compare, SixPoliciesOnSiaPhillyWithinTheirBounds) {
  ORRERY_SHARED(trace, "data/philly/sia_philly.csv.gz");
  const Scratch scratch;
  const Json got = compared(
      "--quiet --cluster 64x8 --policy fifo --policy sjf --policy srtf --policy "
      "las2d --policy tiresias --policy easy --durations oracle --trace " +
          trace.string(),
      scratch);
  ASSERT_EQ(got["rows"].size(), 6U);
  const Json& bounds = got["loads"][0]["bounds"];
  for (const Json& row : got["rows"]) {
    EXPECT_GE(row["jct_mean_s"], bounds["jct_mean_s"]) << row["policy"];
    EXPECT_GE(row["makespan_s"], bounds["makespan_s"]) << row["policy"];
    const double change = row["change_of_mean_jct"];
    EXPECT_LE(row["change_interval"][0], change) << row["policy"];
    EXPECT_GE(row["change_interval"][1], change) << row["policy"];
  }
}

}  // namespace
}  // namespace orrery::test
