// What the program says to settings and files that cannot be: the exact message and the exit code.
#include "support/program.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

constexpr int kUsage = 2, kInput = 3, kEnvironment = 4;

struct BadLine {
  const char* line;
  int code;
  const char* message;
};

void PrintTo(const BadLine& bad, std::ostream* out) {
  *out << bad.line;
}

/// What was said beside notices, without the last newline.
std::string complaint(const std::string& said) {
  std::istringstream in{said};
  std::string text;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("notice: ")) text += (text.empty() ? "" : "\n") + line;
  return text;
}

struct BadUsage : testing::TestWithParam<BadLine> {
  Scratch scratch;
  void SetUp() override {
    scratch.file("jobs.csv", "job_id,submit,gpus,duration\na,0,1,10\nb,5,2,10\n");
    scratch.file("taken/old.txt", "something");
    scratch.file("sizes.csv", "vc,gpus\nvcA,two\nvcB\nvcA,4\n");
    scratch.file("columns.csv", "name,gpus\n");
  }
};

TEST_P(BadUsage, IsToldInOneSentenceWithItsExitCode) {
  const Said said = orrery(words(GetParam().line), scratch);
  EXPECT_EQ(complaint(said.err), GetParam().message) << GetParam().line;
  EXPECT_EQ(said.code, GetParam().code) << GetParam().line;
  EXPECT_EQ(said.out, "") << GetParam().line;
}

