#include "benchmarks/synthetic.hpp"

#include "orrery/base/random.hpp"
#include "orrery/workload/builder.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace orrery::bench {
namespace {

constexpr double kSecondsPerDay = 86'400;
constexpr std::int64_t kMicrosPerSecond = 1'000'000;

int draw_gang(double u) {
  struct Share {
    double up_to;
    int gpus;
  };
  constexpr std::array kShares{Share{0.60, 1},   Share{0.72, 2},   Share{0.82, 4}, Share{0.94, 8},
                               Share{0.975, 16}, Share{0.993, 32}, Share{1.0, 64}};
  return std::ranges::find_if(kShares, [&](const Share& share) { return u < share.up_to; })->gpus;
}

}  // namespace

Synthetic make_synthetic(std::size_t jobs, std::size_t nodes, double load) {
  RandomStream random = RngStreams{1}.stream("benchmark workload");
  boost::random::exponential_distribution<double> gap;
  boost::random::normal_distribution<double> normal;
  boost::random::uniform_01<double> uniform;
  const double mean_gap = 182 * kSecondsPerDay / static_cast<double>(jobs);
  Synthetic made{.arrival = {}, .run_time = {}, .gpus = {}, .nodes = nodes};
  std::vector<double> raw(jobs);
  double time = 0, work = 0;
  for (double& duration : raw) {
    const double wave = 1 + 0.5 * std::sin(2 * std::numbers::pi * time / kSecondsPerDay);
    time += gap(random) * mean_gap / wave;
    duration = std::min(std::exp(2.4 * normal(random)), 1000.0);
    const int gpus = draw_gang(uniform(random));
    work += duration * gpus;
    made.arrival.push_back(static_cast<std::int64_t>(time) * kMicrosPerSecond);
    made.gpus.push_back(static_cast<std::uint8_t>(gpus));
  }
  const double seconds = load * time * static_cast<double>(nodes) * kGpusPerNode / work;
  for (const double duration : raw)
    made.run_time.push_back(
        std::max<std::int64_t>(1, static_cast<std::int64_t>(duration * seconds)) *
        kMicrosPerSecond);
  return made;
}

Workload to_workload(const Synthetic& jobs) {
  WorkloadBuilder builder;
  builder.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string id = std::to_string(i);
    builder.add({.id = id,
                 .arrival = at(Duration{jobs.arrival[i]}),
                 .run_time = Duration{jobs.run_time[i]},
                 .gang_size = jobs.gpus[i],
                 .recorded_start = {}});
  }
  return builder.build();
}

}  // namespace orrery::bench
