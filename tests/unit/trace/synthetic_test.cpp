// The generator: a function of its options, calibrated to what is published.
#include "orrery/trace/synthetic.hpp"

#include "trace/text_input.hpp"

#include "orrery/base/error.hpp"
#include "orrery/base/hash.hpp"
#include "orrery/trace/info.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

std::string whole_text(const std::string& path) {
  TextInput input{path, ReadLimits{}};
  std::string text, block(1 << 16, '\0');
  while (const std::size_t size = input.read(block.data(), block.size()))
    text.append(block, 0, size);
  return text;
}

TraceInfo info_of(const SyntheticOptions& options) {
  const std::string text = generate_trace(options);
  return trace_info(load_trace_text(text, "generated", {}).workload);
}

TEST(Synthetic, BundledSamplesAreWhatTheGeneratorMakes) {
  const std::string traces = std::string{ORRERY_SOURCE_DIR} + "/traces/";
  // Not EXPECT_EQ: a difference would print both files.
  EXPECT_TRUE(
      whole_text(traces + "philly-sample.json.gz") ==
      generate_trace({.like = "philly", .jobs = 3000, .seed = 2, .gpus = 256, .load = 0.9}));
  EXPECT_TRUE(
      whole_text(traces + "helios-sample.csv.gz") ==
      generate_trace({.like = "helios", .jobs = 3000, .seed = 3, .gpus = 256, .load = 0.9}));
}

TEST(Synthetic, SeedsDiffer) {
  EXPECT_NE(generate_trace({.jobs = 50, .seed = 1}), generate_trace({.jobs = 50, .seed = 2}));
}

// Philly has been counted twice: 111,549 jobs with GPUs and a span (mean 1.742 GPUs, median 1,321
// s, mean 35,595 s) and, by Acme's authors, 60.4 % passed, 9.0 % killed, median 874 s, mean 18,006
// s. The generator lies between the two. 40,000 draws bring shares within a point.
TEST(Synthetic, PhillyFollowsItsPublishedAggregates) {
  const TraceInfo info = info_of({.like = "philly", .jobs = 40000, .seed = 5, .gpus = 2490});
  const auto share = [&](const char* status) {
    return static_cast<double>(info.by_status.at(status).jobs) / 40000;
  };
  EXPECT_NEAR(share("completed"), 0.604, 0.01);
  EXPECT_NEAR(share("killed"), 0.090, 0.01);
  EXPECT_NEAR(*info.mean_gpus, 1.742, 0.05);
  EXPECT_NEAR(static_cast<double>(info.by_size.at(1).jobs) / 40000, 0.8665, 0.01);
  EXPECT_NEAR(*info.run_s.p50, (874 + 1321) / 2, (1321 - 874) / 2);
  EXPECT_NEAR(*info.run_s.mean, (18006 + 35595) / 2, (35595 - 18006) / 2);
  EXPECT_NEAR(*info.load(2490), 0.9, 0.02);
}

// Helios, Venus: 52.6 % completed, 27.2 % cancelled; median 204 s, mean 9,087.7 s, 6.7355 GPUs.
TEST(Synthetic, HeliosFollowsItsPublishedAggregates) {
  const TraceInfo info = info_of({.like = "helios", .jobs = 40000, .seed = 5, .gpus = 1064});
  const auto share = [&](const char* status) {
    return static_cast<double>(info.by_status.at(status).jobs) / 40000;
  };
  EXPECT_NEAR(share("completed"), 0.526, 0.01);
  EXPECT_NEAR(share("killed"), 0.272, 0.01);
  EXPECT_NEAR(*info.mean_gpus, 6.7355, 0.4);
  EXPECT_NEAR(*info.run_s.p50, 204, 20);
  EXPECT_NEAR(*info.run_s.mean, 9087.7, 1000);
  EXPECT_NEAR(*info.load(1064), 0.9, 0.02);
}

TEST(Synthetic, OptionsThatCannotBeAreRefused) {
  const auto message = [](const SyntheticOptions& options) {
    try {
      generate_trace(options);
      return std::string{"nothing"};
    } catch (const UsageError& error) {
      return std::string{error.what()};
    }
  };
  EXPECT_EQ(message({.like = "phily"}),
            "--like: 'phily' is none of philly, helios (did you mean 'philly'?)");
  EXPECT_EQ(message({.jobs = 0}), "--jobs must be between 1 and 20000000, got 0");
  EXPECT_EQ(message({.gpus = 0}), "--gpus must be between 1 and 1000000, got 0");
  EXPECT_EQ(message({.load = 0}), "--load must be between 0.001 and 1000, got 0");
}

