// Plain tables: what a text becomes, by column names, aliases and --map, in every spelling of a
// line.
#include "unit/trace/loaded.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

struct Good {
  const char* text;
  const char* jobs;  ///< see described()
};

TEST(Csv, TextsAndTheirJobs) {
  const Good list[] = {
      {"job_id,submit,gpus,duration\na,0,1,10\nb,5,2,20\n", "a 0 1 10\nb 5 2 20\n"},
      // Columns in any order, others among them; blanks and quotes around values.
      {"duration,extra,gpus,submit,job_id\n10,x,1,0,a\n", "a 0 1 10\n"},
      {"job_id, submit ,gpus,duration\n a , 0,\t1 ,10\n", "a 0 1 10\n"},
      {"\"job_id\",\"submit\",\"gpus\",\"duration\"\n\"a\",\"0\",\"1\",\"10\"\n", "a 0 1 10\n"},
      {"job_id,submit,gpus,duration\n\"a,\"\"b\"\"\",0,1,10\n", "a,\"b\" 0 1 10\n"},
      // Ends of lines and of the file.
      {"job_id,submit,gpus,duration\r\na,0,1,10\r\nb,5,1,10\r\n", "a 0 1 10\nb 5 1 10\n"},
      {"job_id,submit,gpus,duration\na,0,1,10", "a 0 1 10\n"},
      {"job_id,submit,gpus,duration\r\na,0,1,10\r", "a 0 1 10\n"},
      {"\n\njob_id,submit,gpus,duration\n\n \t\na,0,1,10\n\n\n", "a 0 1 10\n"},
      {"\xef\xbb\xbfjob_id,submit,gpus,duration\na,0,1,10\n", "a 0 1 10\n"},
      {"job_id,submit,gpus,duration,\na,0,1,10,\n", "a 0 1 10\n"},
      {"job_id,submit,gpus,duration\na,0,1,10,\n", "a 0 1 10\n"},  // a trailing comma
      // No ids: the row is the id.
      {"submit,gpus,duration\n5,1,10\n0,2,20\n", "1 0 2 20\n0 5 1 10\n"},
      // Ids are texts, whatever they look like; runs of digits order as numbers.
      {"job_id,submit,gpus,duration\n10,0,1,1\n9,0,1,1\n007,0,1,1\n9007199254740993,0,1,1\nx_2,0,1,"
       "1\n",
       "007 0 1 1\n9 0 1 1\n10 0 1 1\n9007199254740993 0 1 1\nx_2 0 1 1\n"},
      // Numbers: fractions are rounded once, to the nearest microsecond, halves up.
      {"job_id,submit,gpus,duration\na,0.1,1,0.0000005\nb,0.25,1.0,0.0000004\nc,1e2,2.00,2.5e-3\n",
       "a 0.1 1 0.000001\nb 0.25 1 0\nc 100 2 0.0025\n"},
      {"job_id,submit,gpus,duration\na,0,1,0\nb,0,1,288230376151\n",
       "a 0 1 0\nb 0 1 288230376151\n"},  // zero is a length; nearly 2^58 us is one, too
      {"job_id,submit,gpus,duration\na,+5,1,10\n", "a 5 1 10\n"},
      // Every optional column.
      {"job_id,submit,gpus,duration,user,vc,name,model,trace_status,walltime,recorded_start\n"
       "a,1,2,30,u,v,n,m,COMPLETED,60,5\nb,2,1,1,,,,,,,\n",
       "a 1 2 30 completed start=5 walltime=60 vc=v user=u name=n model=m\nb 2 1 1\n"},
      {"job_id,submit,gpus,duration,status\na,0,1,1,Pass\nb,0,1,1,Killed\nc,0,1,1,CANCELLED\nd,0,1,"
       "1,CANCELED\ne,0,1,1,failed\nf,0,1,1,TIMEOUT\ng,0,1,1,NODE_FAIL\nh,0,1,1,SUSPENDED\n",
       "a 0 1 1 completed\nb 0 1 1 killed\nc 0 1 1 killed\nd 0 1 1 killed\ne 0 1 1 failed\nf 0 1 1 "
       "failed\ng 0 1 1 failed\nh 0 1 1\n"},
      // Dates: the earliest submit is the origin.
      {"job_id,submit,gpus,duration\na,2017-10-07 01:00:10,1,5\nb,2017-10-07,1,5\n",
       "b 0 1 5\na 3610 1 5\n"},
      {"job_id,submit,gpus,duration\na,2020-02-28T23:59:59.5,1,5\nb,2020-02-29 "
       "00:00:00,1,5\nc,2020-"
       "03-01,1,5\n",
       "a 0 1 5\nb 0.5 1 5\nc 86400.5 1 5\n"},  // a leap day
      {"job_id,submit,gpus,duration\na,2023-05-01T08:00:00+08:00,1,5\nb,2023-05-01T00:00:01Z,1,"
       "5\nc,2023-04-30T19:00:02-0500,1,5\n",
       "a 0 1 5\nb 1 1 5\nc 2 1 5\n"},
      {"job_id,submit,gpus,duration,recorded_start\na,2017-10-07,1,5,2017-10-07 00:01:00\n",
       "a 0 1 5 start=60\n"}};
  for (const Good& good : list) EXPECT_EQ(jobs_of(good.text), good.jobs) << good.text;
}

