// orrery report: what it refuses, and what its page holds. The page itself is tested in a browser
// (web/test).
#include "app/report_data.hpp"
#include "support/program.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJobs =
    "job_id,submit,gpus,duration\na,0,2,100\nb,1,4,10\nc,2,1,50\nd,3,9,5\n";

void record(const Scratch& scratch, const std::string& more = "") {
  scratch.file("jobs.csv", kJobs);
  const Said said = orrery(
      words("run --quiet --trace jobs.csv --cluster 2x2 --policy fifo --out run" + more), scratch);
  ASSERT_EQ(said.code, 0) << said.err;
}

TEST(Report, HoldsCurvesTimelineAndStretches) {
  const Scratch scratch;
  record(scratch, " --attempts --timeline 50s");
  const Json data = app::read_report((scratch.path() / "run").string()).data;
  const Json& run = data["runs"][0];
  EXPECT_EQ(run["label"], "fifo");
  EXPECT_EQ(run["jobs"], 3);  // d wants 9 GPUs and is rejected
  // a ends at 100, b runs 100 to 110, c waits behind b to 110 and ends at 160.
  EXPECT_EQ(run["jct"]["x"], Json({100.0, 109.0, 158.0}));
  EXPECT_EQ(run["wait"]["x"], Json({0.0, 99.0, 108.0}));
  EXPECT_EQ(run["jct"]["y"], Json({1.0 / 3, 2.0 / 3, 1.0}));
  EXPECT_EQ(run["timeline"]["time_s"], Json({0.0, 50.0, 100.0, 150.0}));
  EXPECT_EQ(run["timeline"]["gpus_busy"], Json({2.0, 2.0, 1.6, 0.2}));
  const Json& gantt = run["gantt"];
  EXPECT_EQ(gantt["gpus_per_node"], 2);
  EXPECT_EQ(gantt["nodes"], 2);
  EXPECT_EQ(gantt["ids"], Json({"a", "b", "c"}));
  EXPECT_EQ(gantt["start_s"], Json({0.0, 100.0, 100.0, 110.0}));  // b holds two nodes
  EXPECT_EQ(gantt["lane"], Json({0, 0, 2, 0}));
  EXPECT_EQ(gantt["lanes"], Json({2, 2, 2, 1}));
}

TEST(Report, GpusThatAreOnlyCountedHaveNoLanes) {
  const Scratch scratch;
  record(scratch, " --attempts --placement count");
  EXPECT_EQ(app::read_report((scratch.path() / "run").string()).data["runs"][0]["gantt"], nullptr);
}

TEST(Report, WritesOnePage) {
  const Scratch scratch;
  record(scratch, " --report first.html");
  EXPECT_EQ(orrery(words("report run -o page.html"), scratch).code, 0);
  const std::string page = read_whole(scratch.path() / "page.html");
  EXPECT_EQ(page, read_whole(scratch.path() / "first.html"));
  EXPECT_TRUE(page.starts_with("<!doctype html>")) << page.substr(0, 100);
  EXPECT_NE(page.find("jobs.csv on 2x2"), std::string::npos);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));  // a name, no address
  EXPECT_EQ(orrery(words("report run -o -"), scratch).out, page);
}

TEST(Report, RefusesWhatIsNoResult) {
  const Scratch scratch;
  scratch.file("empty/x.txt", "");
  EXPECT_EQ(orrery(words("report empty"), scratch).code, 3);
  EXPECT_EQ(orrery(words("report nowhere"), scratch).code, 3);
  EXPECT_EQ(
      orrery(words("run --trace j.csv --cluster 1x1 --policy fifo --report x.html"), scratch).code,
      2)
      << "needs --out";
  record(scratch);
  const auto damaged = [&](const std::string& file, const std::string& text) {
    fs::remove_all(scratch.path() / "copy");
    fs::copy(scratch.path() / "run", scratch.path() / "copy");
    scratch.file("copy/" + file, text);
    const Said said = orrery(words("report copy"), scratch);
    EXPECT_EQ(said.code, 3) << file << ": " << said.err;
    EXPECT_FALSE(fs::exists(scratch.path() / "report.html"));
    return said.err;
  };
  EXPECT_NE(damaged("jobs.csv", "job_id,status\na,finished\n").find("expected a column jct_s"),
            std::string::npos);
  EXPECT_NE(damaged("jobs.csv", "status,jct_s,wait_s\nfinished,soon,1\n")
                .find("jobs.csv:2:10: expected a number, got 'soon'"),
            std::string::npos);
  EXPECT_NE(damaged("attempts.csv",
                    "job_id,start_s,end_s,why_ended,gpus,allocation\na,0,1,finished,1,0:1\n")
                .find("attempts.csv:2:18: expected node:gpu-gpu;..., got '0:1'"),
            std::string::npos);
  damaged("summary.json", "{}");
  damaged("manifest.json",
          R"({"schema": 1, "program": "orrery", "version": "0", "settings": {}, "inputs": []})");
}

}  // namespace
}  // namespace orrery::test
