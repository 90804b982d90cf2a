// Whether two policies differ: 95 % intervals of means and of changes of means, over the same jobs.
#pragma once

#include "orrery/base/random.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orrery {

inline constexpr double kConfidence = 0.95;

struct Interval {
  double low = 0, high = 0;
  bool holds(double value) const { return low <= value && value <= high; }
};

/// Bootstrap over stretches of one trace: jobs that waited in one queue are not independent, so the
/// jobs are cut, in the order of their submits, into kBlocks runs of neighbours, and whole runs are
/// drawn. Intervals are symmetric and studentized: a few jobs make up most of a mean, and
/// percentile intervals are too short then (docs/decisions/0012). Every question is answered over
/// the same draws, which pairs policies. Sources: Carlstein, The use of subseries values, Annals of
/// Statistics 14, 1986 (blocks); Hall, On symmetric bootstrap confidence intervals, JRSS B 50,
/// 1988.
class BlockBootstrap {
 public:
  static constexpr std::size_t kResamples = 2000, kBlocks = 30;
  static constexpr std::size_t kFewestJobs = 2 * kBlocks;  ///< with fewer there is no interval

  BlockBootstrap(std::size_t jobs, RandomStream random);
  /// Of the mean of one value a job, in their unit.
  std::optional<Interval> of_mean(std::span<const std::int64_t> values) const;
  /// Of (mean of `other`) / (mean of `first`) - 1. Nothing when all of `first` is 0.
  std::optional<Interval> of_change(std::span<const std::int64_t> first,
                                    std::span<const std::int64_t> other) const;

 private:
  using Blocks = std::array<double, kBlocks>;
  std::size_t begin_of(std::size_t block) const { return block * jobs_ / kBlocks; }
  Blocks sums(std::span<const std::int64_t> values) const;
  std::optional<Interval> of_ratio(const Blocks& below, const Blocks& above) const;

  std::size_t jobs_;
  std::vector<std::array<std::uint8_t, kBlocks>> draws_;  // one a resample
};

/// Student's t over independent traces, one mean a trace; nothing for fewer than two.
std::optional<Interval> t_interval_of_mean(std::span<const double> means);
/// Of (sum of `other`) / (sum of `first`) - 1, as a ratio estimate: entry k of both is of trace k.
std::optional<Interval> t_interval_of_change(std::span<const double> first,
                                             std::span<const double> other);

/// Exact (Clopper-Pearson) interval of a share from `hits` among `tries`.
Interval share_interval(std::uint64_t hits, std::uint64_t tries);

}  // namespace orrery
