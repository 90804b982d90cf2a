// Another policy takes over while a run goes on.
#include "support/checked.hpp"
#include "support/histories.hpp"

#include "orrery/base/error.hpp"
#include "orrery/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

Takeover takeover(Duration when, std::string_view policy) {
  const PolicyChoice chosen = choice(policy, "count");
  return {.at = at(when), .policy = chosen.policy, .options = chosen.options};
}

SimOptions then(Duration when, std::string_view policy, Duration preempt_cost = {}) {
  SimOptions options;
  options.durations.kind = DurationKnowledge::Kind::oracle;
  options.preempt_cost = preempt_cost;
  options.takeovers = {takeover(when, policy)};
  return options;
}

// fifo would start b at 100 s and c at 150 s.
TEST(Takeover, JobsThatWaitGoByTheNewOrder) {
  const TestRun result = run("1x4",
                             {{.id = "a", .submit = 0s, .gpus = 4, .run = 100s},
                              {.id = "b", .submit = 1s, .gpus = 4, .run = 50s},
                              {.id = "c", .submit = 2s, .gpus = 4, .run = 10s}},
                             "fifo", "count", then(50s, "sjf"));
  EXPECT_EQ(result.start("c"), 100s);
  EXPECT_EQ(result.start("b"), 110s);
}

TEST(Takeover, ANewPolicyThatPreemptsIsAskedInItsFirstInstant) {
  const TestRun result = run("1x4",
                             {{.id = "a", .submit = 0s, .gpus = 4, .run = 100s},
                              {.id = "b", .submit = 1s, .gpus = 4, .run = 10s}},
                             "fifo", "consolidated", then(20s, "srtf", 5s));
  EXPECT_EQ(result.start("b"), 20s);
  EXPECT_EQ(result.end("b"), 30s);
  EXPECT_EQ(result["a"].preemptions, 1U);
  EXPECT_EQ(result.end("a"), 30s + 5s + 80s);  // 20 s were done; the restart costs 5 s
}

// a (two of four GPUs) has run 10 s of its 40 s when b evicts it at 10 s; b ends at 20 s and a
// starts again with 5 s of overhead: it ends at 55 s. easy takes over at 30 s: the head c (4 GPUs)
// is reserved for 55 s, so d (25 s) may run beside a and e (26 s) may not.
TEST(Takeover, AReservationGoesByWhatIsLeftOfEachJob) {
  const std::vector<TestJob> jobs{{.id = "a", .submit = 0s, .gpus = 2, .run = 40s},
                                  {.id = "b", .submit = 10s, .gpus = 4, .run = 10s},
                                  {.id = "c", .submit = 26s, .gpus = 4, .run = 1000s},
                                  {.id = "e", .submit = 29s, .gpus = 2, .run = 26s},
                                  {.id = "d", .submit = 29s, .gpus = 1, .run = 25s}};
  SimOptions options = then(30s, "easy", 5s);
  // Between 29 s and 30 s srtf would start d and e itself: it is asked at multiples of 10 s only.
  options.round = 10s;
  const TestRun result = run("1x4", jobs, "srtf", "count", options);
  EXPECT_EQ(result["a"].preemptions, 1U);
  EXPECT_EQ(result.end("a"), 55s);
  EXPECT_EQ(result.start("d"), 30s);
  EXPECT_EQ(result.start("c"), 60s);  // the round after 55 s
  EXPECT_GT(result.start("e"), result.start("c"));
}

// Under history a user's second job is expected to run as long as the first did, which ended before
// the takeover.
TEST(Takeover, ItsEstimatesHaveLearnedFromTheFirstJobOn) {
  WorkloadBuilder builder;
  const auto add = [&](const char* id, Duration submit, Duration run_time, const char* user) {
    builder.add({.id = id,
                 .arrival = at(submit),
                 .run_time = run_time,
                 .gang_size = 4,
                 .walltime = {},
                 .vc = {},
                 .user = user,
                 .name = {},
                 .model = {},
                 .status = TraceStatus::unknown,
                 .recorded_start = {}});
  };
  add("slow1", 0s, 50s, "slow");
  add("quick1", 1s, 2s, "quick");
  add("blocker", 2s, 100s, "other");
  add("slow2", 60s, 50s, "slow");
  add("quick2", 61s, 2s, "quick");
  const Workload workload = builder.build();
  SimOptions options = then(70s, "sjf");
  options.durations.kind = DurationKnowledge::Kind::history;
  History history{workload};
  Recorder recorder;
  recorder.add(history, Recorder::kHistory);
  const Topology topology = parse_cluster_shorthand("1x4").value();
  Simulator simulator{workload, topology, choice("fifo", "count"), options, recorder};
  simulator.run();
  std::vector<std::string> started;
  for (const Line& line : history.lines)
    if (line.verb == Verb::start) started.push_back(line.id);
  EXPECT_EQ(started, (std::vector<std::string>{"slow1", "quick1", "blocker", "quick2", "slow2"}));
  EXPECT_EQ(simulator.knowledge().substr(0, 35), "nothing of durations; from 70 s on ");
}

