// What must hold between two runs, when nobody knows what one of them should give.
#include "support/histories.hpp"
#include "support/scenario.hpp"

#include "orrery/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// Calls `check` for every policy and placement, with two workloads each.
void everywhere(const std::function<void(const std::vector<TestJob>&, const Setting&)>& check) {
  std::uint64_t seed = 0;
  for (const Setting& setting : all_settings()) {
    SCOPED_TRACE(setting.policy + " " + setting.placement + " cost " +
                 seconds_text(setting.options.preempt_cost));
    for (int n = 0; n < 2; ++n) check(random_jobs(++seed, 40), setting);
    if (testing::Test::HasFailure()) return;
  }
}

/// A run that never ends, where preemption costs more than it gains, is cut.
Setting cut(Setting setting, Duration until = 2000s) {
  setting.options.until = at(until);
  return setting;
}

TEST(Metamorphic, PermutedRowsChangeNothing) {
  everywhere([](const std::vector<TestJob>& jobs, const Setting& setting) {
    std::vector<TestJob> permuted = jobs;
    RandomStream random{jobs.size()};
    for (std::size_t i = permuted.size(); i-- > 1;)
      std::swap(permuted[i], permuted[random() % (i + 1)]);
    EXPECT_EQ(history_of(permuted, cut(setting)), history_of(jobs, cut(setting)));
  });
}

TEST(Metamorphic, RenamedIdsThatKeepTheirOrderChangeOnlyNames) {
  everywhere([](const std::vector<TestJob>& jobs, const Setting& setting) {
    std::vector<TestJob> renamed = jobs;
    for (TestJob& job : renamed) job.id = "run" + job.id + "x";
    std::vector<Line> expected = history_of(jobs, cut(setting));
    for (Line& line : expected) line.id = "run" + line.id + "x";
    EXPECT_EQ(history_of(renamed, cut(setting)), expected);
  });
}

TEST(Metamorphic, RenamedVcsChangeNothing) {
  everywhere([](std::vector<TestJob> jobs, const Setting& setting) {
    for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j].vc = j % 3 == 0 ? "a" : "b";
    const std::vector<Line> expected = history_of(jobs, cut(setting));
    for (TestJob& job : jobs) job.vc = job.vc == "a" ? "z" : "y";
    EXPECT_EQ(history_of(jobs, cut(setting)), expected);
  });
}

// By whole quanta and rounds, as these fall at multiples from the origin: here 30 s.
TEST(Metamorphic, ShiftedSubmitsShiftTheSchedule) {
  everywhere([](const std::vector<TestJob>& jobs, Setting setting) {
    for (const auto round : {std::optional<Duration>{}, std::optional<Duration>{6s}}) {
      setting.options.round = round;
      std::vector<TestJob> shifted = jobs;
      for (TestJob& job : shifted) job.submit += 30s;
      std::vector<Line> expected = history_of(jobs, cut(setting));
      for (Line& line : expected) line.time += 30s;
      EXPECT_EQ(history_of(shifted, cut(setting, 2030s)), expected);
    }
  });
}

TEST(Metamorphic, ScaledTimesScaleTheSchedule) {
  everywhere([](const std::vector<TestJob>& jobs, const Setting& setting) {
    std::vector<TestJob> scaled = jobs;
    for (TestJob& job : scaled) {
      job.submit *= 3;
      job.run *= 3;
      if (job.walltime) *job.walltime *= 3;
    }
    Setting slow = cut(setting, 6000s);
    slow.options.preempt_cost *= 3;
    if (const auto option = slow.policy.find(':'); option != std::string::npos)
      slow.policy = slow.policy.substr(0, option) +
                    (slow.policy[option + 1] == 'q' ? ":quantum=15s" : ":limits=12s/60s,grain=3us");
    std::vector<Line> expected = history_of(jobs, cut(setting));
    for (Line& line : expected) line.time *= 3;
    EXPECT_EQ(history_of(scaled, slow), expected);
  });
}

TEST(Metamorphic, JobAddedAfterTheEndChangesNothingBeforeIt) {
  everywhere([](std::vector<TestJob> jobs, const Setting& setting) {
    const std::vector<Line> expected = history_of(jobs, cut(setting, 1999s));
    jobs.push_back({.id = "late", .submit = 2000s, .gpus = 12, .run = 5s});
    std::vector<Line> got = history_of(jobs, cut(setting, 1999s));
    EXPECT_EQ(got, expected);
    got = history_of(jobs, cut(setting, 2100s));
    std::erase_if(got, [](const Line& line) { return line.id == "late" || line.time >= 1999s; });
    std::vector<Line> before = expected;
    std::erase_if(before, [](const Line& line) { return line.time >= 1999s; });
    EXPECT_EQ(got, before);
  });
}

