// orrery reproduce: the same again, or the first difference.
#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orrery::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// srtf on one node of two GPUs: a runs 0 to 1, waits for b (2 GPUs, 2 s), and runs again from 3 to
// 12.
constexpr const char* kJobs = "job_id,submit,gpus,duration\na,0,1,10\nb,1,2,2\n";

/// A result in the folder "r" with every file that a run can write.
void record(const Scratch& scratch) {
  scratch.file("jobs.csv", kJobs);
  const Said said = orrery(words("run --trace jobs.csv --cluster 1x2 --policy srtf --out r "
                                 "--attempts --events --timeline 5s"),
                           scratch);
  ASSERT_EQ(said.code, 0) << said.err;
}

void replace_in(const fs::path& file, const std::string& what, const std::string& with) {
  std::string text = read_whole(file);
  const auto place = text.find(what);
  ASSERT_NE(place, std::string::npos) << what << " in " << file;
  std::ofstream{file, std::ios::binary} << text.replace(place, what.size(), with);
}

TEST(Reproduce, SaysThatEveryFileComesOutTheSame) {
  const Scratch scratch;
  record(scratch);
  const std::string fingerprint =
      Json::parse(read_whole(scratch.path() / "r/manifest.json"))["fingerprint"];
  const std::string expected = "identical: fingerprint " + fingerprint +
                               "; jobs.csv, attempts.csv, events.jsonl.zst, timeline.csv, "
                               "summary.json, manifest.json\n";
  for (const char* path : {"r", "r/manifest.json"}) {
    const Said said = orrery({"reproduce", path}, scratch);
    EXPECT_EQ(said.code, 0);
    EXPECT_EQ(said.out, expected);
  }
  const Json told = Json::parse(orrery(words("reproduce r --json"), scratch).out);
  EXPECT_EQ(told["identical"], true);
  EXPECT_TRUE(told["difference"].is_null());
  EXPECT_EQ(told["files"].size(), 6U);
}

// b's end is 3 in truth: the recorded row says 4.
TEST(Reproduce, NamesTheFirstDifferenceByJobAndField) {
  const Scratch scratch;
  record(scratch);
  replace_in(scratch.path() / "r/jobs.csv", "b,,,,,2,1,1,3,", "b,,,,,2,1,1,4,");
  const Said said = orrery(words("reproduce r"), scratch);
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(said.out.starts_with(
      "not identical: jobs.csv, line 3, job 'b', end_s: recorded '4', now '3'\n"))
      << said.out;
  const Json told = Json::parse(orrery(words("reproduce r --json"), scratch).out);
  const Json expected{{"file", "jobs.csv"}, {"line", 3},       {"job", "b"},
                      {"field", "end_s"},   {"recorded", "4"}, {"now", "3"}};
  EXPECT_EQ(told["difference"], expected);
}

TEST(Reproduce, LooksIntoEveryKindOfFile) {
  const auto difference = [](const auto& change) {
    const Scratch scratch;
    record(scratch);
    change(scratch.path() / "r");
    const Said said = orrery(words("reproduce r"), scratch);
    EXPECT_EQ(said.code, 1) << said.out << said.err;
    return said.out.substr(0, said.out.find('\n'));
  };
  EXPECT_EQ(difference([](const fs::path& r) { replace_in(r / "timeline.csv", "1.4", "1.5"); }),
            "not identical: timeline.csv, line 2, gpus_busy: recorded '1.5', now '1.4'");
  EXPECT_EQ(difference([](const fs::path& r) { fs::remove(r / "attempts.csv"); }),
            "not identical: attempts.csv, the file: recorded 'nothing', now 'written'");
  EXPECT_EQ(difference([](const fs::path& r) {
              replace_in(r / "summary.json", "\"makespan_s\": 12", "\"makespan_s\": 13");
            }),
            "not identical: summary.json, makespan_s: recorded '13.0', now '12.0'");
  // The last row is gone: 3 to 12 on GPU 0.
  EXPECT_EQ(difference([](const fs::path& r) {
              replace_in(r / "attempts.csv", "a,3,12,finished,1,0:0-0\n", "");
            }),
            "not identical: attempts.csv, line 4, job 'a', row: recorded 'nothing', now 'a'");
  // Quotes that change nothing for a reader of CSV are other bytes.
  EXPECT_EQ(difference([](const fs::path& r) { replace_in(r / "jobs.csv", "\nb,", "\n\"b\","); }),
            "not identical: jobs.csv, line 3, bytes: recorded 'byte 0x22', now 'byte 0x62'");
}

