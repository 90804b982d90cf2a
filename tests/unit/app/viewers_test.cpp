// Files for the viewers of other people, and the script that redraws the report's figures.
#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace orrery::test {
namespace {

using Json = nlohmann::json;

/// Runs a shell line in the scratch folder and returns what it prints.
Said in_shell(const Scratch& scratch, const std::string& line) {
  const std::string whole =
      "cd " + scratch.path().string() + " && { " + line + "; } >out 2>err </dev/null";
  const int status = std::system(whole.c_str());
  return {.code = WEXITSTATUS(status),
          .out = read_whole(scratch.path() / "out"),
          .err = read_whole(scratch.path() / "err")};
}

// Two nodes of two. b (4 GPUs, 10 s) takes both from a (100 s) at 5 s; a goes on at 15 s.
void record(const Scratch& scratch, const std::string& jobs, const std::string& more) {
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\n" + jobs);
  const Said said =
      orrery(words("run --quiet --trace jobs.csv --cluster 2x2 --policy srtf --out run --force "
                   "--perfetto --batsim --paje" +
                   more),
             scratch);
  ASSERT_EQ(said.code, 0) << said.err;
}

TEST(Viewers, BatsimHasARowAStretch) {
  const Scratch scratch;
  record(scratch, "a,0,3,100\nb,5,4,10\nc,6,5,1\n", "");
  EXPECT_EQ(read_whole(scratch.path() / "run" / "batsim_jobs.csv"),
            "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_"
            "time,success,final_state,starting_time,execution_time,finish_time,waiting_time,"
            "turnaround_time,stretch,allocated_resources,consumed_energy\n"
            "a,w0,,0,3,-1,0,COMPLETED_KILLED,0,5,5,0,5,1,0-2,\n"
            "c,w0,,6,5,-1,0,REJECTED,,,,,,,,\n"
            "b,w0,,5,4,-1,1,COMPLETED_SUCCESSFULLY,5,10,15,0,10,1,0-3,\n"
            "a#2,w0,,0,3,-1,1,COMPLETED_SUCCESSFULLY,15,95,110,15,110,1.1578947368421053,0-2,\n");
}

TEST(Viewers, PerfettoHasASliceAStretchAndGpu) {
  const Scratch scratch;
  record(scratch, "a,0,3,100\nb,5,4,10\n", "");
  const Json trace = Json::parse(read_whole(scratch.path() / "run" / "trace.perfetto.json"));
  std::map<std::string, std::int64_t> held;
  std::int64_t counters = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") held[event["name"]] += event["dur"].get<std::int64_t>();
    counters += event["ph"] == "C" ? 1 : 0;
  }
  EXPECT_EQ(held["a"], 300'000'000);  // 3 GPUs for 100 s
  EXPECT_EQ(held["b"], 40'000'000);
  EXPECT_EQ(counters, 4 * 3);  // 0, 5, 15, 110 s
}

// pj_dump reads the file and tells each state with its length.
TEST(Viewers, PajeIsReadByPjDump) {
  const Scratch scratch;
  record(scratch, "\"a \"\"x\"\"\",0,3,100\nb,5,4,10\n", "");
  const Said dump = in_shell(scratch, "pj_dump run/trace.paje");
  EXPECT_EQ(dump.code, 0) << dump.err;
  std::map<std::string, double> held;
  std::istringstream in{dump.out};
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("State, ")) continue;
    std::vector<std::string> fields;
    std::istringstream row{line};
    for (std::string field; std::getline(row >> std::ws, field, ',');) fields.push_back(field);
    ASSERT_EQ(fields.size(), 8U) << line;
    held[fields[7]] += std::stod(fields[5]);
  }
  EXPECT_EQ(held["a _x_"], 300);
  EXPECT_EQ(held["b"], 40);
  // Four GPUs for 110 s, of which the one beside a is free for 100 s. It is not told of before it
  // is first held, at 5 s.
  EXPECT_EQ(held["free"], 95);
}

// Jobs that change places in one exchange: everything is given back before it is taken.
TEST(Viewers, PajeHoldsWhatTheAttemptsHold) {
  const Scratch scratch;
  const Said said = orrery(
      words("run --quiet --trace " ORRERY_SOURCE_DIR "/traces/helios-sample.csv.gz --limit 600 "
            "--cluster 8x8 --policy srtf --out run --paje --attempts"),
      scratch);
  ASSERT_EQ(said.code, 0) << said.err;
  const Json summary = Json::parse(read_whole(scratch.path() / "run" / "summary.json"));
  EXPECT_GT(summary["migrations"], 10);
  const Said sum = in_shell(
      scratch,
      "pj_dump run/trace.paje | awk -F', ' '$1==\"State\" && $8!=\"free\" {s+=$6} END {printf "
      "\"%.0f\", s}'");
  EXPECT_EQ(std::stod(sum.out), summary["gpu_time_s"]["busy"].get<double>());
}

TEST(Viewers, NamesCannotBreakTheFiles) {
  const Scratch scratch;
  record(scratch, "\"</script>\"\"\\,\x01\",0,1,10\n", "");
  EXPECT_TRUE(Json::accept(read_whole(scratch.path() / "run" / "trace.perfetto.json")));
  EXPECT_EQ(in_shell(scratch, "pj_dump run/trace.paje").code, 0);
}

TEST(Viewers, GpusThatAreOnlyCountedGiveCountersAlone) {
  const Scratch scratch;
  record(scratch, "a,0,3,100\n", " --placement count");
  const Json trace = Json::parse(read_whole(scratch.path() / "run" / "trace.perfetto.json"));
  for (const Json& event : trace["traceEvents"]) EXPECT_NE(event["ph"], "X");
  EXPECT_NE(read_whole(scratch.path() / "run" / "batsim_jobs.csv").find(",1,,\n"),
            std::string::npos);
  EXPECT_EQ(in_shell(scratch, "pj_dump run/trace.paje").code, 0);
}

TEST(Viewers, ThePlotScriptDrawsEveryFigure) {
  const Scratch scratch;
  const Said said = orrery(
      words("compare --quiet --trace " ORRERY_SOURCE_DIR "/traces/helios-sample.csv.gz --limit 300 "
            "--cluster 8x8 --policy fifo --policy srtf --out two --timeline 1h"),
      scratch);
  ASSERT_EQ(said.code, 0) << said.err;
  const Said plot = in_shell(scratch, "MPLCONFIGDIR=. " ORRERY_SOURCE_DIR
                                      "/scripts/plot_figures.py two -o f --format svg");
  EXPECT_EQ(plot.code, 0) << plot.err;
  for (const char* name :
       {"jct_cdf", "wait_cdf", "waiting_by_cause", "gpus_busy", "jobs_waiting"}) {
    const std::string svg = read_whole(scratch.path() / "f" / (std::string{name} + ".svg"));
    EXPECT_NE(svg.find("</svg>"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace orrery::test