TEST(Csv, NamesAColumnMayHave) {
  for (const char* id : {"job_id", "#job id", "job id", "jobid", "id"})
    EXPECT_EQ(jobs_of(std::string{id} + ",submit,gpus,duration\na,1,2,3\n"), "a 1 2 3\n") << id;
  for (const char* submit : {"submit", "submit_s", "submit_time", "arrival_s", "arrival",
                             "arrival time (sec)", "arrival_time", "timestamp", "submission_time"})
    EXPECT_EQ(jobs_of("id," + std::string{submit} + ",gpus,duration\na,1,2,3\n"), "a 1 2 3\n")
        << submit;
  for (const char* gpus : {"gpus", "num_gpus", "num_gpu", "gpu_num", "gpu_count", "size"})
    EXPECT_EQ(jobs_of("id,submit," + std::string{gpus} + ",duration\na,1,2,3\n"), "a 1 2 3\n")
        << gpus;
  for (const char* duration : {"duration", "duration_s", "service_sec", "service time (sec)",
                               "duration (sec)", "run_time", "runtime"})
    EXPECT_EQ(jobs_of("id,submit,gpus," + std::string{duration} + "\na,1,2,3\n"), "a 1 2 3\n")
        << duration;
  for (const char* vc : {"vc", "cluster", "tenant"})
    EXPECT_EQ(jobs_of("id,submit,gpus,duration," + std::string{vc} + "\na,1,2,3,x\n"),
              "a 1 2 3 vc=x\n")
        << vc;
}

TEST(Csv, PreferredNameWinsAndTheOtherIsToldUnused) {
  const LoadedTrace trace = loaded("id,arrival,submit,gpus,duration\na,7,1,2,3\n");
  EXPECT_EQ(described(trace.workload), "a 1 2 3\n");
  EXPECT_TRUE(has_notice(trace.report, "columns not used: arrival"));
}

TEST(Csv, MapNamesTheColumn) {
  const LoadedTrace trace =
      loaded("job,arrive_ts,gpus,seconds,submit\na,1,2,3,99\n",
             with_map({{"job_id", "job"}, {"submit", "arrive_ts"}, {"duration", "seconds"}}));
  EXPECT_EQ(described(trace.workload), "a 1 2 3\n");
  EXPECT_EQ(trace.report.run_time_meaning, "column 'seconds'");
}

TEST(Csv, DerivedPhillyLayoutsAreCalledPhilly) {
  const LoadedTrace rfold = loaded(
      "#job id,arrival time (sec),topology,shape,service time (sec),size\r\n"
      "3,60,1x2,2,100.0,2\r\n");
  EXPECT_EQ(rfold.report.format, "philly");
  EXPECT_EQ(described(rfold.workload), "3 60 2 100\n");
  const LoadedTrace sia = loaded(
      "timestamp,duration,num_gpus,gpu_time,cluster\n"
      "2017-10-03 20:31:01,100,2,200,6214e9\n2017-10-03 20:31:01,100,2,200,6214e9\n\n");
  EXPECT_EQ(sia.report.format, "philly");
  EXPECT_EQ(described(sia.workload), "0 0 2 100 vc=6214e9\n1 0 2 100 vc=6214e9\n");  // two jobs
  EXPECT_TRUE(has_notice(sia.report, "the trace has no job ids"));
}

