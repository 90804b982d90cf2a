// orrery explain: what it prints, and that it says what jobs.csv says.
#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orrery::test {
namespace {

using Json = nlohmann::json;

// fifo on one node of four: a holds 3 GPUs to 100; b waits for it from 1, c behind b from 2.
constexpr const char* kJobs = "job_id,submit,gpus,duration\na,0,3,100\nb,1,4,10\nc,2,1,50\n";

TEST(Explain, PrintsWhyForHowLongAndForWhom) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const std::string run = " --trace jobs.csv --cluster 1x4 --policy fifo";
  ASSERT_EQ(orrery(words("run" + run + " --out r"), scratch).code, 0);
  const std::string expected =
      "job     c · 1 GPU · fifo · finished\n"
      "submit  2 s\n"
      "start   110 s\n"
      "end     160 s\n"
      "waited  108 s = capacity 10 s + order 98 s\n"
      "\n";
  const Said said = orrery(words("explain c --result r"), scratch);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out.substr(0, expected.size()), expected);
  std::vector<std::vector<std::string>> table;
  std::istringstream in{said.out.substr(expected.size())};
  for (std::string line; std::getline(in, line);) table.push_back(words(line));
  ASSERT_EQ(table.size(), 3U) << said.out;
  EXPECT_EQ(table[1], words("order 2 100 1 m 38 s 1 a 3 b 4"));
  EXPECT_EQ(table[2], words("capacity 100 110 10 s 0 b 4 -"));
  EXPECT_EQ(orrery(words("explain c" + run), scratch).out, said.out);
  // Another policy over the recorded run: c is not behind b under fifo-skip.
  EXPECT_NE(
      orrery(words("explain c --result r --policy fifo-skip"), scratch).out.find("waited  0 s"),
      std::string::npos);
}

TEST(Explain, JsonIsInWholeMicroseconds) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Json told = Json::parse(
      orrery(words("explain c --trace jobs.csv --cluster 1x4 --policy fifo --json --stretches 1"),
             scratch)
          .out);
  EXPECT_EQ(told["wait_us"], 108'000'000);
  EXPECT_EQ(told["wait_by_cause_us"]["order"], 98'000'000);
  EXPECT_EQ(told["wait_by_cause_us"]["capacity"], 10'000'000);
  EXPECT_EQ(told["stretches"], 2);
  ASSERT_EQ(told["shown"].size(), 1U);
  EXPECT_EQ(told["shown"][0]["from_us"], 2'000'000);
  EXPECT_EQ(told["shown"][0]["waiting_before_it"]["shown"][0]["job_id"], "b");
}

TEST(Explain, RefusesAJobThatIsNotThereOrThereTwice) {
  const Scratch scratch;
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\njob1,0,3,100\nx,1,4,10\nx,2,1,50\n");
  const std::string run = " --quiet --trace jobs.csv --cluster 1x4 --policy fifo";
  Said said = orrery(words("explain job2" + run), scratch);
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "no job 'job2' among the 3 that are replayed (did you mean 'job1'?)\n");
  said = orrery(words("explain x" + run), scratch);
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err, "2 jobs have the id 'x': --row says which, one of 2, 3 of jobs.csv\n");
  said = orrery(words("explain x --row 1" + run), scratch);
  EXPECT_EQ(said.err, "--row: row 1 of jobs.csv is not job 'x', which is row 2, 3\n");
  said = orrery(words("explain x --row 3" + run), scratch);
  EXPECT_EQ(said.code, 0);
  EXPECT_NE(said.out.find("submit  2 s"), std::string::npos);
}

/// "12.5" to microseconds.
std::int64_t micros_of(const std::string& seconds) {
  const auto dot = seconds.find('.');
  std::string fraction = dot == std::string::npos ? "" : seconds.substr(dot + 1);
  fraction.resize(6, '0');
  return std::stoll(seconds.substr(0, dot)) * 1'000'000 + std::stoll(fraction);
}

// The program on the bundled sample: every part of the wait is the column of jobs.csv.
TEST(Explain, SaysWhatJobsCsvSays) {
  const Scratch scratch;
  const std::string trace = std::string{ORRERY_SOURCE_DIR} + "/traces/helios-sample.csv.gz";
  for (const char* policy : {"fifo", "easy", "srtf", "tiresias"}) {
    const std::string folder = std::string{"r-"} + policy;
    ASSERT_EQ(orrery(words("run --quiet --trace " + trace +
                           " --cluster 32x8 --limit 1000 --policy " + policy + " --out " + folder),
                     scratch)
                  .code,
              0);
    std::istringstream rows{read_whole(scratch.path() / folder / "jobs.csv")};
    std::string row;
    std::getline(rows, row);
    int looked_at = 0;
    for (int k = 0; std::getline(rows, row); ++k) {
      std::vector<std::string> fields;
      std::istringstream in{row};
      for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
      ASSERT_EQ(fields.size(), 31U) << row;
      if (fields[12] == "0" || k % 20 != 0) continue;
      const Json told = Json::parse(
          orrery({"explain", fields[0], "--quiet", "--json", "--result", folder}, scratch).out);
      EXPECT_EQ(told["wait_us"], micros_of(fields[12])) << row;
      const char* const causes[] = {"hold",     "preempted", "quota",      "type",
                                    "capacity", "host",      "fragmented", "order"};
      for (std::size_t c = 0; c < 8; ++c)
        EXPECT_EQ(told["wait_by_cause_us"][causes[c]], micros_of(fields[23 + c])) << row;
      ++looked_at;
    }
    EXPECT_GT(looked_at, 1) << policy;
  }
}

}  // namespace
}  // namespace orrery::test
