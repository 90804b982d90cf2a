// Helios, the original cluster_log.csv: runs from start to end, states, attempts, CPU jobs.
#include "unit/trace/loaded.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

const std::string kHeader =
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
    "queue\n";

/// A row of one user and VC: its id, GPUs, state and times on one morning ("09:00:00").
std::string row(const std::string& id, const std::string& gpus, const std::string& state,
                const std::string& submit, const std::string& start, const std::string& end) {
  const auto time = [](const std::string& text) {
    return text.find(':') == std::string::npos ? text : "2020-09-01 " + text;
  };
  return id + ",u1,vcA," + gpus + ",8,1," + state + "," + time(submit) + "," + time(start) + "," +
         time(end) + ",0,0\n";
}

TEST(Helios, RunsFromStartToEndWhateverTheDurationColumnSays) {
  const LoadedTrace trace =
      loaded(kHeader + row("7", "2", "COMPLETED", "09:00:00", "09:00:30", "09:10:00") +
             row("8", "16", "CANCELLED", "09:00:00", "09:00:00", "09:00:01") +
             row("9", "1", "NODE_FAIL", "09:01:00", "09:01:00", "09:01:00"));
  EXPECT_EQ(trace.report.format, "helios");
  EXPECT_EQ(described(trace.workload),
            "7 0 2 570 completed start=30 vc=vcA user=u1\n"
            "8 0 16 1 killed start=0 vc=vcA user=u1\n"
            "9 60 1 0 failed start=60 vc=vcA user=u1\n");
  EXPECT_EQ(*trace.workload.calendar_origin(),
            (days_from_civil(2020, 9, 1) * 86400 + 9 * 3600) * 1'000'000);
}

TEST(Helios, WhatNobodyCanReplayIsLeftOutByReason) {
  const LoadedTrace trace =
      loaded(kHeader + row("1", "0", "COMPLETED", "09:00:00", "09:00:30", "09:10:00") +
             row("2", "1", "PENDING", "09:00:00", "None", "None") +
             row("3", "1", "RUNNING", "09:00:00", "09:00:30", "Unknown") +
             row("4", "1", "RUNNING", "09:00:00", "09:00:30", "") +
             row("5", "1", "COMPLETED", "09:00:00", "09:00:30", "09:00:31"));
  EXPECT_EQ(described(trace.workload), "5 0 1 1 completed start=30 vc=vcA user=u1\n");
  EXPECT_EQ(left_out(trace.report),
            "1 CPU only, 1 no start time (never ran), 2 no end time (still running)");
}

TEST(Helios, OriginIsTheEarliestSubmitOfTheReplayedJobs) {
  const LoadedTrace trace =
      loaded(kHeader + row("1", "0", "COMPLETED", "08:00:00", "08:00:00", "08:10:00") +
             row("2", "1", "COMPLETED", "09:00:00", "09:00:30", "09:10:00"));
  EXPECT_EQ(described(trace.workload), "2 0 1 570 completed start=30 vc=vcA user=u1\n");
}

TEST(Helios, RowsOfOneIdAndSubmitAreAttemptsOfOneJob) {
  const std::string text = kHeader +
                           row("7", "2", "NODE_FAIL", "09:00:00", "09:01:00", "09:11:00") +
                           row("8", "1", "COMPLETED", "09:00:00", "09:00:00", "09:00:10") +
                           row("7", "2", "COMPLETED", "09:00:00", "09:21:00", "09:51:00");
  const LoadedTrace span = loaded(text);
  EXPECT_EQ(described(span.workload),
            "7 0 2 3000 completed start=60 vc=vcA user=u1\n"  // 09:01 to 09:51
            "8 0 1 10 completed start=0 vc=vcA user=u1\n");
  EXPECT_EQ(span.report.read, 2U);
  EXPECT_TRUE(
      has_notice(span.report, "1 rows repeat the id and submit time of another (first: '7')"));
  LoadOptions options;
  options.run_time = RunTimeRule::attempts;
  EXPECT_EQ(jobs_of(text, options),
            "7 0 2 2400 completed start=60 vc=vcA user=u1\n"  // 600 + 1800
            "8 0 1 10 completed start=0 vc=vcA user=u1\n");
}

TEST(Helios, GpusAreThoseOfTheAttemptThatStartedFirst) {
  EXPECT_EQ(jobs_of(kHeader + row("7", "4", "COMPLETED", "09:00:00", "09:21:00", "09:51:00") +
                    row("7", "2", "NODE_FAIL", "09:00:00", "09:01:00", "09:11:00")),
            "7 0 2 3000 completed start=60 vc=vcA user=u1\n");
}

TEST(Helios, OneIdAtTwoTimesIsTwoJobs) {
  const LoadedTrace trace =
      loaded(kHeader + row("7", "2", "COMPLETED", "09:00:00", "09:01:00", "09:11:00") +
             row("7", "2", "COMPLETED", "09:30:00", "09:31:00", "09:32:00"));
  EXPECT_EQ(trace.workload.size(), 2U);
  EXPECT_TRUE(has_notice(trace.report, "1 ids name more than one job (first: '7')"));
}

TEST(Helios, WaitsThatAreAllZeroAreTold) {
  const std::string waited = row("1", "1", "COMPLETED", "09:00:00", "09:00:01", "09:10:00"),
                    one = row("2", "1", "COMPLETED", "09:00:00", "09:00:00", "09:10:00"),
                    two = row("3", "1", "COMPLETED", "09:00:10", "09:00:10", "09:10:00");
  EXPECT_TRUE(has_notice(loaded(kHeader + one + two).report, "every recorded wait is zero"));
  EXPECT_FALSE(has_notice(loaded(kHeader + one + two + waited).report, "recorded wait"));
}

TEST(Helios, MissingSubmitTakesANamedStandIn) {
  const LoadedTrace trace = loaded(
      "job_id,user,vc,gpu_num,node_num,state,start_time,end_time\n"
      "7,u1,vcA,2,1,COMPLETED,2020-09-01 09:00:00,2020-09-01 09:00:10\n",
      with_map({{"submit", "start_time"}}));
  EXPECT_EQ(described(trace.workload), "7 0 2 10 completed start=0 vc=vcA user=u1\n");
  EXPECT_TRUE(has_notice(trace.report, "submit times are stand-ins: column 'start_time'"));
}

TEST(Helios, UserVcAndStateMayBeAbsent) {
  EXPECT_EQ(jobs_of("job_id,gpu_num,submit_time,start_time,end_time\n"
                    "7,2,2020-09-01 09:00:00,2020-09-01 09:00:00,2020-09-01 09:00:10\n",
                    with_format("helios")),
            "7 0 2 10 start=0\n");
}

TEST(Helios, CaseOfVcNamesCounts) {
  const LoadedTrace trace = loaded(
      "job_id,user,vc,gpu_num,node_num,state,submit_time,start_time,end_time\n"
      "1,a,vcJLV,1,1,COMPLETED,2020-09-01 09:00:00,2020-09-01 09:00:00,2020-09-01 09:00:10\n"
      "2,a,vcjlv,1,1,COMPLETED,2020-09-01 09:00:00,2020-09-01 09:00:00,2020-09-01 09:00:10\n");
  EXPECT_EQ(trace.workload.vcs().size() - 1, 2U);
}

}  // namespace
}  // namespace orrery::test
