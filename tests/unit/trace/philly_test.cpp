// Philly, the original job log: attempts with and without times, GPUs of the first, what is left
// out, the machine list beside it.
#include "support/scratch.hpp"
#include "unit/trace/loaded.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

/// A time of one morning as JSON, or the word as it is: "09:00:00", "None", null.
std::string time(const std::string& text) {
  if (text == "null") return text;
  return text.find(':') == std::string::npos ? "\"" + text + "\"" : "\"2017-10-07 " + text + "\"";
}

std::string attempt(const std::string& start, const std::string& end,
                    const std::string& gpus = R"("gpu0")") {
  return "{\"start_time\": " + time(start) + ", \"end_time\": " + time(end) +
         ", \"detail\": [{\"ip\": \"m1\", \"gpus\": [" + gpus + "]}]}";
}

std::string job(const std::string& id, const std::string& attempts,
                const std::string& submit = "09:00:00") {
  return "{\"status\": \"Pass\", \"vc\": \"6214e9\", \"jobid\": \"" + id + "\", \"attempts\": [" +
         attempts + "], \"submitted_time\": " + time(submit) + ", \"user\": \"ce2f0a\"}";
}

std::string log(const std::vector<std::string>& jobs) {
  return fmt::format("[\n{}\n]\n", fmt::join(jobs, ",\n"));
}

/// What the log of one job becomes, less the parts that all jobs share.
std::string run_of(const std::string& attempts, RunTimeRule rule = RunTimeRule::span) {
  LoadOptions options;
  options.run_time = rule;
  const LoadedTrace trace = loaded(log({job("j", attempts)}), options);
  if (trace.workload.size() == 0) return left_out(trace.report);
  const std::string whole = described(trace.workload);
  return whole.substr(4, whole.find(" completed") - 4);  // GPUs and run time
}

TEST(Philly, JobWithOneAttempt) {
  const LoadedTrace trace =
      loaded(log({job("application_1_0001", attempt("09:00:30", "09:10:00"))}));
  EXPECT_EQ(trace.report.format, "philly");
  EXPECT_EQ(described(trace.workload),
            "application_1_0001 0 1 570 completed start=30 vc=6214e9 user=ce2f0a\n");
  EXPECT_EQ(*trace.workload.calendar_origin(),
            (days_from_civil(2017, 10, 7) * 86400 + 9 * 3600) * 1'000'000);
}

TEST(Philly, SpanIsFirstStartToLastEndAndAttemptsAreSummed) {
  const std::string two = attempt("09:01:00", "09:11:00") + "," + attempt("09:21:00", "09:51:00");
  EXPECT_EQ(run_of(two), "1 3000");
  EXPECT_EQ(run_of(two, RunTimeRule::attempts), "1 2400");
}

// End unknown, complete (469 s after the first start), end unknown, start unknown: the rule of the
// traces' authors. Only the complete one counts as an attempt.
TEST(Philly, AttemptsWithoutATimeStillFrameTheSpan) {
  const std::string four = attempt("09:00:00", "None") + "," + attempt("09:02:00", "09:02:43") +
                           "," + attempt("09:04:00", "null") + "," + attempt("None", "09:07:49");
  EXPECT_EQ(run_of(four), "1 469");
  EXPECT_EQ(run_of(four, RunTimeRule::attempts), "1 43");
}

TEST(Philly, MissingTimesHaveManySpellings) {
  for (const char* missing : {"None", "none", "", "null", "NaT", "NA", "nan", "Unknown"}) {
    EXPECT_EQ(run_of(attempt("09:00:00", missing)), "1 no end time (still running)") << missing;
    EXPECT_EQ(run_of(attempt(missing, "09:10:00")), "1 no start time") << missing;
    EXPECT_EQ(run_of(attempt("09:00:00", missing) + "," + attempt(missing, "09:10:00")), "1 600")
        << missing;
  }
}

TEST(Philly, WhatNobodyCanReplayIsLeftOutByReason) {
  EXPECT_EQ(run_of(""), "1 no attempt (never ran)");
  EXPECT_EQ(run_of(attempt("09:00:00", "09:10:00", "")), "1 no GPUs in the first attempt");
  EXPECT_EQ(run_of(attempt("None", "None")), "1 no start time");
  EXPECT_EQ(run_of(attempt("09:00:00", "09:10:00") + "," + attempt("09:20:00", "None")),
            "1 no end time (still running)");
  const LoadedTrace trace = loaded(log({job("j", attempt("09:00:00", "09:10:00"), "None")}));
  EXPECT_EQ(left_out(trace.report), "1 no submit time");
}

