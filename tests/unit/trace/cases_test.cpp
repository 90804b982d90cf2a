// Kinds of fault that people met when they read traces with other programs (the numbers are those
// of the collected cases), each as a whole kind rather than the one input.
#include "support/scratch.hpp"
#include "support/shared.hpp"
#include "unit/trace/loaded.hpp"

#include "orrery/base/random.hpp"
#include "orrery/trace/info.hpp"

#include <boost/random/uniform_int_distribution.hpp>
#include <gtest/gtest.h>

#include <set>

namespace orrery::test {
namespace {

const std::string kHelios =
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
    "queue\n";

/// A log of one attempt on a GPU a job, with the times as JSON.
std::string philly_job(const std::string& id, const std::string& submit, const std::string& start,
                       const std::string& end) {
  return "{\"jobid\": \"" + id + "\", \"submitted_time\": " + submit +
         ", \"attempts\": [{\"start_time\": " + start + ", \"end_time\": " + end +
         ", \"detail\": [{\"ip\": \"m1\", \"gpus\": [\"gpu0\"]}]}]}";
}

/// Every order of words that a source of times may leave one out with.
const std::vector<std::string> kMissing{"",    "None", "none", "null", "NULL",   "nan",
                                        "NaN", "NA",   "NaT",  "nat",  "Unknown"};

// C001, C020: an unknown start or end is never a time, in no format and no spelling.
TEST(ReadingCase, C001C020MissingTimesAreNeverMadeUp) {
  for (const std::string& word : kMissing) {
    const std::string known = R"("2017-10-07 01:00:00")", missing = "\"" + word + "\"";
    for (const auto& [start, end] :
         {std::pair{known, missing}, std::pair{missing, known}, std::pair{missing, missing}}) {
      const LoadedTrace trace =
          loaded("[" + philly_job("a", known, start, end) + "," +
                 philly_job("b", known, known, R"("2017-10-07 01:10:00")") + "]");
      EXPECT_EQ(described(trace.workload), "b 0 1 600 start=0\n") << word;
    }
    const std::string row = ",u,v,1,1,1,S,2020-04-01 00:00:00,";
    EXPECT_EQ(jobs_of(kHelios + "1" + row + word + ",2020-04-01 00:00:01,,\n" + "2" + row +
                      "2020-04-01 00:00:00," + word + ",,\n3" + row + word + "," + word + ",,\n4" +
                      row + "2020-04-01 00:00:00,2020-04-01 00:00:09,,\n"),
              "4 0 1 9 start=0 vc=v user=u\n")
        << word;
    EXPECT_EQ(jobs_of("job_id,submit,gpus,duration,walltime,recorded_start\na,0,1," + word +
                      ",,\nb,0,1,5," + word + "," + word + "\n"),
              "b 0 1 5\n")
        << word;
  }
}

// C003: a machine list may say anything; the jobs are those of the log.
TEST(ReadingCase, C003MachineListChangesNoJob) {
  const std::string log = "[" +
                          philly_job("a", R"("2017-10-07 01:00:00")", R"("2017-10-07 01:00:00")",
                                     R"("2017-10-07 01:00:09")") +
                          "]";
  for (const char* list : {"m1,0\n", "m1,-7\n", "m1,x\n", "m2,8\n", "machineId,number of GPUs\n",
                           "m1,99999999999999999999\n", "a\n", "\n\nm1\n"}) {
    const Scratch scratch;
    scratch.file("cluster_machine_list", list);
    EXPECT_EQ(described(load_trace(scratch.file("log", log), {}).workload), "a 0 1 9 start=0\n")
        << list;
  }
}

// C013: seconds from a start have no date, however large.
TEST(ReadingCase, C013RelativeSecondsHaveNoCalendar) {
  for (const char* submit : {"0", "87000", "1507338000", "1.5e9"}) {
    const LoadedTrace trace =
        loaded("job_id,submit,gpus,duration\na," + std::string{submit} + ",1,10\n");
    EXPECT_FALSE(trace.workload.calendar_origin()) << submit;
    const TraceInfo info = trace_info(trace.workload);
    EXPECT_FALSE(info.first_submit) << submit;
    EXPECT_EQ(trace_info_text(trace.report, info).find("1970"), std::string::npos) << submit;
  }
}

// C018: nothing is overwritten. Records of one submit time are one job, others are others, and both
// are told, however the rows are mixed.
TEST(ReadingCase, C018RecordsOfOneIdInAnyOrder) {
  std::vector<std::string> rows{
      "7,u,v,1,1,1,F,2020-04-01 00:00:00,2020-04-01 00:00:00,2020-04-01 00:10:00,,\n",
      "7,u,v,1,1,1,F,2020-04-01 00:00:00,2020-04-01 00:20:00,2020-04-01 00:30:00,,\n",
      "7,u,v,1,1,1,F,2020-04-01 00:00:00,2020-04-01 00:40:00,2020-04-01 00:50:00,,\n",
      "7,u,v,2,1,1,F,2020-04-02 00:00:00,2020-04-02 00:00:00,2020-04-02 00:00:05,,\n",
      "8,u,v,1,1,1,F,2020-04-01 00:00:00,2020-04-01 00:00:00,2020-04-01 00:00:07,,\n"};
  std::sort(rows.begin(), rows.end());
  do {
    std::string text = kHelios;
    for (const std::string& row : rows) text += row;
    const LoadedTrace trace = loaded(text);
    EXPECT_EQ(described(trace.workload),
              "7 0 1 3000 start=0 vc=v user=u\n8 0 1 7 start=0 vc=v user=u\n"
              "7 86400 2 5 start=86400 vc=v user=u\n");
    EXPECT_EQ(trace.report.read, 3U);
    EXPECT_TRUE(has_notice(trace.report, "2 rows repeat the id and submit time of another"));
    EXPECT_TRUE(has_notice(trace.report, "1 ids name more than one job (first: '7')"));
  } while (std::next_permutation(rows.begin(), rows.end()));
}

// C019: an id comes back byte for byte.
TEST(ReadingCase, C019IdsAreTexts) {
  for (const char* id : {"31364111_2", "dlc9zz07", "9007199254740993", "18446744073709551616",
                         "007", "0", "-1", "1e5", "1.0", "NaN", "a b", "\xc3\xa9t\xc3\xa9", "=1+1",
                         "application_1506638472019_0042", "a\"b", "x,y", "\xff\xfe"}) {
    std::string quoted{"\""};
    for (const char* c = id; *c != '\0'; ++c) quoted += *c == '"' ? "\"\"" : std::string(1, *c);
    const LoadedTrace csv = loaded("job_id,submit,gpus,duration\n" + quoted + "\",0,1,5\n");
    EXPECT_EQ(csv.workload.id_text(JobId{0U}), id);
  }
  for (const char* id : {"007", "9007199254740993", "a\\\"b"}) {
    const LoadedTrace philly =
        loaded("[" +
               philly_job(id, R"("2017-10-07 01:00:00")", R"("2017-10-07 01:00:00")",
                          R"("2017-10-07 01:00:00")") +
               "]");
    EXPECT_EQ(philly.workload.id_text(JobId{0U}), id == std::string{"a\\\"b"} ? "a\"b" : id);
  }
}

// C023: nobody's estimate is made of the true run time.
TEST(ReadingCase, C023RunTimesAreNoEstimates) {
  EXPECT_FALSE(loaded("job_id,submit,gpus,duration\na,0,1,5\n").workload.has_walltimes());
  EXPECT_FALSE(loaded(kHelios + "1,u,v,1,1,1,S,2020-04-01,2020-04-01,2020-04-02,,\n")
                   .workload.has_walltimes());
  const LoadedTrace some = loaded("job_id,submit,gpus,duration,walltime\na,0,1,5,\nb,0,1,5,60\n");
  EXPECT_FALSE(some.workload.walltime(JobId{0U}));
  EXPECT_EQ(some.workload.walltime(JobId{1U}), Duration{60'000'000});
}

// C024: a limit of zero is none, with a notice, however it is spelt.
TEST(ReadingCase, C024WalltimeOfZeroIsNone) {
  for (const char* zero : {"0", "0.0", "0.000000", "0e9", "-0", "0.0000001"}) {
    const LoadedTrace trace =
        loaded("job_id,submit,gpus,duration,walltime\na,0,1,5," + std::string{zero} + "\n");
    EXPECT_FALSE(trace.workload.walltime(JobId{0U})) << zero;
    EXPECT_TRUE(has_notice(trace.report, "1 jobs have a walltime of 0")) << zero;
  }
}

// C025: marks, line ends and quotes leave no trace, in any combination.
TEST(ReadingCase, C025SpreadsheetsLeaveNoTrace) {
  const std::vector<std::vector<std::string>> table{{"job_id", "submit", "gpus", "duration", "vc"},
                                                    {"1", "0", "1", "10", "team, one"},
                                                    {"2", "10", "1", "10", "two"}};
  for (int form = 0; form < 32; ++form) {
    const bool mark = (form & 1) != 0, crlf = (form & 2) != 0, quotes = (form & 4) != 0,
               ended = (form & 8) != 0, blank = (form & 16) != 0;
    std::string text = mark ? "\xef\xbb\xbf" : "";
    for (const auto& row : table) {
      for (const std::string& cell : row) {
        const bool quoted = quotes || cell.find(',') != std::string::npos;
        text += (&cell == &row.front() ? "" : ",") + (quoted ? "\"" + cell + "\"" : cell);
      }
      if (&row != &table.back() || ended) text += crlf ? "\r\n" : "\n";
      if (blank && &row != &table.back()) text += crlf ? "\r\n" : "\n";
    }
    EXPECT_EQ(jobs_of(text), "1 0 1 10 vc=team, one\n2 10 1 10 vc=two\n") << form;
  }
}

// C026: a pointer is named, whatever format was asked for.
TEST(ReadingCase, C026PointerFilesAreNamed) {
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:"
      "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
  for (const char* format : {"auto", "csv", "helios", "philly"})
    for (const char* before : {"", "\n", "  "})
      EXPECT_NE(error_of_text(before + pointer, with_format(format)).find("Git LFS pointer"),
                std::string::npos)
          << format;
}

// C027, C028, C029: a value that cannot be is told with file, line, column, name and value; lenient
// replays the rest; nothing wraps.
TEST(ReadingCase, C027C028C029ValuesThatCannotBe) {
  const char* const kNames[] = {"submit", "gpus", "duration"};
  const char* const kBad[] = {
      "x",   "-1",  "1e300", "-1e300", "inf",    "-inf", "0x5",
      "1 2", "1;2", "--1",   "1.2.3",  "e5",     "1e",   "+",
      "-",   ".",   "1d",    "１",     "\x1b[m", "\xff", "99999999999999999999"};
  for (std::size_t column = 0; column < 3; ++column) {
    for (const char* bad : kBad) {
      std::string cells[] = {"3", "1", "5"};
      cells[column] = bad;
      const std::string text = "job_id,submit,gpus,duration\nok,0,1,5\na," + cells[0] + "," +
                               cells[1] + "," + cells[2] + "\nfine,4,2,5\n";
      const std::size_t place =
          column == 0 ? 3 : 4 + cells[0].size() + (column == 1 ? 0 : 1 + cells[1].size());
      const std::string error = error_of_text(text);
      EXPECT_TRUE(
          error.starts_with(fmt::format("input: t:3:{}: {} must be ", place, kNames[column])))
          << error;
      EXPECT_TRUE(error.ends_with(", got " + quote(bad))) << error;
      EXPECT_EQ(jobs_of(text, with_strictness(Strictness::lenient)), "ok 0 1 5\nfine 4 2 5\n");
    }
  }
}

// C028: the last value that fits is read, the next one is refused.
TEST(ReadingCase, C028LongestTimeIsTheLimit) {
  const std::string header = "job_id,submit,gpus,duration\n", longest = "288230376151.711744",
                    more = "288230376151.711745";
  EXPECT_EQ(jobs_of(header + "a," + longest + ",1000000," + longest + "\n"),
            "a " + longest + " 1000000 " + longest + "\n");
  EXPECT_NE(error_of_text(header + "a," + more + ",1,1\n"), "nothing");
  EXPECT_NE(error_of_text(header + "a,0,1," + more + "\n"), "nothing");
}

// C030, C039: the order of the rows of a trace with ids changes nothing, ties included.
TEST(ReadingCase, C030C039RowsInAnyOrderAreOneWorkload) {
  RandomStream random = RngStreams{1}.stream("rows");
  const auto draw = [&](std::int64_t most) {
    return boost::random::uniform_int_distribution<std::int64_t>{0, most}(random);
  };
  std::vector<std::string> rows;
  for (int i = 0; i < 60; ++i)
    rows.push_back(fmt::format("j{},{},{},{},v{}\n", i, draw(5), 1 + draw(7), draw(9), draw(2)));
  std::string first;
  for (int round = 0; round < 50; ++round) {
    std::string text = "job_id,submit,gpus,duration,vc\n";
    for (const std::string& row : rows) text += row;
    const std::string jobs = jobs_of(text);
    if (first.empty()) first = jobs;
    EXPECT_EQ(jobs, first) << text;
    for (std::size_t i = rows.size() - 1; i > 0; --i)
      std::swap(rows[i], rows[static_cast<std::size_t>(draw(static_cast<std::int64_t>(i)))]);
  }
}

// C031: a missing column that is needed is an error that names the option; with it, a notice.
TEST(ReadingCase, C031MissingColumnsNeedANamedStandIn) {
  const std::vector<std::string> columns{"job_id", "submit", "gpus", "duration"};
  for (std::size_t absent = 1; absent < columns.size(); ++absent) {
    std::string header;
    for (std::size_t i = 0; i < columns.size(); ++i)
      header += (i == 0 ? "" : ",") + (i == absent ? "other" : columns[i]);
    const std::string text = header + "\na,1,1,1\n", name = columns[absent];
    EXPECT_EQ(error_of_text(text), "input: t:1: no column '" + name +
                                       "'; name the one to use with --map " + name + "=COLUMN");
    EXPECT_EQ(jobs_of(text, with_map({{name, "other"}})), "a 1 1 1\n");
  }
}

// C038: jobs of no length are jobs, in every format.
TEST(ReadingCase, C038JobsOfNoLengthAreRead) {
  EXPECT_EQ(jobs_of("job_id,submit,gpus,duration\na,0,1,0\nb,0,1,0.00\nc,0,1,1e-9\n"),
            "a 0 1 0\nb 0 1 0\nc 0 1 0\n");
  EXPECT_EQ(jobs_of(kHelios + "1,u,v,1,1,1,S,2020-04-01,2020-04-01,2020-04-01,0,0\n"),
            "1 0 1 0 start=0 vc=v user=u\n");
  const std::string now = R"("2017-10-07 01:00:00")";
  EXPECT_EQ(jobs_of("[" + philly_job("a", now, now, now) + "]"), "a 0 1 0 start=0\n");
}

// C043: every job read is replayed or left out for a reason, whatever the file holds.
TEST(ReadingCase, C043EveryRowIsAccountedFor) {
  RandomStream random = RngStreams{1}.stream("cells");
  const auto pick = [&](const std::vector<const char*>& list) {
    return std::string{
        list[static_cast<std::size_t>(boost::random::uniform_int_distribution<std::int64_t>{
            0, static_cast<std::int64_t>(list.size()) - 1}(random))]};
  };
  LoadOptions options = with_strictness(Strictness::lenient);
  options.limit = 20;
  options.vcs = {"v", "w"};
  for (int round = 0; round < 200; ++round) {
    std::string csv = "job_id,submit,gpus,duration,vc\n", helios = kHelios;
    for (int i = 0; i < 60; ++i) {
      csv += pick({"a", "b", "", "c"}) + "," + pick({"0", "5", "-1", "x", ""}) + "," +
             pick({"1", "8", "0", "", "1.5"}) + "," + pick({"0", "10", "None", "", "-3"}) + "," +
             pick({"v", "w", "x", ""}) + pick({"", "", "", ",more"}) + "\n";
      helios += pick({"1", "2", "", "3"}) + ",u," + pick({"v", "w", "x"}) + "," +
                pick({"1", "0", "-1", "8"}) + ",1,1,S," +
                pick({"2020-04-01", "2020-04-02", "soon"}) + "," +
                pick({"2020-04-02", "2020-04-01", "None"}) + "," +
                pick({"2020-04-03", "2020-04-02", ""}) + ",,\n";
    }
    EXPECT_EQ(loaded(csv, options).report.read, 60U);
    EXPECT_LE(loaded(helios, options).report.read, 60U);  // attempts are counted once
  }
}

// C047: tenths are exact, far from zero, too.
TEST(ReadingCase, C047TenthsAreExact) {
  for (const std::int64_t from : {std::int64_t{0}, std::int64_t{1} << 32, std::int64_t{1} << 37}) {
    std::string text = "job_id,submit,gpus,duration\n";
    for (int i = 0; i < 10; ++i) text += fmt::format("{},{}.{},1,0.1\n", i, from, i);
    const LoadedTrace trace = loaded(text);
    for (std::size_t i = 0; i + 1 < 10; ++i)
      EXPECT_EQ(trace.workload.arrival(JobId{i}) + trace.workload.truth().run_time(JobId{i}),
                trace.workload.arrival(JobId{i + 1}));
  }
}

// The collected inputs themselves: each is a workload that balances, or an error that a person can
// act on; never a fault.
TEST(ReadingCase, CollectedInputsAreReadOrRefusedInWords) {
  ORRERY_SHARED(cases, "cases");
  const std::set<std::string> kTables{".csv", ".json", ".swf"};
  std::size_t files = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator{cases}) {
    if (!file.is_regular_file() || !kTables.contains(file.path().extension().string())) continue;
    ++files;
    for (const Strictness strictness :
         {Strictness::normal, Strictness::strict, Strictness::lenient}) {
      const std::string error = error_of([&] {
        expect_balanced(load_trace(file.path().string(), with_strictness(strictness)).report);
      });
      EXPECT_TRUE(error == "nothing" || error.starts_with("input: " + file.path().string()))
          << error;
    }
  }
  EXPECT_GE(files, 150U);
}

}  // namespace
}  // namespace orrery::test