// Costs are measured and never the same.
TEST(Reproduce, DoesNotCompareWhatARunMeasuresOfItself) {
  const Scratch scratch;
  record(scratch);
  Json summary = Json::parse(read_whole(scratch.path() / "r/summary.json"));
  summary["engine"]["wall_s"] = 12345;
  scratch.file("r/summary.json", summary.dump());
  EXPECT_EQ(orrery(words("reproduce r"), scratch).code, 0);
  summary["engine"]["events"] = 12345;
  scratch.file("r/summary.json", summary.dump());
  EXPECT_EQ(orrery(words("reproduce r"), scratch).code, 1);
}

TEST(Reproduce, RefusesInputsThatAreNotWhatWasRead) {
  const Scratch scratch;
  record(scratch);
  scratch.file("moved.csv", kJobs);
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\na,0,1,11\nb,1,2,2\n");
  const Said said = orrery(words("reproduce r"), scratch);
  EXPECT_EQ(said.code, 3);
  // sha256sum of the two texts.
  EXPECT_EQ(said.err,
            "the trace of r/manifest.json: 'jobs.csv' is not the file that was read: its SHA-256 "
            "was 223553b18615a941ded79e7d5f7290230fa7277adb03f38da091e8ecf4a25a7e, now "
            "d9a238a172dbbe9bb5dbee70f2c533d06cb36e5fdb9e99b59788a23e0e60d640\n");
  EXPECT_EQ(orrery(words("reproduce r --trace moved.csv"), scratch).code, 0);
  fs::remove(scratch.path() / "jobs.csv");
  EXPECT_NE(orrery(words("reproduce r"), scratch).err.find("'jobs.csv' is not there"),
            std::string::npos);
}

TEST(Reproduce, RefusesWhatIsNoManifest) {
  const Scratch scratch;
  record(scratch);
  const auto error_of = [&](const std::string& text) {
    scratch.file("m.json", text);
    const Said said = orrery(words("reproduce m.json"), scratch);
    EXPECT_EQ(said.code, 3) << text;
    return said.err;
  };
  EXPECT_EQ(error_of("{}"), "m.json: the key 'schema' is missing\n");
  EXPECT_EQ(error_of("{\"schema\": "),
            "m.json:1:11: no JSON: syntax error while parsing value - unexpected end of input; "
            "expected '[', '{', or a literal\n");
  Json manifest = Json::parse(read_whole(scratch.path() / "r/manifest.json"));
  Json other = manifest;
  other["schema"] = 2;
  EXPECT_EQ(error_of(other.dump()),
            "m.json: schema: expected the number of this format, 1, got 2\n");
  other = manifest;
  other["settings"]["polcy"] = "fifo";
  EXPECT_EQ(error_of(other.dump()),
            "m.json: settings: unknown key 'polcy' (did you mean 'policy'?)\n");
  other = manifest;
  other["settings"]["policy"] = Json::array({"fifo", "srtf"});
  EXPECT_EQ(error_of(other.dump()), "m.json: settings: policy: expected one policy, got 2\n");
  EXPECT_EQ(orrery(words("reproduce ."), scratch).code, 3);
  EXPECT_EQ(orrery(words("reproduce nowhere"), scratch).code, 4);
  EXPECT_EQ(orrery(words("reproduce"), scratch).code, 2);
}

TEST(Reproduce, KeepsTheNewResultWhereAsked) {
  const Scratch scratch;
  record(scratch);
  fs::remove(scratch.path() / "r/jobs.csv");  // the manifest alone is enough to run again
  EXPECT_EQ(orrery(words("reproduce r --out again"), scratch).code, 1);
  EXPECT_EQ(orrery(words("reproduce again"), scratch).code, 0);
}

}  // namespace
}  // namespace orrery::test