TEST(Philly, MembersMayBeNullOrAbsent) {
  const LoadedTrace trace = loaded(
      R"([{"jobid": "a", "submitted_time": "2017-10-07 09:00:00", "attempts": null},)"
      R"({"jobid": "b", "submitted_time": "2017-10-07 09:00:00"},)"
      R"({"jobid": "c", "submitted_time": "2017-10-07 09:00:00", "attempts": [{"detail": null}]},)"
      R"({"jobid": "d", "submitted_time": "2017-10-07 09:00:00", "attempts": [{"start_time": )"
      R"("2017-10-07 09:00:00", "end_time": "2017-10-07 09:00:01", "detail": [{"gpus": null}, )"
      R"({"gpus": ["gpu0"], "ip": null}]}], "status": null, "vc": null, "user": null}])");
  EXPECT_EQ(described(trace.workload), "d 0 1 1 start=0\n");
  EXPECT_EQ(left_out(trace.report), "2 no attempt (never ran), 1 no GPUs in the first attempt");
}

TEST(Philly, GpusAreThoseOfTheFirstAttemptOverAllItsServers) {
  const std::string spread =
      R"({"start_time": "2017-10-07 09:00:00", "end_time": "2017-10-07 09:00:01", "detail": [)"
      R"({"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu7"]}]})";
  EXPECT_EQ(run_of(spread + "," + attempt("09:00:02", "09:00:10")), "3 10");
  EXPECT_EQ(run_of(attempt("09:00:00", "09:00:01") + "," + spread), "1 1");
}

TEST(Philly, OtherMembersAreIgnoredHoweverDeep) {
  const LoadedTrace trace = loaded(
      R"([{"more": {"attempts": [{"detail": [{"gpus": ["gpu0"]}]}]}, "jobid": "j", "x": [1.5, true,)"
      R"( {"y": -3}], "submitted_time": "2017-10-07 09:00:00", "attempts": [{"start_time": )"
      R"("2017-10-07 09:00:00", "end_time": "2017-10-07 09:00:05", "gpus": ["gpu0"], "detail": )"
      R"([{"ip": "m1", "gpus": ["gpu0"], "detail": [{"gpus": ["gpu1"]}]}]}]}])");
  EXPECT_EQ(described(trace.workload), "j 0 1 5 start=0\n");
}

TEST(Philly, JobsAreSortedAndThatIsTold) {
  const LoadedTrace trace = loaded(log({job("b", attempt("09:30:00", "09:40:00"), "09:20:00"),
                                        job("a", attempt("09:30:00", "09:40:00"), "09:10:00")}));
  EXPECT_EQ(trace.workload.id_text(JobId{0U}), "a");
  EXPECT_TRUE(has_notice(trace.report, "rows are not in order of submit time"));
}

TEST(Philly, OneIdAndSubmitIsOneJobOfSeveralAttempts) {
  const LoadedTrace trace = loaded(
      log({job("j", attempt("09:01:00", "09:11:00")), job("j", attempt("09:21:00", "09:51:00")),
           job("j", attempt("09:59:00", "09:59:01"), "09:58:00")}));
  EXPECT_EQ(described(trace.workload),
            "j 0 1 3000 completed start=60 vc=6214e9 user=ce2f0a\n"
            "j 3480 1 1 completed start=3540 vc=6214e9 user=ce2f0a\n");
  EXPECT_TRUE(has_notice(trace.report, "1 rows repeat the id and submit time of another"));
  EXPECT_TRUE(has_notice(trace.report, "1 ids name more than one job"));
}

// The clock of the site went back on 5 November 2017: a difference of naive times, no hour added.
TEST(Philly, NightWithTwoHoursOfOneNameIsNaive) {
  EXPECT_EQ(jobs_of(R"([{"jobid": "j", "submitted_time": "2017-11-05 00:30:00", "attempts": [{)"
                    R"("start_time": "2017-11-05 00:30:00", "end_time": "2017-11-05 03:30:00", )"
                    R"("detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]}])"),
            "j 0 1 10800 start=0\n");
}

TEST(Philly, ByteOrderMarkAndMinifiedTextAreRead) {
  const std::string text = log({job("j", attempt("09:00:00", "09:00:07"))});
  EXPECT_EQ(loaded("\xef\xbb\xbf" + text).workload.size(), 1U);
  std::string minified;
  std::remove_copy(text.begin(), text.end(), std::back_inserter(minified), '\n');
  EXPECT_EQ(loaded(minified).workload.size(), 1U);
}