#define RUN "run --trace jobs.csv --cluster 1x4 --policy fifo "
const BadLine kLines[] = {
    {"", kUsage, "A subcommand is required; --help tells more"},
    {"rum", kUsage, "unknown command 'rum' (did you mean 'run'?)"},
    {"policy shw", kUsage, "unknown command 'shw' (did you mean 'show'?)"},
    {"policy show", kUsage, "NAME is required; --help tells more"},
    {"policy show srtff", kUsage, "unknown policy 'srtff' (did you mean 'srtf'?)"},
    {"cluster show phily", kUsage,
     "cluster 'phily' is no preset, no file and no shorthand such as 64x8 (did you mean "
     "'philly'?)"},
    {"--verson", kUsage, "unknown option '--verson' (did you mean '--version'?)"},
    {"run", kUsage, "--trace is missing: the trace to replay"},
    {"run --trace jobs.csv", kUsage, "--cluster is missing, such as 64x8"},
    {"run --trace jobs.csv --cluster 1x4", kUsage, "--policy is missing, such as srtf"},
    {RUN "--policy srtf", kUsage, "run takes one --policy; orrery compare takes several"},
    {RUN "--trace other.csv", kUsage, "--trace is given more than once"},
    {"run --trace", kUsage, "--trace needs a value"},
    {RUN "extra", kUsage, "unknown argument 'extra'"},
    {RUN "--polcy srtf", kUsage, "unknown option '--polcy' (did you mean '--policy'?)"},
    {RUN "--seed x", kUsage, "--seed: 'x' is no whole number from 0 on"},
    {RUN "--seed -1", kUsage, "--seed: '-1' is no whole number from 0 on"},
    {RUN "--limit 1.5", kUsage, "--limit: '1.5' is no whole number from 0 on"},
    {RUN "--round 0", kUsage, "--round: the duration must be longer than 0"},
    {RUN "--round 6x", kUsage,
     "--round: '6x' is no duration: a number with us, ms, s, m, h or d, such as 6m"},
    {RUN "--preempt-cost -3s", kUsage,
     "--preempt-cost: '-3s' is no duration: a number with us, ms, s, m, h or d, such as 6m"},
    {RUN "--from 20170328", kUsage,
     "--from: '20170328' could be a date or a number of seconds: write 2017-03-28, or 20170328s"},
    {RUN "--from 2017-10-07", kUsage,
     "'2017-10-07' is a date, but the times of this trace are seconds from its start"},
    {RUN "--until yesterday", kUsage,
     "--until: 'yesterday' is no time: seconds, a duration such as 2h, or a date such as "
     "2017-10-07"},
    {RUN "--measure 5", kUsage,
     "--measure: '5' is no window: expected A..B, such as 1d..2d or #1000..#2000"},
    {RUN "--measure #x..#9", kUsage, "--measure: '#x' is no rank such as #1000"},
    {RUN "--measure 100..200", kUsage, "--measure: no job is submitted in this window"},
    {RUN "--durations orcle", kUsage,
     "--durations: 'orcle' is none of by-policy, oracle, walltime, noisy, history (did you mean "
     "'oracle'?)"},
    {RUN "--durations noisy:sigma=-1", kUsage, "--durations: sigma must be between 0 and 10"},
    {RUN "--durations oracle:x=1", kUsage, "--durations: oracle has no option 'x'"},
    {RUN "--vc-mode dynamic", kUsage, "--vc-mode: 'dynamic' is none of static, shared"},
    {RUN "--vc-sizes sizes.csv", kInput,
     "sizes.csv:2:5: gpus: expected a number of GPUs from 0 on, got 'two'\n"
     "sizes.csv:3:1: expected 2 fields, vc and gpus, got 1"},
    {RUN "--vc-sizes columns.csv", kInput, "columns.csv:1:1: expected the columns vc,gpus"},
    {RUN "--vc-sizes none.csv", kEnvironment, "cannot open none.csv: No such file or directory"},
    {RUN "--status done", kUsage, "--status: 'done' is none of completed, killed, failed, unknown"},
    {RUN "--load 0", kUsage, "--load: '0' is no number above 0"},
    {RUN "--load nan", kUsage, "--load: 'nan' is no number above 0"},
    {RUN "--map submit", kUsage, "--map: 'submit' is not of the form submit=their_column"},
    {RUN "--map submit=a --map submit=b", kUsage, "--map: 'submit' is mapped twice"},
    {RUN "--map submt=gpus", kUsage,
     "--map: 'submt' is no column of this format (did you mean 'submit'?)"},
    {RUN "--map submit=when", kUsage, "--map: jobs.csv has no column 'when'"},
    {RUN "--format philli", kUsage, "unknown trace format 'philli' (did you mean 'philly'?)"},
    {RUN "--run-time sum", kUsage, "--run-time: 'sum' is none of span, attempts"},
    {RUN "--strict --lenient", kUsage, "--lenient: --strict and --lenient exclude each other"},
    {RUN "--events", kUsage, "--events needs --out DIR"},
    {RUN "--attempts", kUsage, "--attempts needs --out DIR"},
    {RUN "--timeline 10m", kUsage, "--timeline needs --out DIR"},
    {RUN "--force", kUsage, "--force needs --out DIR"},
    {RUN "--out new --timeline 0", kUsage, "--timeline: the duration must be longer than 0"},
    {RUN "--out taken", kUsage, "--out: 'taken' is not empty; --force writes there all the same"},
    {RUN "--out jobs.csv", kUsage, "--out: 'jobs.csv' is a file, not a folder"},
    {RUN "--out /proc/result", kEnvironment,
     "--out: '/proc/result' cannot be made: No such file or directory"},
    {RUN "--progress fast", kUsage, "--progress: 'fast' is none of auto, plain, none"},
    {RUN "--config none.json", kEnvironment, "cannot open none.json: No such file or directory"},
    {"run --trace none.csv --cluster 1x4 --policy fifo", kEnvironment,
     "cannot open none.csv: No such file or directory"},
    {"run --trace taken --cluster 1x4 --policy fifo", kEnvironment,
     "taken is a folder; a trace is a file"},
    {"run --trace jobs.csv --cluster 1y4 --policy fifo", kUsage,
     "cluster '1y4' is no preset, no file and no shorthand such as 64x8"},
    {"run --trace jobs.csv --cluster 0x4 --policy fifo", kUsage,
     "cluster '0x4': a group has 0 nodes, at least 1 is needed"},
    {"run --trace jobs.csv --cluster 2x65 --policy fifo", kUsage,
     "cluster '2x65': a node has 1 to 64 GPUs, got 65; describe a larger machine as several "
     "nodes"},
    {"run --trace jobs.csv --cluster 1x4 --policy :a=1", kUsage,
     "a policy or placement needs a name before its options, got ':a=1'"},
    {"run --trace jobs.csv --cluster 1x4 --policy fifo:x=1", kUsage, "fifo has no option 'x'"},
    {"run --trace jobs.csv --cluster 1x4 --policy las2d:quantm=3", kUsage,
     "las2d has no option 'quantm' (did you mean 'quantum'?)"},
    {"run --trace jobs.csv --cluster 1x4 --policy las2d:quantum", kUsage,
     "las2d: an option is key=value, got 'quantum'"},
    {"run --trace jobs.csv --cluster 1x4 --policy las:quantum=0", kUsage,
     "las: quantum must be a duration above zero such as 6m or 3250s, got '0'"},
    {"run --trace jobs.csv --cluster 1x4 --policy las:quantum=5,quantum=6", kUsage,
     "las: option 'quantum' is given twice"},
    {"run --trace jobs.csv --cluster 1x4 --policy mlfq:limits=5s/3s", kUsage,
     "mlfq: limits must be ascending durations above zero joined by /, such as 3250s/7200s, got "
     "'5s/3s'"},
    {RUN "--placement consolidatd", kUsage,
     "unknown placement 'consolidatd' (did you mean 'consolidated'?)"},
    {RUN "--placement consolidated:relax=some", kUsage,
     "consolidated: relax must be one of never, fewest, any, got 'some'"},
    {RUN "--placement random:x", kUsage, "random: seed must be a whole number, got 'x'"},
    {"compare --trace jobs.csv --cluster 1x4 --policy fifo", kUsage,
     "compare takes two or more, such as --policy fifo --policy srtf"},
    {"compare --trace jobs.csv --cluster 1x4 --policy fifo --policy srtf --threads 0", kUsage,
     "--threads: expected 1 to 1024"},
    {"compare --trace jobs.csv --cluster 1x4 --policy fifo --policy srtf --seeds 0", kUsage,
     "--seeds: expected 1 to 10000"},
    {"compare --trace jobs.csv --cluster 1x4 --policy fifo --policy srtf --loads 1,,2", kUsage,
     "--loads: '' is no number above 0"},
    {"compare --trace jobs.csv --cluster 1x4 --policy fifo --policy srtf --events", kUsage,
     "--events needs --out DIR"},
    {"compare --trace - --cluster 1x4 --policy fifo --policy srtf --loads 1,2", kUsage,
     "--loads reads the trace once a load, and standard input can be read once"},
    {"compare --trace jobs.csv --cluster 1x4 --policy fifo --policy srtf --self-test 5", kUsage,
     "--self-test takes one --policy: it is compared with itself"},
    {"run --trace like:phily --cluster 1x4 --policy fifo", kUsage,
     "--like: 'phily' is none of philly, helios (did you mean 'philly'?)"},
    {"run --trace like:philly:jbs=3 --cluster 1x4 --policy fifo", kUsage,
     "philly has no option 'jbs' (did you mean 'jobs'?)"},
    {"run --trace like:philly:jobs=-3 --cluster 1x4 --policy fifo", kUsage,
     "--jobs must be between 1 and 20000000, got 0"},
    {"check", kUsage, "PATH is required; --help tells more"},
    {"check none.json", kEnvironment, "cannot open none.json: No such file or directory"},
    {"check taken", kUsage, "there is no scenario (.json) below 'taken'"},
};
INSTANTIATE_TEST_SUITE_P(Lines, BadUsage, testing::ValuesIn(kLines));

