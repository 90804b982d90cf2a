// What queueing theory and brute force say about small systems, against the engine.
#include "support/scenario.hpp"

#include "orrery/base/random.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// First starts by JobId, and waits.
struct Waits final : Sink {
  explicit Waits(std::size_t jobs) : start(jobs, kNever), wait(jobs) {}
  void outcome(const JobOutcome& told) override {
    start[told.job.index()] = told.first_start;
    wait[told.job.index()] = told.total_wait();
  }
  std::vector<SimTime> start;
  std::vector<Duration> wait;
};

Waits waits_of(const Workload& workload, const std::string& cluster, std::string_view policy) {
  const Topology topology = parse_cluster_shorthand(cluster).value();
  Waits waits{workload.size()};
  Recorder recorder;
  recorder.add(waits, Recorder::kOutcomes);
  Simulator simulator{workload, topology, choice(policy, "count"), {}, recorder};
  simulator.run();
  return waits;
}

// ---- one GPU, exactly --------------------------------------------------------------------------

// Lindley 1952: the next job waits for what is left of the wait and the work of the one before it.
TEST(Queueing, OneGpuUnderFifoFollowsLindleysRecursion) {
  RandomStream random{7};
  std::vector<TestJob> jobs;
  Duration submit{};
  for (int i = 0; i < 20'000; ++i) {
    submit += Duration{random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 2'000'003)};
    jobs.push_back({.id = std::to_string(i),
                    .submit = submit,
                    .run = Duration{static_cast<std::int64_t>(random() % 1'300'007)}});
  }
  const Waits waits = waits_of(make_workload(jobs), "1x1", "fifo");
  Duration wait{};
  std::size_t waited = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (i > 0)
      wait = std::max(Duration{}, wait + jobs[i - 1].run - (jobs[i].submit - jobs[i - 1].submit));
    ASSERT_EQ(waits.wait[i], wait) << "job " << i;
    ASSERT_EQ(waits.start[i], at(jobs[i].submit + wait)) << "job " << i;
    waited += wait > Duration{} ? 1 : 0;
  }
  EXPECT_GT(waited, jobs.size() / 2);
}

// ---- means, inside a computed band
// ---------------------------------------------------------------

/// A mean over independent runs, and half the width of its 99.9 % confidence interval.
struct Estimate {
  double mean, half_width;
};

Estimate estimate(const std::vector<double>& runs) {
  const auto n = static_cast<double>(runs.size());
  double mean = 0, squares = 0;
  for (const double run : runs) mean += run / n;
  for (const double run : runs) squares += (run - mean) * (run - mean);
  const boost::math::students_t distribution{n - 1};
  const double quantile = boost::math::quantile(distribution, 1 - 0.001 / 2);
  return {mean, quantile * std::sqrt(squares / (n - 1) / n)};
}

using Service = std::function<double(RandomStream&)>;  // seconds

/// Mean wait in seconds of jobs of one GPU each, in runs of their own; the first tenth of each run
/// is left out, as it starts empty.
Estimate mean_wait(int gpus, double arrivals_per_s, const Service& service) {
  constexpr int kRuns = 40;
  constexpr std::size_t kJobs = 20'000;
  std::vector<double> means;
  for (std::uint64_t r = 0; r < kRuns; ++r) {
    RandomStream arrivals = RngStreams{r}.stream("arrivals"),
                 services = RngStreams{r}.stream("services");
    boost::random::exponential_distribution<double> gap{arrivals_per_s};
    WorkloadBuilder builder;
    double submit = 0;
    for (std::size_t i = 0; i < kJobs; ++i) {
      submit += gap(arrivals);
      builder.add({.id = std::to_string(i),
                   .arrival = at(duration_rounded_up(submit)),
                   .run_time = duration_rounded_up(service(services))});
    }
    const Waits waits = waits_of(builder.build(), "1x" + std::to_string(gpus), "fifo");
    double sum = 0;
    for (std::size_t i = kJobs / 10; i < kJobs; ++i) sum += seconds(waits.wait[i]);
    means.push_back(sum / static_cast<double>(kJobs - kJobs / 10));
  }
  return estimate(means);
}

void expect_inside(const Estimate& got, double expected) {
  EXPECT_NEAR(got.mean, expected, got.half_width);
  EXPECT_LT(got.half_width, 0.1 * expected) << "too wide a band to tell anything";
}

double exponential(RandomStream& random, double mean) {
  return boost::random::exponential_distribution<double>{1 / mean}(random);
}

/// Erlang C: the mean wait with `servers` servers, exponential service of mean 100 s and a load of
/// `rho` a server.
double erlang_wait(int servers, double rho) {
  const double offered = servers * rho;
  double blocking = 1;  // Erlang B, by its recursion
  for (int k = 1; k <= servers; ++k) blocking = offered * blocking / (k + offered * blocking);
  const double waits = blocking / (1 - rho * (1 - blocking));
  return waits * 100 / (servers * (1 - rho));
}

// By hand: one server waits rho / (1 - rho) services, 0.7 / 0.3 * 100 s.
TEST(Queueing, ErlangsFormulaGivesTheKnownValueForOneServer) {
  EXPECT_NEAR(erlang_wait(1, 0.7), 233.333, 0.001);
}

class ManyServers : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Queueing, ManyServers, testing::Values(1, 2, 4));