// (What random draws is a function of the job's place in the canonical order, which refused jobs
// share.)
TEST(Metamorphic, RefusedJobsChangeNothing) {
  everywhere([](std::vector<TestJob> jobs, const Setting& setting) {
    if (setting.placement == "random:3") return;
    const std::vector<Line> expected = history_of(jobs, cut(setting));
    for (std::size_t j = 0; j < 20; ++j)  // on a cluster of 12 GPUs
      jobs.push_back({.id = "refused" + std::to_string(j),
                      .submit = jobs[2 * j].submit,
                      .gpus = 13,
                      .run = 9s});
    std::vector<Line> got = history_of(jobs, cut(setting));
    EXPECT_EQ(std::erase_if(got, [](const Line& line) { return line.verb == Verb::reject; }), 20U);
    EXPECT_EQ(got, expected);
  });
}

// A job of no length holds its GPUs for no time, but while it does a later one may not have them.
// Where the walk stops at whoever does not fit, the pass that follows in the same instant finds all
// as it was. (Where it skips, a smaller job may have gone ahead meanwhile; on nodes, another may
// have gone elsewhere.)
TEST(Metamorphic, ZeroLengthJobsChangeNothingWhereTheWalkStops) {
  const auto by_time_and_id = [](std::vector<Line> lines) {  // two passes of an instant, or one
    std::ranges::sort(lines, {},
                      [](const Line& line) { return std::tie(line.time, line.id, line.verb); });
    return lines;
  };
  for (const char* policy : {"fifo", "sjf", "svsf"}) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      std::vector<TestJob> jobs = random_jobs(seed, 40);
      const std::vector<Line> expected = history_of(jobs, {.policy = policy});
      for (std::size_t j = 0; j < 20; ++j)
        jobs.push_back({.id = "zero" + std::to_string(j), .submit = jobs[2 * j].submit + 1s});
      std::vector<Line> got = history_of(jobs, {.policy = policy});
      EXPECT_EQ(std::erase_if(got, [](const Line& line) { return line.id.starts_with("zero"); }),
                40U);
      ASSERT_EQ(by_time_and_id(got), by_time_and_id(expected)) << policy << ", seed " << seed;
    }
  }
}

TEST(Metamorphic, LongerHorizonKeepsThePrefix) {
  everywhere([](const std::vector<TestJob>& jobs, const Setting& setting) {
    const std::vector<Line> whole = history_of(jobs, cut(setting));
    for (const Duration until : {0s, 17s, 60s}) {
      std::vector<Line> part = history_of(jobs, cut(setting, until)), prefix = whole;
      std::erase_if(part, [](const Line& line) { return line.verb == Verb::horizon; });
      std::erase_if(prefix, [&](const Line& line) {
        return line.time > until || line.verb == Verb::horizon;
      });
      EXPECT_EQ(part, prefix);
    }
  });
}

// What a job turns out to be after T cannot matter before T to a policy that is told nothing of it.
TEST(Metamorphic, DecisionsDoNotDependOnTheFuture) {
  everywhere([](const std::vector<TestJob>& jobs, Setting setting) {
    constexpr Duration kT = 40s;
    const bool knows = policy_entry(parse_spec(setting.policy).name).knows != Knows::nothing;
    if (knows) setting.options.durations.kind = DurationKnowledge::Kind::walltime;
    std::vector<Line> expected = history_of(jobs, cut(setting, kT));
    std::vector<TestJob> other = jobs;
    for (TestJob& job : other)
      if (std::ranges::none_of(expected, [&](const Line& line) {
            return line.id == job.id && line.verb == Verb::finish;
          }))
        job.run += 77s;
    EXPECT_EQ(history_of(other, cut(setting, kT)), expected);
  });
}

TEST(Metamorphic, RunsInOneProcessDoNotMeet) {
  everywhere([](const std::vector<TestJob>& jobs, const Setting& setting) {
    const Workload workload = make_workload(jobs);
    const Topology topology = parse_cluster_shorthand(setting.cluster).value();
    const PolicyChoice chosen = choice(setting.policy, setting.placement);
    const Setting limited = cut(setting);
    History first{workload}, second{workload};
    Recorder to_first, to_second;
    to_first.add(first, Recorder::kHistory);
    to_second.add(second, Recorder::kHistory);
    Simulator one{workload, topology, chosen, limited.options, to_first};
    Simulator other{workload, topology, chosen, limited.options, to_second};
    for (int n = 0; n < 30; ++n) one.step();
    while (other.step()) one.step();
    while (one.step()) {
    }
    EXPECT_EQ(first.lines, second.lines);
    EXPECT_EQ(first.lines, history_of(workload, limited));
  });
}

// ---- clone()
// -------------------------------------------------------------------------------------

TEST(Metamorphic, CloneAtAnyInstantContinuesToTheSameFingerprint) {
  everywhere([](const std::vector<TestJob>& jobs, const Setting& setting) {
    const std::vector<std::uint64_t> ends =
        fingerprints_of_forks(make_workload(jobs), cut(setting, 100s));
    EXPECT_GT(ends.size(), 20U);
    for (const std::uint64_t end : ends) ASSERT_EQ(end, ends.back());
  });
}