// Files that people write, by their text.
struct BadFile {
  const char* text;
  int code;
  const char* message;
};

void PrintTo(const BadFile& bad, std::ostream* out) {
  *out << bad.text;
}

struct BadCluster : testing::TestWithParam<BadFile> {};
TEST_P(BadCluster, IsToldWithItsKey) {
  const Scratch scratch;
  scratch.file("c.json", GetParam().text);
  const Said said = orrery({"cluster", "show", "c.json"}, scratch);
  EXPECT_EQ(complaint(said.err), GetParam().message);
  EXPECT_EQ(said.code, GetParam().code);
}
const BadFile kClusters[] = {
    {"", kInput, "c.json: the file is empty"},
    {"{", kInput,
     "c.json:1:1: no JSON: syntax error while parsing object key - unexpected end of input; "
     "expected string literal"},
    {"{\n \"nodes\": [1,]\n}", kInput,
     "c.json:2:14: no JSON: syntax error while parsing value - unexpected ']'; expected '[', '{', "
     "or a literal"},
    {"[]", kInput,
     "c.json: expected a cluster: {\"nodes\": [{\"count\": 64, \"gpus\": 8}]}, got []"},
    {"{}", kInput, "c.json: the key 'nodes' is missing"},
    {"{\"nodes\": []}", kInput,
     "c.json: nodes: expected a list of one or more groups of equal nodes, got []"},
    {"{\"nodes\": [{\"gpus\": 100}]}", kInput,
     "c.json: nodes[0].gpus: expected the GPUs of one node, 1 to 64, got 100"},
    {"{\"nodes\": [{\"gpus\": 1.5}]}", kInput,
     "c.json: nodes[0].gpus: expected the GPUs of one node, 1 to 64, got 1.5"},
    {"{\"nodes\": [{\"gpu\": 8}]}", kInput, "c.json: nodes[0]: the key 'gpus' is missing"},
    {"{\"nodes\": [{\"gpus\": 8, \"cuont\": 2}]}", kInput,
     "c.json: nodes[0]: unknown key 'cuont' (did you mean 'count'?)"},
    {"{\"nodes\": [{\"gpus\": 0}, {\"gpus\": 8, \"count\": -1}]}", kInput,
     "c.json: nodes[0].gpus: expected the GPUs of one node, 1 to 64, got 0\n"
     "c.json: nodes[1].count: expected the number of nodes, 1 to 1000000, got -1"},
    {"{\"nodes\": [{\"gpus\": 8}], \"nodes\": []}", kInput,
     "c.json: the key 'nodes' is given twice in one object"},
    {"{\"nodes\": [{\"gpus\": 8}], \"vcs\": [{\"name\": \"a\", \"gpus\": 8}, {\"name\": \"a\", "
     "\"gpus\": 0}]}",
     kInput, "c.json: vcs[1].name: 'a' is there already"},
};
INSTANTIATE_TEST_SUITE_P(Files, BadCluster, testing::ValuesIn(kClusters));

