// What a reader says to data that cannot be: the exact message, by place, with the rule and the
// value; "input" ends the program with exit code 3, "usage" with 2.
#include "unit/trace/loaded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace orrery::test {
namespace {

struct Bad {
  std::string text;
  std::string message;
  LoadOptions options = {};
};

void expect_messages(const std::vector<Bad>& list) {
  for (const Bad& bad : list)
    EXPECT_EQ(error_of_text(bad.text, bad.options), bad.message) << printable(bad.text, 300);
}

using namespace std::string_literals;

/// One row of a csv trace, on line 2.
std::string row(const std::string& text) {
  return "job_id,submit,gpus,duration\n" + text + "\n";
}

const std::vector<Bad>& csv_rows() {
  static const std::vector<Bad> list{
      {row("a,0,1,"), "nothing"},  // left out, and counted
      {row("a,0,1,ten"),
       "input: t:2:7: duration must be a number of seconds, not negative, got 'ten'"},
      {row("a,0,1,-1"),
       "input: t:2:7: duration must be a number of seconds, not negative, got '-1'"},
      {row("a,0,1,1e400"),
       "input: t:2:7: duration must be a time this side of 9,100 years, got '1e400'"},
      {row("a,0,1,300000000000"),
       "input: t:2:7: duration must be a time this side of 9,100 years, got '300000000000'"},
      {row("a,0,1,99999999999999999999999999"),
       "input: t:2:7: duration must be a time this side of 9,100 years, got "
       "'99999999999999999999999999'"},
      {row("a,0,1,inf"),
       "input: t:2:7: duration must be a number of seconds, not negative, got 'inf'"},
      {row("a,0,1,0x10"),
       "input: t:2:7: duration must be a number of seconds, not negative, got '0x10'"},
      {row("a,0,1,1_000"),
       "input: t:2:7: duration must be a number of seconds, not negative, got '1_000'"},
      {row("a,0,1,12 s"),
       "input: t:2:7: duration must be a number of seconds, not negative, got '12 s'"},
      {row("a,0,1,1e"),
       "input: t:2:7: duration must be a number of seconds, not negative, got '1e'"},
      {row("a,0,1,."), "input: t:2:7: duration must be a number of seconds, not negative, got '.'"},
      {row("a,0,1,\"1,000\""),
       "input: t:2:7: duration must be a number of seconds, not negative, got '1,000'"},
      {row("a,-5,1,10"),
       "input: t:2:3: submit must be a number of seconds, not negative, got '-5'"},
      {row("a,,1,10"),
       "input: t:2:3: submit must be a number of seconds or a time like 2017-10-07 01:00:10, got "
       "''"},
      {row("a,NaN,1,10"),
       "input: t:2:3: submit must be a number of seconds or a time like 2017-10-07 01:00:10, got "
       "'NaN'"},
      {row("a,Infinity,1,10"),
       "input: t:2:3: submit must be a number of seconds or a time like 2017-10-07 01:00:10, got "
       "'Infinity'"},
      {row("a,1e300,1,10"),
       "input: t:2:3: submit must be a time this side of 9,100 years, got '1e300'"},
      {row("a,0,-2,10"), "input: t:2:5: gpus must be a whole number from 1 to 1000000, got '-2'"},
      {row("a,0,0.5,10"), "input: t:2:5: gpus must be a whole number from 1 to 1000000, got '0.5'"},
      {row("a,0,1.5,10"), "input: t:2:5: gpus must be a whole number from 1 to 1000000, got '1.5'"},
      {row("a,0,1000001,10"),
       "input: t:2:5: gpus must be a whole number from 1 to 1000000, got '1000001'"},
      {row("a,0,9223372036854775808,10"),
       "input: t:2:5: gpus must be a whole number from 1 to 1000000, got '9223372036854775808'"},
      {row("a,0,two,10"), "input: t:2:5: gpus must be a whole number from 1 to 1000000, got 'two'"},
      {row(",0,1,10"), "input: t:2:1: job_id must be an id, got ''"},
      {row(std::string(1025, 'x') + ",0,1,10"),
       "input: t:2:1: job_id must be an id of at most 1024 bytes, got "
       "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"},
      {row("a,0,1"), "input: t:2: 3 fields, but the header has 4"},
      {row("a,0,1,10,5,6"), "input: t:2: 6 fields, but the header has 4"},
      {row("a;0;1;10"), "input: t:2: 1 field, but the header has 4"},
      {row("a,\"0,1,10"), "input: t:2:3: the quoted field is never closed"},
      {row("a,\"0\"1,1,10"), "input: t:2:6: a comma must follow a quoted field"},
      {row("a,0,1,\0"s), "input: t: this is binary data, not a trace"},
      {row("a,0,\x1b[2J1,10"),
       "input: t:2:5: gpus must be a whole number from 1 to 1000000, got '\\x1b[2J1'"},
      {row("a,0,1,\xff\xfe"),
       "input: t:2:7: duration must be a number of seconds, not negative, got '\\xff\\xfe'"},
      {row("a,2017-10-07,1,10\nb,86400,1,10"),
       "input: t:3:3: submit must be a time like 2017-10-07 01:00:10, got '86400'"},
      {row("a,5,1,10\nb,2017-10-07,1,10"),
       "input: t:3:3: submit must be a number of seconds, not negative, got '2017-10-07'"},
      {row("a,2017-10-07 01:00:00,1,10\nb,2017-10-07T01:00:00Z,1,10"),
       "input: t:3:3: submit must be a time without a zone, as the times before, got "
       "'2017-10-07T01:00:00Z'"},
      {row("a,2017-10-07T01:00:00+08:00,1,10\nb,2017-10-07 01:00:00,1,10"),
       "input: t:3:3: submit must be a time with a zone, as the times before, got '2017-10-07 "
       "01:00:00'"},
      {row("a,2017-02-29,1,10"),
       "input: t:2:3: submit must be a time like 2017-10-07 01:00:10, got '2017-02-29'"},
      {row("a,2017-13-01,1,10"),
       "input: t:2:3: submit must be a time like 2017-10-07 01:00:10, got '2017-13-01'"},
      {row("a,2017-10-07 24:00:00,1,10"),
       "input: t:2:3: submit must be a time like 2017-10-07 01:00:10, got '2017-10-07 24:00:00'"},
      {row("a,2017-10-07 1:00:00,1,10"),
       "input: t:2:3: submit must be a time like 2017-10-07 01:00:10, got '2017-10-07 1:00:00'"},
      {row("a,2017-10-07T01:00:00+25:00,1,10"),
       "input: t:2:3: submit must be a time like 2017-10-07 01:00:10, got "
       "'2017-10-07T01:00:00+25:00'"},
      {row("a,1969-12-31,1,10"),
       "input: t:2:3: submit must be a time like 2017-10-07 01:00:10, got '1969-12-31'"},
      {"job_id,submit,gpus,duration,recorded_start\na,10,1,5,9.5\n",
       "input: t:2:10: recorded_start must be at or after submit 10, got '9.5'"},
      {"job_id,submit,gpus,duration,recorded_start\na,10,1,5,-1\n",
       "input: t:2:10: recorded_start must be a number of seconds, not negative, got '-1'"},
      {"job_id,submit,gpus,duration,walltime\na,10,1,5,-60\n",
       "input: t:2:10: walltime must be a number of seconds, not negative, got '-60'"},
      {"job_id,submit,gpus,duration,walltime\na,10,1,5,unlimited\n",
       "input: t:2:10: walltime must be a number of seconds, not negative, got 'unlimited'"},
      // Every fault of a row and of the rows after it, each with its place.
      {row("a,x,y,z\nb,0,1,10\n,0,1,-1"),
       "input: t:2:3: submit must be a number of seconds or a time like 2017-10-07 01:00:10, got "
       "'x'\n"
       "t:2:5: gpus must be a whole number from 1 to 1000000, got 'y'\n"
       "t:2:7: duration must be a number of seconds, not negative, got 'z'\n"
       "t:4:1: job_id must be an id, got ''\n"
       "t:4:6: duration must be a number of seconds, not negative, got '-1'"}};
  return list;
}
TEST(BadInput, CsvRows) {
  expect_messages(csv_rows());
}

LoadOptions strict() {
  return with_strictness(Strictness::strict);
}

const std::vector<Bad>& headers() {
  static const std::vector<Bad> list{
      {"job_id,submit,duration\na,0,1\n",
       "input: t:1: no column 'gpus'; name the one to use with --map gpus=COLUMN"},
      {"a,b,c\n1,2,3\n",
       "input: t:1: no column 'submit'; name the one to use with --map submit=COLUMN\n"
       "t:1: no column 'gpus'; name the one to use with --map gpus=COLUMN\n"
       "t:1: no column 'duration'; name the one to use with --map duration=COLUMN"},
      {"job_id,submit,gpus,duration,submit\na,0,1,5,6\n",
       "input: t:1: the column 'submit' stands twice in the header"},
      {"0 1 2 3\n",
       "input: t:1: no column 'submit'; name the one to use with --map submit=COLUMN\n"
       "t:1: no column 'gpus'; name the one to use with --map gpus=COLUMN\n"
       "t:1: no column 'duration'; name the one to use with --map duration=COLUMN"},
      {row("a,0,1,5"), "usage: --map: t has no column 'arrival_ts'",
       with_map({{"submit", "arrival_ts"}})},
      {row("a,0,1,5"),
       "usage: --map: 'submitt' is no column of this format (did you mean 'submit'?)",
       with_map({{"submitt", "submit"}})},
      {row("a,0,1,5"), "usage: --map: t has no column 'gpuss' (did you mean 'gpus'?)",
       with_map({{"gpus", "gpuss"}})},
      {row("a,0,1,5"), "usage: unknown trace format 'hellios' (did you mean 'helios'?)",
       with_format("hellios")},
      {row("a,0,1,5"),
       "input: t:1: no column 'gpu_num'; name the one to use with --map gpus=COLUMN\n"
       "t:1: no column 'submit_time'; name the one to use with --map submit=COLUMN\n"
       "t:1: no column 'start_time'; name the one to use with --map start=COLUMN\n"
       "t:1: no column 'end_time'; name the one to use with --map end=COLUMN",
       with_format("helios")},
      {row("a,0,0,5"), "input: t:2:5: CPU only; --strict replays every row", strict()},
      {row("a,0,1,None"), "input: t:2:7: no run time (still running); --strict replays every row",
       strict()},
      {"\x1b]0;owned\x07,submit\n",
       "input: t:1: no column 'gpus'; name the one to use with --map gpus=COLUMN\n"
       "t:1: no column 'duration'; name the one to use with --map duration=COLUMN"}};
  return list;
}
TEST(BadInput, HeadersAndSettings) {
  expect_messages(headers());
}

/// One row of a Helios log, on line 2.
std::string helios(const std::string& text) {
  return "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
         "queue\n" +
         text + "\n";
}

const std::vector<Bad>& helios_rows() {
  static const std::vector<Bad> list{
      {helios("7,u1,vcA,2,8,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:00:09,2020-04-01 "
              "00:01:00,51,0"),
       "input: t:2:46: start_time must be at or after submit_time 2020-04-01 00:00:10, got "
       "'2020-04-01 00:00:09'"},
      {helios("7,u1,vcA,2,8,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:01:00,2020-04-01 "
              "00:00:59,51,0"),
       "input: t:2:66: end_time must be at or after start_time 2020-04-01 00:01:00, got "
       "'2020-04-01 00:00:59'"},
      {helios("7,u1,vcA,-1,8,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:00:10,2020-04-01 "
              "00:01:00,50,0"),
       "input: t:2:10: gpu_num must be a whole number from 1 to 1000000, got '-1'"},
      {helios(",u1,vcA,1,8,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:00:10,2020-04-01 "
              "00:01:00,50,0"),
       "input: t:2:1: job_id must be an id of 1 to 1024 bytes, got ''"},
      {helios("7,u1,vcA,1,8,1,COMPLETED,01/04/2020 00:00,2020-04-01 00:00:10,2020-04-01 "
              "00:01:00,50,0"),
       "input: t:2:26: submit_time must be a number of seconds or a time like 2017-10-07 01:00:10, "
       "got '01/04/2020 00:00'"},
      {helios("7,u1,vcA,1,8,1,COMPLETED,2020-04-01 00:00:10"),
       "input: t:2: 8 fields, but the header has 12"},
      {helios("7,u1,vcA,1,8,1,RUNNING,2020-04-01 00:00:10,2020-04-01 00:00:10,,,0"),
       "input: t:2:64: no end time (still running); --strict replays every row", strict()},
      {helios("7,u1,vcA,1,8,1,PENDING,2020-04-01 00:00:10,None,None,,"),
       "input: t:2:44: no start time (never ran); --strict replays every row", strict()},
      {helios("7,u1,vcA,0,8,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:00:10,2020-04-01 "
              "00:01:00,50,0"),
       "input: t:2:10: CPU only; --strict replays every row", strict()},
      {"job_id,user,vc,gpu_num,node_num,state,start_time,end_time\n",
       "input: t:1: no column 'submit_time'; name the one to use with --map submit=COLUMN"}};
  return list;
}
TEST(BadInput, HeliosRows) {
  expect_messages(helios_rows());
}

/// A Philly log of one job with the given members.
std::string philly(const std::string& members) {
  return "[\n {" + members + "}\n]\n";
}
const std::string kJob = R"("jobid": "j", "submitted_time": "2017-10-07 01:00:00")";
/// One attempt on a GPU.
std::string attempt(const std::string& start, const std::string& end) {
  return R"({"start_time": )" + start + R"(, "end_time": )" + end +
         R"(, "detail": [{"ip": "m1", "gpus": ["gpu0"]}]})";
}

const std::vector<Bad>& philly_logs() {
  const std::string one = R"("2017-10-07 01:00:00")", two = R"("2017-10-07 02:00:00")",
                    zoned = R"("2017-10-07T02:00:00Z")", year_1970 = R"("1970-01-01 00:00:00")",
                    year_9999 = R"("9999-12-31 00:00:00")";
  LoadOptions attempts;
  attempts.run_time = RunTimeRule::attempts;
  static const std::vector<Bad> list{
      {"[",
       "input: t:1:2: this is not JSON: syntax error while parsing value - unexpected end of "
       "input; expected '[', '{', or a literal"},
      {"[{]",
       "input: t:1:4: this is not JSON: syntax error while parsing object key - unexpected ']'; "
       "expected string literal"},
      {"[{\"jobid\": \"x\x1b[31m\"}]",
       "input: t:1:15: this is not JSON: syntax error while parsing value - invalid string: "
       "control character U+001B (ESC) must be escaped to \\u001B; last read: '\"x<U+001B>'"},
      {"[{\"jobid\": \"x\xc2\x9b\" y}]",
       "input: t:1:19: this is not JSON: syntax error while parsing object - invalid literal; last "
       "read: '\"x\\xc2\\x9b\" y'; expected '}'"},
      {"[{\"jobid\": \"x\xff\"}]",
       "input: t:1:15: this is not JSON: syntax error while parsing value - invalid string: "
       "ill-formed UTF-8 byte; last read: '\"x\\xff'"},
      {"[{\"jobid\": 1e999}]", "input: t:1:18: this is not JSON: number overflow parsing '1e999'"},
      {"[] []",
       "input: t:1:5: this is not JSON: syntax error while parsing value - unexpected '['; "
       "expected end of input"},
      {"[],",
       "input: t:1:4: this is not JSON: syntax error while parsing value - unexpected ','; "
       "expected end of input"},
      {"[\0]"s, "input: t: this is binary data, not a trace"},
      {"{\"jobs\": []}", "input: t:1:2: the log must be an array of jobs, not one object"},
      {"[1]", "input: t:1:4: the log must be an array of jobs, each an object"},
      {"[[]]", "input: t:1:3: the log must be an array of jobs, each an object"},
      {"[null]", "input: t:1:6: the log must be an array of jobs, each an object"},
      {philly(R"("jobid": "j", "jobid": "k")"),
       "input: t:2:24: the key 'jobid' stands twice in one object"},
      {philly(R"("submitted_time": "2017-10-07 01:00:00")"),
       "input: t:2: a job must have a jobid of 1 to 1024 bytes"},
      {philly(R"("jobid": "j", "submitted_time": "yesterday")"),
       "input: t:2: job 'j': submitted_time must be a time like 2017-10-07 01:00:10, got "
       "'yesterday'"},
      {philly(R"("jobid": "j", "submitted_time": 1507338000)"),
       "input: t:2: job 'j': submitted_time must be a time like 2017-10-07 01:00:10, got "
       "'1507338000'"},
      {philly(kJob + R"(, "attempts": "none")"),
       "input: t:2:76: 'attempts' must be an array of objects"},
      {philly(kJob + R"(, "attempts": {"0": {}})"),
       "input: t:2:71: 'attempts' must be an array of objects"},
      {philly(kJob + R"(, "attempts": [[]])"),
       "input: t:2:72: 'attempts' must be an array of objects"},
      {philly(kJob + R"(, "attempts": [{"detail": 8}])"),
       "input: t:2:84: 'detail' must be an array of objects"},
      {philly(kJob + R"(, "attempts": [{"detail": [null]}])"),
       "input: t:2:87: 'detail' must be an array of objects"},
      {philly(kJob + R"(, "attempts": [{"detail": [{"gpus": 8}]}])"),
       "input: t:2:94: 'gpus' must be an array of texts"},
      {philly(kJob + R"(, "attempts": [{"detail": [{"gpus": [["gpu0"]]}]}])"),
       "input: t:2:94: 'gpus' must be an array of texts"},
      {philly(kJob + R"(, "attempts": [)" + attempt(two, one) + "]"),
       "input: t:2: job 'j': an attempt must end at or after its start, got '2017-10-07 02:00:00' "
       "to '2017-10-07 01:00:00'"},
      {philly(R"("jobid": "j\u001b[2J", "submitted_time": "2017-10-07 01:30:00", "attempts": [)" +
              attempt(one, two) + "]"),
       "input: t:2: job 'j\\x1b[2J': submit, first start and last end must be in this order"},
      {philly(kJob + R"(, "attempts": [)" + attempt(zoned, zoned) + "]"),
       "input: t:2: job 'j': start_time must name no time zone, as the times before, got "
       "'2017-10-07T02:00:00Z'\n"
       "t:2: job 'j': end_time must name no time zone, as the times before, got "
       "'2017-10-07T02:00:00Z'"},
      {philly(kJob + R"(, "attempts": [)" + attempt(R"("soon")", two) + "]"),
       "input: t:2: job 'j': start_time must be a time like 2017-10-07 01:00:10, got 'soon'"},
      {philly(R"("jobid": "j", "submitted_time": "1970-01-01 00:00:00", "attempts": [)" +
              attempt(year_1970, year_9999) + "," + attempt(year_1970, year_9999) + "]"),
       "input: t:2: job 'j': its attempts add up to more than 9,100 years", attempts},
      {philly(kJob + R"(, "attempts": [])"),
       "input: t:2: no attempt (never ran); --strict replays every row", strict()},
      {philly(R"("deep": )" + std::string(100, '[') + std::string(100, ']')),
       "input: t:2:74: nested deeper than the limit of 64"},
      {philly(kJob), "usage: --map: the Philly job log is JSON and has no columns",
       with_map({{"submit", "submitted_time"}})},
      // Names that look like a path through the format.
      {R"([{"attempts[{detail[{gpus": ["gpu0"], "attempts": [{"start_time": "x"}]}])",
       "input: t:1: a job must have a jobid of 1 to 1024 bytes"}};
  return list;
}
TEST(BadInput, PhillyLogs) {
  expect_messages(philly_logs());
}

const std::vector<Bad>& no_traces() {
  static const std::vector<Bad> list{
      {"", "input: t: the file is empty"},
      {" \r\n\t\n", "input: t: the file is empty"},
      {"\xef\xbb\xbf", "input: t: the file is empty"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n",
       "input: t: this is a Git LFS pointer, not the data; fetch the real file with 'git lfs "
       "pull'"},
      {"\n<!DOCTYPE html>\n<html><body>404</body></html>",
       "input: t: this is an HTML page, not a trace; the download was probably refused or needs "
       "another address"},
      {"<HTML lang=en>",
       "input: t: this is an HTML page, not a trace; the download was probably refused or needs "
       "another address"},
      {"\xff\xfej\0o\0b\0"s, "input: t: this is UTF-16 text; save it as UTF-8"},
      {"\xfe\xff\0j\0o\0b"s, "input: t: this is UTF-16 text; save it as UTF-8"},
      {"PK\x03\x04rest", "input: t: this is a zip archive; unpack it first"},
      {"BZh91AY&SY", "input: t: this is bzip2 data; gzip and zstd are read as they are"},
      {"\xfd\x37zXZ\0rest"s, "input: t: this is xz data; gzip and zstd are read as they are"},
      {"trace.csv" + std::string(248, '\0') + "ustar  ",
       "input: t: this is a tar archive; unpack it first"},
      {"\x7f\x45LF\x02\x01\x01\0\0"s, "input: t: this is binary data, not a trace"},
      {"job_id,submit\0,gpus,duration\n"s, "input: t: this is binary data, not a trace"},
      {"\x1f\x8b", "input: t: the gzip data is damaged or cut off after 0 bytes of text"},
      {"\x1f\x8b\x08\0\0\0\0\0\0\x03garbage"s,
       "input: t: the gzip data is damaged or cut off after 0 bytes of text"},
      {"\x28\xb5\x2f\xfd", "input: t: the zstd data is damaged or cut off after 0 bytes of text"},
      {"\x28\xb5\x2f\xfdgarbage",
       "input: t: the zstd data is damaged or cut off after 0 bytes of text"}};
  return list;
}
TEST(BadInput, FilesThatAreNoTrace) {
  expect_messages(no_traces());
}

LoadOptions limited(std::size_t ReadLimits::*limit, std::size_t value) {
  LoadOptions options;
  options.limits.*limit = value;
  return options;
}

const std::vector<Bad>& past_limits() {
  static const std::vector<Bad> list{
      {row("a,0,1," + std::string(100, '1')),
       "input: t:2: the line is longer than the limit of 64 bytes",
       limited(&ReadLimits::longest_line, 64)},
      {row("a,0,1," + std::string(2 << 20, '1')),
       "input: t:2: the line is longer than the limit of 1048576 bytes"},
      {row("a" + std::string(2000, ',')), "input: t:2: 2001 fields, more than the limit of 1024"},
      {philly(R"("jobid": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")"),
       "input: t:2:45: a text longer than the limit of 16 bytes",
       limited(&ReadLimits::longest_line, 16)},
      {philly(R"("jobid": ")" + std::string(3 << 20, 'a') + "\""),
       "input: t:2:1245183: a text longer than the limit of 1048576 bytes"},
      {philly(R"("a": [[]])"), "input: t:2:10: nested deeper than the limit of 3",
       limited(&ReadLimits::deepest_json, 3)}};
  return list;
}
TEST(BadInput, TextsPastALimit) {
  expect_messages(past_limits());
}

/// Twenty faults are told; the rest would only scroll them away.
TEST(BadInput, TwentyAreToldAtOnce) {
  std::string rows;
  for (int i = 0; i < 30; ++i) rows += "a,0,x,10\n";
  const std::string message = error_of_text("job_id,submit,gpus,duration\n" + rows);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 19);
  EXPECT_TRUE(message.starts_with("input: t:2:5: gpus must be")) << message;
  EXPECT_NE(message.find("t:21:5:"), std::string::npos) << message;
  EXPECT_EQ(message.find("t:22:"), std::string::npos) << message;
}

/// A gang larger than any cluster, from a log that names its GPUs one by one.
TEST(BadInput, GangOfMoreThanAMillionIsNamed) {
  std::string gpus = "\"gpu0\"";
  for (int i = 0; i < 1'000'000; ++i) gpus += ",\"g\"";
  EXPECT_EQ(error_of_text(philly(kJob + R"(, "attempts": [{"start_time": "2017-10-07 01:00:00", )" +
                                 R"("end_time": "2017-10-07 01:00:00", "detail": [{"gpus": [)" +
                                 gpus + "]}]}]")),
            "input: t:2: job 'j': an attempt must have at most 1000000 GPUs, got 1000001");
}

}  // namespace
}  // namespace orrery::test