TEST(Philly, EmptyLogIsATraceWithoutJobs) {
  EXPECT_EQ(loaded("[]").report.read, 0U);
}

TEST(Philly, LenientLeavesOutEachMalformedJobOnce) {
  const LoadedTrace trace =
      loaded(log({job("", attempt("soon", "later"), "x"), job("a", attempt("09:10:00", "09:00:00")),
                  job("b", attempt("08:00:00", "08:10:00")), job("c", "", "x"),
                  job("d", attempt("09:00:00", "09:10:00"))}),
             with_strictness(Strictness::lenient));
  EXPECT_EQ(trace.workload.size(), 1U);
  EXPECT_EQ(left_out(trace.report), "4 malformed");
}

// Long texts come apart at the borders of the reader's blocks; the jobs must not.
TEST(Philly, BlocksOfTheReaderLeaveNoTrace) {
  std::vector<std::string> jobs;
  for (int i = 0; i < 2000; ++i)
    jobs.push_back(
        job(fmt::format("application_{:0{}}", i, 1 + i % 90), attempt("09:00:00", "09:10:00")));
  const LoadedTrace trace = loaded(log(jobs));
  EXPECT_EQ(trace.workload.size(), 2000U);
  EXPECT_EQ(trace.workload.id_text(trace.workload.at_row(1999)),
            fmt::format("application_{:0{}}", 1999, 1 + 1999 % 90));
}

class MachineList : public testing::Test {
 protected:
  /// The notices that a log gives beside a machine list.
  LoadReport report(const std::vector<std::string>& jobs, std::string_view list,
                    const std::string& name = "cluster_machine_list") {
    scratch_.file(name, list);
    return load_trace(scratch_.file("cluster_job_log", log(jobs)), {}).report;
  }
  Scratch scratch_;
};

TEST_F(MachineList, IsComparedAndNeverBelieved) {
  const LoadReport got =
      report({job("j", attempt("09:00:00", "09:10:00", R"("gpu0", "gpu7")"))},
             "machineId,number of GPUs,single GPU mem\nm1,2, 24GB\nm2,8, 24GB\n");
  EXPECT_EQ(got.replayed, 1U);
  EXPECT_TRUE(has_notice(
      got, "machine m1: the machine list says 2 GPUs, jobs used gpu7; the jobs are kept"));
}

TEST_F(MachineList, MayNameTheMachineAfterItsGpus) {
  const LoadReport got = report(
      {R"({"jobid": "j", "submitted_time": "2017-10-07 09:00:00", "attempts": [{"start_time": )"
       R"("2017-10-07 09:00:00", "end_time": "2017-10-07 09:00:05", "detail": [)"
       R"({"gpus": ["gpu0"], "ip": "m1"}, {"gpus": ["gpu7"], "ip": "m2"}]}]})"},
      "m1,2\nm2,2\n");
  EXPECT_FALSE(has_notice(got, "machine m1:"));
  EXPECT_TRUE(has_notice(got, "machine m2: the machine list says 2 GPUs, jobs used gpu7"));
}

TEST_F(MachineList, AgreesInSilenceAndMayHoldAnything) {
  const std::vector<std::string> jobs{job("j", attempt("09:00:00", "09:10:00", R"("gpu0")"))};
  EXPECT_TRUE(report(jobs, "m1,8\n").notices.empty());
  EXPECT_TRUE(report(jobs, "m1,eight\nm1\n", "cluster_machine_list.csv").notices.empty());
}

TEST_F(MachineList, TellsOfTenMachinesAndCountsTheRest) {
  std::string servers, list;
  for (int i = 0; i < 15; ++i) {
    servers += fmt::format(R"({}{{"ip": "m{}", "gpus": ["gpu3"]}})", i == 0 ? "" : ",", i);
    list += fmt::format("m{},2\n", i);
  }
  const LoadReport got = report(
      {R"({"jobid": "j", "submitted_time": "2017-10-07 09:00:00", "attempts": [{"start_time": )"
       R"("2017-10-07 09:00:00", "end_time": "2017-10-07 09:00:05", "detail": [)" +
       servers + "]}]}"},
      list);
  EXPECT_EQ(got.notices.size(), 11U);
  EXPECT_TRUE(has_notice(got, "5 more machines have fewer GPUs in the list than jobs used"));
}

}  // namespace
}  // namespace orrery::test
