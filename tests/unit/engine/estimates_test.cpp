// What a policy is told of durations.
#include "engine/estimates.hpp"

#include "orrery/workload/builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;
using Kind = DurationKnowledge::Kind;

struct Row {
  std::string id, user, name;
  int gpus = 1;
  Duration run{};
  std::optional<Duration> walltime{};
};

Workload make(const std::vector<Row>& rows) {
  WorkloadBuilder builder;
  for (const Row& row : rows) {
    JobRow one;
    one.id = row.id;
    one.run_time = row.run;
    one.gang_size = row.gpus;
    one.walltime = row.walltime;
    one.user = row.user;
    one.name = row.name;
    builder.add(one);
  }
  return builder.build();
}

std::unique_ptr<LearningEstimates> estimates(const Workload& workload, Kind kind,
                                             Knows knows = Knows::oracle, double sigma = 0,
                                             std::uint64_t seed = 1) {
  return make_estimates({.kind = kind, .sigma = sigma}, knows, workload, seed);
}

TEST(Estimates, NothingIsMadeForAPolicyThatAsksForNothing) {
  const Workload workload = make({{"1", "", "", 1, 10s}});
  for (const Kind kind : {Kind::by_policy, Kind::oracle, Kind::history})
    EXPECT_EQ(estimates(workload, kind, Knows::nothing), nullptr);
}

TEST(Estimates, PolicyDecidesUnlessTheSettingsDo) {
  const Workload workload = make({{"1", "", "", 1, 10s, 60s}, {"2", "", "", 1, 10s}});
  const JobId with{0U}, without{1U};
  EXPECT_EQ(estimates(workload, Kind::by_policy, Knows::oracle)->run_time(with), Duration{10s});
  EXPECT_EQ(estimates(workload, Kind::by_policy, Knows::walltime)->run_time(with), Duration{60s});
  EXPECT_EQ(estimates(workload, Kind::oracle, Knows::walltime)->run_time(with), Duration{10s});
  EXPECT_EQ(estimates(workload, Kind::walltime, Knows::oracle)->run_time(with), Duration{60s});
  EXPECT_EQ(estimates(workload, Kind::walltime)->run_time(without), std::nullopt);
}

TEST(NoisyEstimates, AreTheTruthWithoutNoise) {
  const Workload workload = make({{"1", "", "", 1, 10s}});
  EXPECT_EQ(estimates(workload, Kind::noisy)->run_time(JobId{0U}), Duration{10s});
}

// exp(0.5 N(0, 1)): of 2001 factors the middle one is near 1 (its standard error is 0.5 *
// sqrt(pi / 2) / sqrt(2001) = 0.014), and 68 % lie within exp(-0.5) and exp(0.5). The draws are
// fixed by the seed.
TEST(NoisyEstimates, MultiplyByALogNormalFactor) {
  std::vector<Row> rows;
  for (int i = 0; i < 2001; ++i) rows.push_back({std::to_string(i), "", "", 1, 1000s});
  const Workload workload = make(rows);
  const auto noisy = estimates(workload, Kind::noisy, Knows::oracle, 0.5);
  std::vector<double> factors;
  for (std::size_t i = 0; i < workload.size(); ++i)
    factors.push_back(seconds(noisy->run_time(JobId{i}).value()) / 1000);
  std::ranges::sort(factors);
  EXPECT_NEAR(factors[1000], 1, 0.06);
  const auto inside = std::ranges::count_if(
      factors, [](double f) { return f > std::exp(-0.5) && f < std::exp(0.5); });
  EXPECT_NEAR(static_cast<double>(inside) / 2001, 0.683, 0.04);
}