// ---- rates
// ---------------------------------------------------------------------------------------

/// Jobs of odd id run at half speed from 20 s to 45 s, and at a third from then on.
class Slowdown final : public RateModel {
 public:
  Rate rate(JobId job, std::span<const Slice>, SimTime now) const override {
    if (job.index() % 2 == 0 || now < at(20s)) return kFullRate;
    return now < at(45s) ? kFullRate / 2 : kFullRate / 3;
  }
  SimTime next_change(SimTime now) const override {
    return now < at(20s) ? at(20s) : now < at(45s) ? at(45s) : kNever;
  }
};

TEST(Metamorphic, ReratingEverythingAtEveryInstantChangesNothing) {
  const Slowdown slowdown;
  everywhere([&](const std::vector<TestJob>& jobs, const Setting& setting) {
    Setting limited = cut(setting);
    const std::vector<Line> at_full_rate = history_of(jobs, limited);
    limited.options.rerate_everything = true;
    EXPECT_EQ(history_of(jobs, limited), at_full_rate);
    limited.options.rates = &slowdown;
    const std::vector<Line> often = history_of(jobs, limited);
    limited.options.rerate_everything = false;
    EXPECT_EQ(history_of(jobs, limited), often);
    EXPECT_NE(often, at_full_rate);
  });
}

// By hand: 10 s of work at full rate, 12.5 s of it at half rate, the rest at a third.
TEST(Metamorphic, RatesThatChangeGiveTheEndWorkedOutByHand) {
  const Slowdown slowdown;
  const std::vector<TestJob> jobs{{.id = "0", .submit = 10s, .run = 30s},
                                  {.id = "1", .submit = 10s, .run = 30s}};
  SimOptions options;
  options.rates = &slowdown;
  const TestRun result = run("1x2", jobs, "fifo", "count", options);
  EXPECT_EQ(result.end("0"), 40s);
  // A third is 349525 of 2^20: 7.5 s of work take 7.5 * 2^20 / 349525 s, rounded up.
  EXPECT_EQ(result.end("1"), 45s + 22500022us);
}

// ---- clusters
// ------------------------------------------------------------------------------------

std::vector<Line> without_slices(std::vector<Line> lines) {
  for (Line& line : lines) line.slices.clear();
  return lines;
}

// Jobs of one GPU fit wherever a GPU is free. Where nothing is preempted, or everybody is worth the
// same GPU, it does not matter on which node that is.
TEST(Metamorphic, HowGpusAreSplitIntoNodesDoesNotMatterToJobsOfOneGpu) {
  for (Setting setting : all_settings()) {
    if (setting.options.preempt_cost > 0s) continue;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const std::vector<TestJob> jobs = random_jobs(seed, 60, 1);
      setting.cluster = "1x8";
      const std::vector<Line> whole = without_slices(history_of(jobs, setting));
      setting.cluster = "4x2";
      EXPECT_EQ(without_slices(history_of(jobs, setting)), whole)
          << setting.policy << " " << setting.placement << ", seed " << seed;
    }
  }
}

std::map<std::string, Duration> ends_of(const std::vector<TestJob>& jobs, const Setting& setting) {
  std::map<std::string, Duration> ends;
  for (const Line& line : history_of(jobs, setting))
    if (line.verb == Verb::finish) ends[line.id] = line.time;
  return ends;
}

// True: in strict order each job starts when the one before it has and there is room, and by
// induction more GPUs only bring both forward, on a pool for gangs too.
TEST(Metamorphic, MoreGpusDelayNobodyUnderFifoOnAPool) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<TestJob> jobs = random_jobs(seed, 40);
    const auto few = ends_of(jobs, {.cluster = "3x4"}), more = ends_of(jobs, {.cluster = "4x4"});
    ASSERT_EQ(few.size(), jobs.size());
    for (const auto& [id, end] : few) ASSERT_LE(more.at(id), end) << id << ", seed " << seed;
  }
}

// False (Graham 1966): with a fifth GPU c goes ahead of b at once and holds it up until 100 s; with
// four it does not fit beside a, and b is through before it.
TEST(Metamorphic, OneMoreGpuMayDelayAJobWhereTheWalkSkips) {
  const std::vector<TestJob> jobs{{.id = "a", .gpus = 3, .run = 10s},
                                  {.id = "b", .gpus = 4, .run = 10s},
                                  {.id = "c", .gpus = 2, .run = 100s}};
  EXPECT_EQ(ends_of(jobs, {.policy = "fifo-skip", .cluster = "1x4"}).at("b"), 20s);
  EXPECT_EQ(ends_of(jobs, {.policy = "fifo-skip", .cluster = "1x5"}).at("b"), 110s);
}

}  // namespace
}  // namespace orrery::test