TEST(Csv, WhatNobodyCanReplayIsLeftOutByReason) {
  const LoadedTrace trace = loaded(
      "job_id,submit,gpus,duration\na,0,0,5\nb,0,0.0,5\nc,0,,5\nd,0,1,\ne,0,1,None\nf,0,1,NaN\n"
      "g,0,1,5\nh,0,NA,5\n");
  EXPECT_EQ(described(trace.workload), "g 0 1 5\n");
  EXPECT_EQ(left_out(trace.report), "2 CPU only, 2 no GPU count, 3 no run time (still running)");
  EXPECT_EQ(trace.report.read, 8U);
}

TEST(Csv, LenientLeavesOutEachMalformedRowOnce) {
  const LoadedTrace trace = loaded(
      "job_id,submit,gpus,duration\na,x,y,z\nb,0,1,5\n,0,1,\n,0,0,5\nc,-1,1,5\nd,0,1\ne,1,1,5\n",
      with_strictness(Strictness::lenient));
  EXPECT_EQ(described(trace.workload), "b 0 1 5\ne 1 1 5\n");
  EXPECT_EQ(left_out(trace.report), "5 malformed");
}

TEST(Csv, LenientReadsDatesAfterARowWithoutOne) {
  const LoadedTrace trace =
      loaded("job_id,submit,gpus,duration\na,soon,1,5\nb,2017-10-07,1,5\nc,2017-10-08,1,5\n",
             with_strictness(Strictness::lenient));
  EXPECT_EQ(described(trace.workload), "b 0 1 5\nc 86400 1 5\n");
}

TEST(Csv, WalltimeOfZeroIsNoneWithANotice) {
  const LoadedTrace trace = loaded(
      "job_id,submit,gpus,duration,walltime\na,0,1,5,0\nb,0,1,5,\nc,0,1,5,60\nd,0,1,5,0.0\n");
  EXPECT_EQ(described(trace.workload), "a 0 1 5\nb 0 1 5\nc 0 1 5 walltime=60\nd 0 1 5\n");
  EXPECT_TRUE(has_notice(trace.report, "2 jobs have a walltime of 0, read as none"));
}

TEST(Csv, OtherColumnsAreToldSafely) {
  const LoadedTrace trace = loaded("job_id,submit,gpus,duration,note\x1b[2J,color\na,0,1,5,n,c\n");
  EXPECT_TRUE(has_notice(trace.report, "columns not used: note\\x1b[2J, color"));
}

TEST(Csv, HeaderAloneIsATraceWithoutJobs) {
  const LoadedTrace trace = loaded("job_id,submit,gpus,duration\n");
  EXPECT_EQ(trace.workload.size(), 0U);
  EXPECT_EQ(trace.report.read, 0U);
}

TEST(Csv, RepeatedIdsAreSeparateJobsAndTold) {
  const LoadedTrace trace =
      loaded("job_id,submit,gpus,duration\na,0,1,5\nb,1,1,5\na,2,1,5\na,2,1,5\n");
  EXPECT_EQ(described(trace.workload), "a 0 1 5\nb 1 1 5\na 2 1 5\na 2 1 5\n");
  EXPECT_TRUE(has_notice(trace.report, "1 ids name more than one job (first: 'a')"));
}

TEST(Csv, AttemptsRuleIsToldToChangeNothing) {
  LoadOptions options;
  options.run_time = RunTimeRule::attempts;
  const LoadedTrace trace = loaded("job_id,submit,gpus,duration\na,0,1,5\n", options);
  EXPECT_EQ(described(trace.workload), "a 0 1 5\n");
  EXPECT_TRUE(has_notice(trace.report, "--run-time attempts changes nothing"));
}

TEST(Csv, IdsAreKeptByteForByte) {
  const LoadedTrace trace = loaded("job_id,submit,gpus,duration\n" + std::string(1024, 'x') +
                                   ",0,1,5\n\x1b]0;t\x07,1,1,5\n");
  EXPECT_EQ(trace.workload.id_text(JobId{0U}), std::string(1024, 'x'));
  EXPECT_EQ(trace.workload.id_text(JobId{1U}), "\x1b]0;t\x07");
}

TEST(Csv, LineOfTheLongestLengthIsRead) {
  LoadOptions options;
  options.limits.longest_line = 64;
  const std::string header = "job_id,submit,gpus,duration,note\n";
  const std::string row = "a,0,1,5," + std::string(64 - 8, 'n');
  EXPECT_EQ(jobs_of(header + row + "\n", options), "a 0 1 5\n");
  EXPECT_EQ(error_of_text(header + row + "n\n", options),
            "input: t:2: the line is longer than the limit of 64 bytes");
}

}  // namespace
}  // namespace orrery::test