struct BadSettings : testing::TestWithParam<BadFile> {};
TEST_P(BadSettings, AreToldWithTheirKeys) {
  const Scratch scratch;
  scratch.file("s.json", GetParam().text);
  const Said said = orrery({"run", "--config", "s.json"}, scratch);
  EXPECT_EQ(complaint(said.err), GetParam().message);
  EXPECT_EQ(said.code, GetParam().code);
}
const BadFile kSettings[] = {
    {"7", kInput, "s.json: expected an object of settings, such as {\"cluster\": \"64x8\"}, got 7"},
    {"{\"polcy\": \"fifo\"}", kInput, "s.json: unknown key 'polcy' (did you mean 'policy'?)"},
    {"{\"seed\": -1}", kInput, "s.json: seed: expected a whole number from 0 on, got -1"},
    {"{\"seed\": \"1\", \"load\": []}", kInput,
     "s.json: load: expected a number above 0, got []\n"
     "s.json: seed: expected a whole number from 0 on, got \"1\""},
    {"{\"round\": \"6x\", \"vc_mode\": \"both\"}", kInput,
     "s.json: round: '6x' is no duration: a number with us, ms, s, m, h or d, such as 6m\n"
     "s.json: vc_mode: 'both' is none of static, shared"},
};
INSTANTIATE_TEST_SUITE_P(Files, BadSettings, testing::ValuesIn(kSettings));