TEST(TraceInfo, CountsByHand) {
  const LoadedTrace trace = load_trace_text(
      "job_id,submit,gpus,duration,vc,user,trace_status\n"
      "a,0,1,3600,x,u1,completed\nb,86400,2,7200,x,u2,failed\nc,86400,1,0,y,u1,completed\n",
      "three.csv", {});
  const TraceInfo info = trace_info(trace.workload);
  EXPECT_EQ(info.jobs, 3U);
  EXPECT_EQ(info.users, 2U);
  EXPECT_EQ(info.vcs, 2U);
  EXPECT_EQ(info.gpu_hours, 1 + 4);
  EXPECT_EQ(info.span_s, 86400);
  EXPECT_EQ(info.busiest_day, 2U);
  EXPECT_EQ(*info.run_s.p50, 3600);
  EXPECT_EQ(*info.run_s.p75, 5400);  // rank 1.5: halfway from 3600 to 7200
  EXPECT_EQ(info.by_vc.at("x").gpu_hours, 5);
  EXPECT_EQ(*info.by_status.at("completed").mean_run_s, 1800);
  EXPECT_DOUBLE_EQ(*info.load(1), 5 * 3600 / 86400.0);
  EXPECT_EQ(trace_info_text(trace.report, info).find("three.csv (csv): 3 read, 3 can be replayed"),
            0U);
}

// Runs of 1 h and 2 h: p10 lies a tenth of the way from one to the other, 1 h 06 m.
TEST(TraceInfo, TextIsAlignedAndSafe) {
  const LoadedTrace trace = load_trace_text(
      "job_id,submit,gpus,duration,vc,user,trace_status,recorded_start\n"
      "a,2020-09-01,1,3600,x\x1b[2J,u1,completed,2020-09-01 00:00:10\n"
      "b,2020-09-02,2,7200,,u2,failed,\nc,2020-09-02,0,0,y,u1,completed,\n",
      "t\x07.csv", {});
  EXPECT_EQ(
      trace_info_text(trace.report, trace_info(trace.workload)),
      "t\\x07.csv (csv): 3 read, 2 can be replayed\n"
      "  left out   1 CPU only\n"
      "jobs      2 of 2 users, 1 VCs, 0 names\n"
      "submits   2020-09-01 00:00:00 to 2020-09-02 00:00:00\n"
      "span      1 d 00 h, 2 jobs a day, 1 on the busiest\n"
      "GPU time  5 GPU-hours, 1.500 GPUs a job\n"
      "run time  mean 1 h 30 m, p10 1 h 06 m, p25 1 h 15 m, p50 1 h 30 m, p75 1 h 45 m, p90 1 h 54 "
      "m, p99 1 h 59 m, max 2 h 00 m\n"
      "waited    mean 10 s, p10 10 s, p25 10 s, p50 10 s, p75 10 s, p90 10 s, p99 10 s, max 10 s\n"
      "by GPUs\n"
      "  1                     1 jobs    50.0 %              1 GPU-hours    20.0 %   mean run 1 h "
      "00 m\n"
      "  2                     1 jobs    50.0 %              4 GPU-hours    80.0 %   mean run 2 h "
      "00 m\n"
      "by how they ended\n"
      "  completed             1 jobs    50.0 %              1 GPU-hours    20.0 %   mean run 1 h "
      "00 m\n"
      "  failed                1 jobs    50.0 %              4 GPU-hours    80.0 %   mean run 2 h "
      "00 m\n"
      "by VC\n"
      "  (none)                1 jobs    50.0 %              4 GPU-hours    80.0 %   mean run 2 h "
      "00 m\n"
      "  x\\x1b[2J              1 jobs    50.0 %              1 GPU-hours    20.0 %   mean run 1 h "
      "00 m\n");
}

TEST(TraceInfo, WithoutJobsNothingIsMadeUp) {
  const LoadedTrace trace = load_trace_text("job_id,submit,gpus,duration\n", "none.csv", {});
  const TraceInfo info = trace_info(trace.workload);
  EXPECT_FALSE(info.run_s.mean);
  EXPECT_FALSE(info.mean_gpus);
  EXPECT_FALSE(info.load(256));
  EXPECT_EQ(trace_info_text(trace.report, info),
            "none.csv (csv): 0 read, 0 can be replayed\n"
            "jobs      0 of 0 users, 0 VCs, 0 names\n"
            "span      0 s\n"
            "GPU time  0 GPU-hours\n"
            "run time  mean -, p10 -, p25 -, p50 -, p75 -, p90 -, p99 -, max -\n"
            "by GPUs\n"
            "by how they ended\n");
}

}  // namespace
}  // namespace orrery::test
