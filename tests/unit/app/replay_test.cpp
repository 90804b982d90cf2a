// Policy replay: recorded starts, the card below the summary, and what excludes them.
#include "support/program.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

constexpr const char* kJobs =
    "job_id,submit,gpus,duration,recorded_start\na,0,4,100,10\nb,20,4,100,50\n";

// a is recorded from 10 s to 110 s and b from 50 s to 150 s, on 8 GPUs; on 4 b has to wait for a.
TEST(Replay, TheCardTellsHowFarTheSimulationIsFromTheRecord) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  const Said enough =
      orrery(words("run --quiet --trace jobs.csv --cluster 1x8 --policy replay --verify"), scratch);
  EXPECT_NE(
      enough.out.find(
          "recorded  2 of 2 jobs start when the trace says; the others 0 s later on average, at "
          "most 0 s\n"
          "          mean wait recorded 20 s, simulated 20 s · mean JCT recorded 2 m 00 s, "
          "simulated 2 m 00 s · utilization recorded 0.67, simulated 0.67\n"),
      std::string::npos)
      << enough.out << enough.err;
  const Said narrow =
      orrery(words("run --quiet --trace jobs.csv --cluster 1x4 --policy replay"), scratch);
  EXPECT_NE(narrow.out.find(
                "recorded  1 of 2 jobs start when the trace says; the others 1 m 00 s later on "
                "average, at most 1 m 00 s\n"
                "          mean wait recorded 20 s, simulated 50 s"),
            std::string::npos)
      << narrow.out;
  EXPECT_EQ(orrery(words("run --quiet --trace jobs.csv --cluster 1x4 --policy fifo"), scratch)
                .out.find("recorded  "),
            std::string::npos);
}

// Case C051.
TEST(Replay, OtherArrivalsExcludeRecordedStarts) {
  const Scratch scratch;
  scratch.file("jobs.csv", kJobs);
  scratch.file("plain.csv", "job_id,submit,gpus,duration\na,0,4,100\n");
  const auto refused = [&](const std::string& line, const std::string& says) {
    const Said said = orrery(words(line), scratch);
    EXPECT_EQ(said.code, 2) << line;
    EXPECT_NE(said.err.find(says), std::string::npos) << said.err;
    EXPECT_NE(said.err.find("replay"), std::string::npos) << said.err;
  };
  refused("run --trace jobs.csv --cluster 1x8 --policy replay --load 2", "other arrivals");
  refused("run --trace like:philly:jobs=30 --cluster 8x8 --policy replay", "other arrivals");
  refused("compare --trace jobs.csv --cluster 1x8 --policy fifo --policy replay --loads 1,2",
          "other arrivals");
  refused("run --trace jobs.csv --cluster 1x8 --policy fifo --takeover 5=replay --load 2",
          "other arrivals");
  refused("run --trace plain.csv --cluster 1x8 --policy replay", "records no starts");
}

}  // namespace
}  // namespace orrery::test
