// Which jobs are replayed: --from, --to, --vc, --status, --limit; and --load.
#include "unit/trace/loaded.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orrery::test {
namespace {

// Not in order of submit, so that canonical order and row order differ.
const std::string kTrace =
    "job_id,submit,gpus,duration,vc,trace_status,recorded_start\n"
    "e,40,1,1,y,completed,41\n"
    "a,0,1,1,x,completed,0\n"
    "b,10,1,1,y,killed,10\n"
    "c,20,1,1,x,failed,25\n"
    "d,30,1,1,,,\n";

/// The ids that are left, in canonical order, and what was left out.
std::string kept(const LoadOptions& options, std::string_view text = kTrace) {
  const LoadedTrace trace = loaded(text, options);
  std::string ids;
  for (std::size_t i = 0; i < trace.workload.size(); ++i) ids += trace.workload.id_text(JobId{i});
  const std::string out = left_out(trace.report);
  return ids + (out.empty() ? "" : "; " + out);
}

LoadOptions window(const char* from, const char* to) {
  LoadOptions options;
  if (from != nullptr) options.from = parse_time_bound(from);
  if (to != nullptr) options.to = parse_time_bound(to);
  return options;
}

TEST(Selection, WindowIncludesItsStartAndNotItsEnd) {
  EXPECT_EQ(kept(window("10", "30")), "bc; 3 outside --from and --to");
  EXPECT_EQ(kept(window("10", nullptr)), "bcde; 1 outside --from and --to");
  EXPECT_EQ(kept(window(nullptr, "10s")), "a; 4 outside --from and --to");
  EXPECT_EQ(kept(window("9999ms", "10000.001ms")), "b; 4 outside --from and --to");
}

TEST(Selection, WindowDoesNotMoveTheOrigin) {
  EXPECT_EQ(jobs_of(kTrace, window("30", nullptr)), "d 30 1 1\ne 40 1 1 completed start=41 vc=y\n");
}

TEST(Selection, LimitCountsInCanonicalOrderAfterTheOthers) {
  LoadOptions options;
  options.limit = 2;
  EXPECT_EQ(kept(options), "ab; 3 past --limit");
  options.from = parse_time_bound("15");
  EXPECT_EQ(kept(options), "cd; 2 outside --from and --to, 1 past --limit");
  options.limit = 0;
  EXPECT_EQ(kept(options), "; 2 outside --from and --to, 3 past --limit");
}

TEST(Selection, VcsAndStatuses) {
  LoadOptions options;
  options.vcs = {"x"};
  EXPECT_EQ(kept(options), "ac; 3 not in a chosen VC");
  options.vcs = {"x", "y"};
  EXPECT_EQ(kept(options), "abce; 1 not in a chosen VC");
  options.statuses = {"completed", "failed"};
  EXPECT_EQ(kept(options), "ace; 1 not in a chosen VC, 1 not of a chosen status");
  options.vcs.clear();
  options.statuses = {"unknown"};
  EXPECT_EQ(kept(options), "d; 4 not of a chosen status");
}

TEST(Selection, WhatMatchesNothingNamesTheSpanOfTheTrace) {
  LoadOptions options = window("41", nullptr);
  EXPECT_TRUE(has_notice(loaded(kTrace, options).report,
                         "no job is selected; the trace has submits from 0 s to 40 s"));
  options = window("2018-01-01", nullptr);
  EXPECT_TRUE(has_notice(loaded("job_id,submit,gpus,duration\na,2017-10-07,1,1\n", options).report,
                         "no job is selected; the trace has submits from 2017-10-07 00:00:00 to "
                         "2017-10-07 00:00:00"));
}

TEST(Selection, RowOrderIsThatOfTheFile) {
  const LoadedTrace trace = loaded(kTrace, window("10", nullptr));
  std::string rows;
  for (std::size_t k = 0; k < trace.workload.size(); ++k)
    rows += trace.workload.id_text(trace.workload.at_row(k));
  EXPECT_EQ(rows, "ebcd");
}

TEST(Selection, DatesNeedACalendarAndOneKindOfZone) {
  const std::string naive =
      "job_id,submit,gpus,duration\na,2017-10-07,1,1\nb,2017-10-08 12:00:00,1,1\n";
  const std::string zoned =
      "job_id,submit,gpus,duration\na,2017-10-07T00:00:00Z,1,1\nb,2017-10-08T12:00:00Z,1,1\n";
  EXPECT_EQ(kept(window("2017-10-08", nullptr), naive), "b; 1 outside --from and --to");
  EXPECT_EQ(kept(window("1d", nullptr), naive), "b; 1 outside --from and --to");
  // 20:00 at +08:00 is 12:00 UTC, where b is.
  EXPECT_EQ(kept(window("2017-10-08T20:00:00+08:00", nullptr), zoned),
            "b; 1 outside --from and --to");
  EXPECT_EQ(error_of_text(kTrace, window("2017-10-08", nullptr)),
            "usage: '2017-10-08' is a date, but the times of this trace are seconds from its "
            "start");
  EXPECT_EQ(error_of_text(naive, window("2017-10-08T00:00:00Z", nullptr)),
            "usage: '2017-10-08T00:00:00Z' names a time zone, but the times of this trace have "
            "none: give both or neither");
  EXPECT_EQ(error_of_text(zoned, window(nullptr, "2017-10-08")),
            "usage: '2017-10-08' lacks a time zone, but the times of this trace have one: give "
            "both or neither");
}

TEST(Selection, TextsThatAreNoBound) {
  const auto error = [](std::string_view text) {
    return error_of([&] { parse_time_bound(text); });
  };
  EXPECT_EQ(error("20170328"),
            "usage: '20170328' could be a date or a number of seconds: write 2017-03-28, or "
            "20170328s");
  EXPECT_EQ(error("20170328s"), "nothing");
  EXPECT_EQ(error("2017-02-29"),
            "usage: '2017-02-29' is no date like 2017-10-07 or 2017-10-07T01:00:10+08:00");
  for (const char* text : {"", "-1", "yesterday", "1e400", "2h30m", "2017-10"})
    EXPECT_EQ(error(text), fmt::format("usage: '{}' is no time: seconds, a duration such as 2h, or "
                                       "a date such as 2017-10-07",
                                       text));
}

TEST(Load, DividesTheGapsAndForgetsTheRecordedStarts) {
  LoadOptions options;
  options.load = 4;
  EXPECT_EQ(jobs_of(kTrace, options),
            "a 0 1 1 completed vc=x\nb 2.5 1 1 killed vc=y\nc 5 1 1 failed vc=x\nd 7.5 1 1\n"
            "e 10 1 1 completed vc=y\n");
  options.load = 0.5;
  options.from = parse_time_bound("20");  // the first job that is kept stays where it is
  EXPECT_EQ(jobs_of(kTrace, options), "c 20 1 1 failed vc=x\nd 40 1 1\ne 60 1 1 completed vc=y\n");
}

TEST(Load, RoundsToTheNearestMicrosecond) {
  LoadOptions options;
  options.load = 3;  // gaps of 1 and 2 us: 0.33 and 0.67
  EXPECT_EQ(
      jobs_of("job_id,submit,gpus,duration\na,0,1,1\nb,0.000001,1,1\nc,0.000002,1,1\n", options),
      "a 0 1 1\nb 0 1 1\nc 0.000001 1 1\n");
}

TEST(Load, ThatCannotBeIsRefused) {
  LoadOptions options;
  options.load = 0;
  EXPECT_EQ(error_of_text(kTrace, options), "usage: --load must be more than 0, got 0");
  options.load = -1;
  EXPECT_EQ(error_of_text(kTrace, options), "usage: --load must be more than 0, got -1");
  options.load = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of_text(kTrace, options), "usage: --load must be more than 0, got nan");
  options.load = 1e-12;
  EXPECT_EQ(error_of_text(kTrace, options),
            "usage: --load 1e-12 stretches the trace past the longest time");
  // Near the end of time the room is what is left of it.
  options.load = 0.9;
  EXPECT_EQ(error_of_text("job_id,submit,gpus,duration\na,288230376000,1,1\nb,288230376150,1,1\n",
                          options),
            "usage: --load 0.9 stretches the trace past the longest time");
}

}  // namespace
}  // namespace orrery::test