// Of one job, whenever it is asked, and of the seed.
TEST(NoisyEstimates, AreDrawnOnceForAJob) {
  const Workload workload = make({{"1", "", "", 1, 1000s}, {"2", "", "", 1, 1000s}});
  const auto one = estimates(workload, Kind::noisy, Knows::oracle, 1);
  const auto second_first = estimates(workload, Kind::noisy, Knows::oracle, 1);
  const auto of_2 = second_first->run_time(JobId{1U});
  EXPECT_EQ(one->run_time(JobId{0U}), second_first->run_time(JobId{0U}));
  EXPECT_EQ(one->run_time(JobId{1U}), of_2);
  EXPECT_NE(one->run_time(JobId{0U}), of_2);
  EXPECT_NE(estimates(workload, Kind::noisy, Knows::oracle, 1, 2)->run_time(JobId{0U}),
            one->run_time(JobId{0U}));
}

// Jobs 1 to 4 have ended; each of the others has a nearer kin among them.
TEST(HistoryEstimates, AreTheMeanOfTheMostSimilarEndedJobs) {
  const Workload workload = make({{"1", "ann", "train", 4, 10s},
                                  {"2", "ann", "train", 1, 20s},
                                  {"3", "ann", "other", 2, 90s},
                                  {"4", "bob", "train", 1, 200s},
                                  {"5", "ann", "train", 8, 1s},  // user and name: (10 + 20) / 2
                                  {"6", "ann", "new", 2, 1s},    // user and GPUs: 90
                                  {"7", "ann", "new", 8, 1s},    // user: (10 + 20 + 90) / 3
                                  {"8", "eve", "train", 1, 1s},  // all: (10 + 20 + 90 + 200) / 4
                                  {"9", "", "train", 1, 1s}});   // nobody: all
  const auto history = estimates(workload, Kind::history);
  for (std::size_t i = 0; i < 4; ++i)
    history->ended(JobId{i}, std::vector<Duration>{10s, 20s, 90s, 200s}[i]);
  const std::vector<Duration> expected{15s, 90s, 40s, 80s, 80s};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    history->arrived(JobId{i + 4});
    EXPECT_EQ(history->run_time(JobId{i + 4}), expected[i]) << i + 5;
  }
}

TEST(HistoryEstimates, KnowNothingBeforeAnythingHasEndedAndKeepWhatTheyKnewAtArrival) {
  const Workload workload = make({{"1", "ann", "a", 1, 10s}, {"2", "ann", "a", 1, 10s}});
  const auto history = estimates(workload, Kind::history);
  history->arrived(JobId{0U});
  history->ended(JobId{0U}, 10s);
  EXPECT_EQ(history->run_time(JobId{0U}), std::nullopt);  // its place in the order is settled
  history->arrived(JobId{1U});
  history->ended(JobId{0U}, 30s);
  EXPECT_EQ(history->run_time(JobId{1U}), Duration{10s});
}

// A fork learns on its own.
TEST(HistoryEstimates, CopyLearnsOnItsOwn) {
  const Workload workload = make({{"1", "ann", "a", 1, 10s}, {"2", "ann", "a", 1, 10s}});
  const auto history = estimates(workload, Kind::history);
  const auto copy = history->clone();
  history->ended(JobId{0U}, 10s);
  copy->arrived(JobId{1U});
  EXPECT_EQ(copy->run_time(JobId{1U}), std::nullopt);
}

TEST(KnowledgeText, SaysWhatAPolicyWasTold) {
  EXPECT_EQ(knowledge_text({}, Knows::nothing), "nothing of durations");
  EXPECT_EQ(knowledge_text({.kind = Kind::oracle}, Knows::nothing), "nothing of durations");
  EXPECT_EQ(knowledge_text({}, Knows::oracle), "true durations (oracle)");
  EXPECT_EQ(knowledge_text({}, Knows::walltime),
            "the walltimes that users declared; a job without one never ends");
  EXPECT_EQ(knowledge_text({.kind = Kind::noisy, .sigma = 0.5}, Knows::oracle),
            "true durations times a log-normal factor, sigma=0.5");
}

}  // namespace
}  // namespace orrery