TEST(Takeover, AfterTheLastEndThereIsNone) {
  const std::vector<TestJob> jobs{{.id = "a", .submit = 0s, .gpus = 4, .run = 100s}};
  const TestRun result = run("1x4", jobs, "fifo", "count", then(101s, "srtf"));
  EXPECT_EQ(result.totals.end, at(100s));
  EXPECT_EQ(result.fingerprint, run("1x4", jobs, "fifo").fingerprint);
}

TEST(Takeover, InstantsAscendAndOptionsAreKnown) {
  const std::vector<TestJob> jobs{{.id = "a", .submit = 0s, .gpus = 4, .run = 100s}};
  SimOptions twice = then(10s, "srtf");
  twice.takeovers.push_back(twice.takeovers.front());
  EXPECT_THROW(run("1x4", jobs, "fifo", "count", twice), UsageError);
  EXPECT_THROW(run("1x4", jobs, "fifo", "count", then(10s, "las2d:quantm=1s")), UsageError);
}

// At an arrival the old policy would have been asked anyway.
TEST(Takeover, ByTheSamePolicyChangesNothing) {
  std::uint64_t seed = 0;
  for (Setting setting : all_settings()) {
    SCOPED_TRACE(setting.policy + " " + setting.placement);
    setting.options.until = at(2000s);
    for (int n = 0; n < 2; ++n) {
      const std::vector<TestJob> jobs = random_jobs(++seed, 40);
      const std::vector<Line> expected = history_of(jobs, setting);
      Setting renewed = setting;
      renewed.options.takeovers = {takeover(jobs[15].submit, setting.policy)};
      if (jobs[30].submit > jobs[15].submit)
        renewed.options.takeovers.push_back(takeover(jobs[30].submit, setting.policy));
      ASSERT_EQ(history_of(jobs, renewed), expected);
    }
  }
}

// Every pair of policies: the past is the first one's, and every rule holds before and after.
TEST(Takeover, ABranchSharesItsPastAndKeepsEveryRule) {
  const std::vector<Setting> settings = all_settings();
  RandomStream random{7};
  for (std::size_t n = 0; n < settings.size(); ++n) {
    const Setting& second = settings[(n * 37 + 11) % settings.size()];
    Setting first = settings[n];
    SCOPED_TRACE(first.policy + " then " + second.policy + ", " + first.placement);
    first.options.until = at(2000s);
    const std::vector<TestJob> jobs = random_jobs(n + 1, 60);
    const Duration when{static_cast<std::int64_t>(random() % 120'000'000)};
    Setting branch = first;
    branch.options.takeovers = {takeover(when, second.policy)};
    const auto past = [&](const Setting& setting) {
      std::vector<Line> lines = history_of(jobs, setting);
      std::erase_if(lines, [&](const Line& line) { return line.time >= when; });
      return lines;
    };
    ASSERT_EQ(past(branch), past(first));
    const Topology topology = parse_cluster_shorthand(first.cluster).value();
    ASSERT_NO_THROW(checked_fingerprint(make_workload(jobs), topology, first.policy,
                                        first.placement, branch.options));
  }
}

TEST(Takeover, AForkGoesThroughTheSameTakeover) {
  const Setting setting{.policy = "tiresias:limits=4s/20s",
                        .placement = "best-fit",
                        .cluster = "3x4",
                        .options = then(40s, "easy")};
  const std::vector<std::uint64_t> ends =
      fingerprints_of_forks(make_workload(random_jobs(5, 40)), setting);
  EXPECT_GT(ends.size(), 20U);
  for (const std::uint64_t end : ends) ASSERT_EQ(end, ends.back());
}

}  // namespace
}  // namespace orrery::test
