#include "orrery/metrics/paired.hpp"

#include "orrery/base/check.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery {
namespace {

constexpr double kTail = (1 - kConfidence) / 2;

/// A ratio of sums over blocks and its standard error.
struct Ratio {
  double value = 0, error = 0;
};

/// `block(b)` is a pair (below, above).
template <class Block>
std::optional<Ratio> ratio_of(std::size_t blocks, Block block) {
  double below = 0, above = 0, squares = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    below += block(b).first;
    above += block(b).second;
  }
  if (below <= 0) return std::nullopt;
  for (std::size_t b = 0; b < blocks; ++b) {
    const double rest = block(b).second - above / below * block(b).first;
    squares += rest * rest;
  }
  const auto n = static_cast<double>(blocks);
  return Ratio{above / below, std::sqrt(squares * n / (n - 1)) / below};
}

/// The value that 95 % of a sample do not pass.
double most_of(std::vector<double>& sample) {
  const auto rank =
      static_cast<std::size_t>(std::ceil(kConfidence * static_cast<double>(sample.size()))) - 1;
  std::nth_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(rank),
                   sample.end());
  return sample[rank];
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Half the width of a t interval of a mean from deviations that sum to 0.
double half_width(std::span<const double> deviations) {
  const auto n = static_cast<double>(deviations.size());
  double squares = 0;
  for (const double one : deviations) squares += one * one;
  const boost::math::students_t t{n - 1};
  return boost::math::quantile(t, 1 - kTail) * std::sqrt(squares / (n - 1) / n);
}

}  // namespace

BlockBootstrap::BlockBootstrap(std::size_t jobs, RandomStream random) : jobs_{jobs} {
  if (jobs < kFewestJobs) return;
  boost::random::uniform_int_distribution<unsigned> any{0, kBlocks - 1};
  draws_.resize(kResamples);
  for (auto& draw : draws_)
    for (std::uint8_t& block : draw) block = static_cast<std::uint8_t>(any(random));
}

BlockBootstrap::Blocks BlockBootstrap::sums(std::span<const std::int64_t> values) const {
  ORRERY_CHECK(values.size() == jobs_, std::to_string(values.size()));
  Blocks sums{};
  for (std::size_t b = 0; b < kBlocks; ++b) {
    __int128 sum = 0;
    for (std::size_t i = begin_of(b); i < begin_of(b + 1); ++i) sum += values[i];
    sums[b] = static_cast<double>(sum);
  }
  return sums;
}

std::optional<Interval> BlockBootstrap::of_ratio(const Blocks& below, const Blocks& above) const {
  const auto all = ratio_of(kBlocks, [&](std::size_t b) { return std::pair{below[b], above[b]}; });
  if (!all) return std::nullopt;
  std::vector<double> distances;  // from `all`, in standard errors of the resample
  distances.reserve(draws_.size());
  for (const auto& draw : draws_) {
    const auto one = ratio_of(kBlocks, [&](std::size_t b) {
      return std::pair{below[draw[b]], above[draw[b]]};
    });
    if (!one) continue;
    const double distance = std::abs(one->value - all->value);
    distances.push_back(distance == 0 ? 0 : distance / one->error);
  }
  const double half = all->error == 0 ? 0 : most_of(distances) * all->error;
  return Interval{all->value - half, all->value + half};
}

std::optional<Interval> BlockBootstrap::of_mean(std::span<const std::int64_t> values) const {
  if (draws_.empty()) return std::nullopt;
  Blocks jobs{};
  for (std::size_t b = 0; b < kBlocks; ++b)
    jobs[b] = static_cast<double>(begin_of(b + 1) - begin_of(b));
  return of_ratio(jobs, sums(values));
}

std::optional<Interval> BlockBootstrap::of_change(std::span<const std::int64_t> first,
                                                  std::span<const std::int64_t> other) const {
  if (draws_.empty()) return std::nullopt;
  auto interval = of_ratio(sums(first), sums(other));
  if (interval) *interval = {interval->low - 1, interval->high - 1};
  return interval;
}

std::optional<Interval> t_interval_of_mean(std::span<const double> means) {
  if (means.size() < 2) return std::nullopt;
  const double mean = mean_of(means);
  std::vector<double> deviations;
  for (const double one : means) deviations.push_back(one - mean);
  const double half = half_width(deviations);
  return Interval{mean - half, mean + half};
}

std::optional<Interval> t_interval_of_change(std::span<const double> first,
                                             std::span<const double> other) {
  ORRERY_CHECK(first.size() == other.size(), std::to_string(other.size()));
  if (first.size() < 2 || mean_of(first) <= 0) return std::nullopt;
  const double ratio = mean_of(other) / mean_of(first);
  std::vector<double> deviations;
  for (std::size_t k = 0; k < first.size(); ++k) deviations.push_back(other[k] - ratio * first[k]);
  const double half = half_width(deviations) / mean_of(first);
  return Interval{ratio - 1 - half, ratio - 1 + half};
}

Interval share_interval(std::uint64_t hits, std::uint64_t tries) {
  using Binomial = boost::math::binomial_distribution<>;
  const auto n = static_cast<double>(tries), k = static_cast<double>(hits);
  return {Binomial::find_lower_bound_on_p(n, k, kTail),
          Binomial::find_upper_bound_on_p(n, k, kTail)};
}

}  // namespace orrery