TEST_P(ManyServers, MeanWaitOfMMcIsErlangs) {
  const int gpus = GetParam();
  const Estimate got = mean_wait(gpus, gpus * 0.7 / 100,
                                 [](RandomStream& random) { return exponential(random, 100); });
  expect_inside(got, erlang_wait(gpus, 0.7));
}

/// Pollaczek and Khinchine, at a load of 0.7 with a mean service of 100 s.
double pollaczek_khinchine_wait(double mean_square) {
  return 0.7 / 100 * mean_square / (2 * (1 - 0.7));
}

TEST(Queueing, MeanWaitOfMG1IsPollaczekKhinchines) {
  // Deterministic: 100 s. Two kinds: 25 s with probability 0.8, 400 s with 0.2. Uniform: 0 to 200
  // s.
  expect_inside(mean_wait(1, 0.7 / 100, [](RandomStream&) { return 100.0; }),
                pollaczek_khinchine_wait(100.0 * 100));
  expect_inside(mean_wait(1, 0.7 / 100,
                          [](RandomStream& random) { return random() % 5 == 0 ? 400.0 : 25.0; }),
                pollaczek_khinchine_wait(0.8 * 25 * 25 + 0.2 * 400 * 400));
  expect_inside(mean_wait(1, 0.7 / 100,
                          [](RandomStream& random) {
                            return 200.0 * static_cast<double>(random() >> 11) / (1ULL << 53);
                          }),
                pollaczek_khinchine_wait(200.0 * 200 / 3));
}

// ---- optima, by brute force
// ----------------------------------------------------------------------

/// The least sum of completion times over all preemptive schedules of one GPU in whole seconds.
class BestSchedule {
 public:
  explicit BestSchedule(const std::vector<TestJob>& jobs) {
    for (const TestJob& job : jobs) {
      submit_.push_back(micros(job.submit) / 1'000'000);
      left_.push_back(micros(job.run) / 1'000'000);
    }
  }
  std::int64_t sum() { return from(0); }

 private:
  std::int64_t from(std::int64_t now) {
    if (std::ranges::all_of(left_, [](std::int64_t left) { return left == 0; })) return 0;
    const auto [known, fresh] = known_.try_emplace({now, left_}, 0);
    if (!fresh) return known->second;
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    bool idle = true;
    for (std::size_t j = 0; j < left_.size(); ++j) {
      if (left_[j] == 0 || submit_[j] > now) continue;
      idle = false;
      --left_[j];
      best = std::min(best, from(now + 1) + (left_[j] == 0 ? now + 1 : 0));
      ++left_[j];
    }
    if (idle) best = from(now + 1);
    return known_[{now, left_}] = best;
  }
  std::vector<std::int64_t> submit_, left_;
  std::map<std::pair<std::int64_t, std::vector<std::int64_t>>, std::int64_t> known_;
};

Duration sum_of_ends(const TestRun& run) {
  Duration sum{};
  for (const auto& [id, outcome] : run.outcomes) sum += outcome.end.time_since_epoch();
  return sum;
}

/// Every way to submit up to `most` jobs of 1 to 4 s within the first 4 s.
void each_workload(std::size_t most,
                   const std::function<void(const std::vector<TestJob>&)>& visit) {
  std::vector<TestJob> jobs;
  const std::function<void()> extend = [&] {
    if (!jobs.empty()) visit(jobs);
    if (jobs.size() == most) return;
    for (Duration submit = jobs.empty() ? 0s : jobs.back().submit; submit <= 3s; submit += 1s)
      for (Duration run = 1s; run <= 4s; run += 1s) {
        jobs.push_back({.id = std::to_string(jobs.size()), .submit = submit, .run = run});
        extend();
        jobs.pop_back();
      }
  };
  extend();
}

// Schrage 1968: with preemption and one server, the shortest remaining time first is optimal.
TEST(Optimality, SrtfHasTheLeastMeanJctOfAllPreemptiveSchedulesOnOneGpu) {
  std::size_t workloads = 0, better_than_fifo = 0;
  each_workload(4, [&](const std::vector<TestJob>& jobs) {
    const Duration srtf = sum_of_ends(run("1x1", jobs, "srtf"));
    ASSERT_EQ(srtf, std::chrono::seconds{BestSchedule{jobs}.sum()});
    ++workloads;
    if (srtf < sum_of_ends(run("1x1", jobs, "fifo"))) ++better_than_fifo;
  });
  EXPECT_EQ(workloads, 4U * 4 + 10 * 16 + 20 * 64 + 35 * 256);
  EXPECT_GT(better_than_fifo, workloads / 2);
}

// Smith 1956: without arrivals, shortest first is the best order of all.
TEST(Optimality, SjfHasTheLeastMeanJctOfAllOrdersWhenEverybodyIsThere) {
  RandomStream random{11};
  for (int n = 0; n < 200; ++n) {
    std::vector<TestJob> jobs;
    for (int j = 0; j < 6; ++j)
      jobs.push_back(
          {.id = std::to_string(j), .run = Duration{static_cast<std::int64_t>(random() % 1000)}});
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
    Duration best = Duration::max();
    do {
      Duration now{}, sum{};
      for (const std::size_t j : order) sum += now += jobs[j].run;
      best = std::min(best, sum);
    } while (std::ranges::next_permutation(order).found);
    ASSERT_EQ(sum_of_ends(run("1x1", jobs, "sjf")), best);
  }
}

}  // namespace
}  // namespace orrery::test