#define JOB "{\"id\": \"a\", \"gpus\": 1, \"run\": 10}"
#define SCENARIO(rest) "{\"name\": \"n\", \"cluster\": \"1x4\", \"policy\": \"fifo\", " rest "}"
struct BadScenario : testing::TestWithParam<BadFile> {};
TEST_P(BadScenario, IsToldWithItsKey) {
  const Scratch scratch;
  scratch.file("s.json", GetParam().text);
  const Said said = orrery({"check", "s.json"}, scratch);
  EXPECT_EQ(complaint(said.err), GetParam().message);
  EXPECT_EQ(said.code, GetParam().code);
}
const BadFile kScenarios[] = {
    {"{\"name\": \"n\"}", kInput, "s.json: the key 'cluster' is missing"},
    {SCENARIO("\"expect\": {}"), kInput, "s.json: expected either jobs or a trace"},
    {SCENARIO("\"jobs\": [" JOB "], \"trace\": \"t.csv\", \"expect\": {}"), kInput,
     "s.json: expected either jobs or a trace"},
    {SCENARIO("\"jobs\": [{\"id\": \"a\", \"gpus\": 0, \"run\": 1}], \"expect\": {}"), kInput,
     "s.json: jobs[0].gpus: expected a number of GPUs, 1 to 1000000, got 0"},
    {SCENARIO("\"jobs\": [" JOB ", " JOB "], \"expect\": {}"), kInput,
     "s.json: jobs[1].id: 'a' is there already"},
    {SCENARIO("\"jobs\": [{\"id\": \"a\", \"gpus\": 1, \"run\": \"5x\"}], \"expect\": {}"), kInput,
     "s.json: jobs[0].run: expected seconds from 0 on or a duration such as \"5m\", got \"5x\""},
    {SCENARIO("\"jobs\": [{\"id\": \"a\", \"gpus\": 1, \"run\": 5, \"submit\": -1}], \"expect\": "
              "{}"),
     kInput,
     "s.json: jobs[0].submit: expected seconds from 0 on or a duration such as \"5m\", got -1"},
    {SCENARIO("\"jobs\": [" JOB "], \"expect\": {\"start\": {\"b\": 0}}"), kInput,
     "s.json: expect: there is no job 'b'"},
    {SCENARIO("\"jobs\": [" JOB "], \"expect\": {\"jct_s.men\": 0}"), kInput,
     "s.json: expect: summary.json has no number 'jct_s.men'"},
    {SCENARIO("\"jobs\": [" JOB "], \"expect\": {\"start\": {\"a\": \"soon\"}}"), kInput,
     "s.json: expect.start.a: \"soon\" is no time"},
    {SCENARIO("\"jobs\": [" JOB "], \"expect\": {\"jct_s.mean\": \"10\"}"), kInput,
     "s.json: expect.jct_s.mean: expected a number, null, or {\"value\": 10, \"tolerance\": 0.5}, "
     "got \"10\""},
    {SCENARIO("\"jobs\": [" JOB "], \"durations\": \"orcle\", \"expect\": {}"), kInput,
     "s.json: durations: 'orcle' is none of by-policy, oracle, walltime, noisy, history (did you "
     "mean 'oracle'?)"},
};
INSTANTIATE_TEST_SUITE_P(Files, BadScenario, testing::ValuesIn(kScenarios));

}  // namespace
}  // namespace orrery::test
