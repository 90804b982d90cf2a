// Where two runs part.
#include "orrery/inspect/divergence.hpp"

#include "support/histories.hpp"
#include "support/scenario.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// A run that is taped; everything it needs goes with it.
struct Taped {
  Taped(const std::vector<TestJob>& jobs, const Setting& setting)
      : Taped{make_workload(jobs), setting} {}
  Taped(Workload made, const Setting& setting)
      : workload{std::move(made)},
        topology{parse_cluster_shorthand(setting.cluster).value()},
        tape{workload} {
    recorder.add(tape, HistoryTape::kWants);
    run.emplace(workload, topology, choice(setting.policy, setting.placement), setting.options,
                recorder);
  }
  Taped(const Taped&) = delete;
  Taped& operator=(const Taped&) = delete;
  Workload workload;
  Topology topology;
  HistoryTape tape;
  Recorder recorder;
  std::optional<Simulator> run;
};

DivergenceSearch search(Taped& a, Taped& b) {
  return find_divergence({&*a.run, &a.tape}, {&*b.run, &b.tape});
}

const Setting kFifo{.policy = "fifo", .placement = "best-fit", .cluster = "1x4"};
const Setting kSkip{.policy = "fifo-skip", .placement = "best-fit", .cluster = "1x4"};

// a holds 3 of 4 GPUs from 0 to 100, b (4 GPUs) waits for it, c (1 GPU) fits beside a at 2. fifo
// makes it wait behind b until 110; fifo-skip does not.
const std::vector<TestJob> kJobs{{"a", 0s, 3, 100s}, {"b", 1s, 4, 10s}, {"c", 2s, 1, 50s}};

TEST(Divergence, NamesTheEntryInWhichTwoPoliciesPart) {
  Taped a{kJobs, kFifo}, b{kJobs, kSkip};
  const auto [found, in_common, stopped] = search(a, b);
  ASSERT_TRUE(found);
  EXPECT_FALSE(stopped);
  EXPECT_EQ(in_common, 1U);
  EXPECT_EQ(found->last_in_common.front().job_id, "a");
  EXPECT_EQ(found->field, "time");
  EXPECT_EQ(found->first->time, at(100s));
  EXPECT_EQ(found->first->job_id, "a");
  EXPECT_EQ(found->first->verb, Verb::finish);
  EXPECT_EQ(found->second->time, at(2s));
  EXPECT_EQ(found->second->job_id, "c");
  EXPECT_TRUE(found->instant_of_first.empty()) << "fifo does nothing at 2";
  ASSERT_EQ(found->instant_of_second.size(), 1U);
}

TEST(Divergence, OfEqualRunsIsNone) {
  Taped a{kJobs, kSkip}, b{kJobs, kSkip};
  const DivergenceSearch told = search(a, b);
  EXPECT_FALSE(told.found);
  EXPECT_EQ(told.in_common, 6U);  // three starts, three ends
}

TEST(Divergence, NamesTheFieldOfOnePlantedChange) {
  struct Change {
    std::string_view field;
    std::function<void(KeptEntry&)> plant;
  };
  const std::vector<Change> changes{
      {"time", [](KeptEntry& entry) { entry.time += 1us; }},
      {"job", [](KeptEntry& entry) { entry.job_id += "x"; }},
      {"verb", [](KeptEntry& entry) { entry.verb = Verb::preempt; }},
      {"gpus", [](KeptEntry& entry) { ++entry.gpus; }},
      {"allocation", [](KeptEntry& entry) { entry.slices.front().gpus ^= 3; }},
      {"allocation", [](KeptEntry& entry) { entry.slices.clear(); }},
  };
  for (const Change& change : changes) {
    Taped a{kJobs, kFifo}, b{kJobs, kFifo};
    while (b.run->step()) {
    }
    change.plant(b.tape.entries[3]);
    const auto [found, in_common, stopped] = search(a, b);
    ASSERT_TRUE(found && !stopped) << change.field;
    EXPECT_EQ(in_common, 3U) << change.field;
    EXPECT_EQ(found->field, change.field);
  }
}

TEST(Divergence, IsTheEntryThatOneRunLacks) {
  Taped a{kJobs, kFifo}, b{{kJobs[0], kJobs[1]}, kFifo};
  const auto found = search(a, b).found;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->field, "entry");
  EXPECT_EQ(found->first->job_id, "c");
  EXPECT_FALSE(found->second);
}

TEST(Divergence, SearchIsEndedFromOutside) {
  Taped a{kJobs, kFifo}, b{kJobs, kSkip};
  const DivergenceSearch told =
      find_divergence({&*a.run, &a.tape}, {&*b.run, &b.tape}, [] { return false; });
  EXPECT_TRUE(told.stopped);
  EXPECT_FALSE(told.found);
}

// Whatever the run, one job's longer run time is found, and nothing before it differs.
TEST(Divergence, MeetsTheFirstDifferenceOfWholeHistories) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<TestJob> jobs = random_jobs(seed, 40);
    const std::vector<TestJob> same = jobs;
    jobs[seed % jobs.size()].run += 1us;
    for (const char* policy : {"fifo", "srtf", "easy"}) {
      const Setting setting{.policy = policy, .placement = "best-fit", .cluster = "2x8"};
      Taped a{same, setting}, b{jobs, setting}, whole_a{same, setting}, whole_b{jobs, setting};
      const auto [found, in_common, stopped] = search(a, b);
      while (whole_a.run->step()) {
      }
      while (whole_b.run->step()) {
      }
      const auto& one = whole_a.tape.entries;
      const auto& other = whole_b.tape.entries;
      std::size_t i = 0;
      while (i < one.size() && i < other.size() && first_difference(one[i], other[i]).empty()) ++i;
      ASSERT_FALSE(stopped);
      ASSERT_EQ(found.has_value(), i < one.size() || i < other.size()) << seed << " " << policy;
      EXPECT_EQ(in_common, i) << seed << " " << policy;
    }
  }
}

}  // namespace
}  // namespace orrery::test
