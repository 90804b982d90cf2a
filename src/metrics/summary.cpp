#include "orrery/metrics/summary.hpp"

#include "orrery/metrics/job_report.hpp"

#include <algorithm>

namespace orrery {
namespace {

constexpr double kBoundedSlowdown_s = 10;  // runs shorter than this count as so long

/// Quantiles of one sample in ascending order: each search looks only at what the last one left
/// above it, so all of them together cost O(n).
template <class Value>
class AscendingQuantiles {
 public:
  explicit AscendingQuantiles(std::vector<Value>& values) : values_{values} {}

  /// Linear interpolation between the neighbours of rank q * (n - 1).
  double at(double q) {
    const double rank = q * static_cast<double>(values_.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const double low = static_cast<double>(select(below));
    const double fraction = rank - static_cast<double>(below);
    if (fraction == 0) return low;
    return low + (static_cast<double>(select(below + 1)) - low) * fraction;
  }
  double max() { return static_cast<double>(select(values_.size() - 1)); }

 private:
  Value select(std::size_t rank) {
    const auto place = values_.begin() + static_cast<std::ptrdiff_t>(rank);
    if (rank >= sorted_) {
      std::nth_element(values_.begin() + static_cast<std::ptrdiff_t>(sorted_), place,
                       values_.end());
      sorted_ = rank + 1;  // everything before it is at most as large
    }
    return *place;
  }

  std::vector<Value>& values_;
  std::size_t sorted_ = 0;
};

template <class Value>
Distribution quantiles(std::vector<Value>& values, double scale) {
  Distribution result;
  result.n = values.size();
  if (values.empty()) return result;
  AscendingQuantiles<Value> of{values};
  result.p50 = of.at(0.50) / scale;
  result.p90 = of.at(0.90) / scale;
  result.p95 = of.at(0.95) / scale;
  result.p99 = of.at(0.99) / scale;
  result.max = of.max() / scale;
  return result;
}

std::optional<double> ratio(GpuTime::Wide part, GpuTime::Wide whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// The samples of one group of jobs.
struct Samples {
  std::vector<std::int64_t> jct, wait;
  GpuTime::Wide gpu_time = 0;
  GroupSummary summary() {
    return {.jobs = jct.size(),
            .jct_s = distribution_s(jct),
            .wait_s = distribution_s(wait),
            .gpu_time_us = gpu_time};
  }
};

/// Gathers one run's samples in JobId order.
class Gathering {
 public:
  explicit Gathering(const SummaryInput& input)
      : input_{input}, work_{*input.workload}, by_vc_(work_.vcs().size()) {
    const std::size_t jobs = input.range.last - input.range.first;
    all_.jct.reserve(jobs);
    all_.wait.reserve(jobs);
    slowdown_.reserve(jobs);
    bounded_.reserve(jobs);
  }

  Summary result() {
    for (std::size_t i = input_.range.first; i < input_.range.last; ++i) add(JobId{i});
    summary_.jobs.replayed = input_.jobs->size();
    summary_.jobs.measured = input_.range.last - input_.range.first;
    summary_.jct_s = distribution_s(all_.jct);
    summary_.wait_s = distribution_s(all_.wait);
    summary_.slowdown = distribution(slowdown_);
    summary_.bounded_slowdown = distribution(bounded_);
    if (last_end_ >= SimTime{})
      summary_.makespan_s = seconds(last_end_ - work_.arrival(JobId{input_.range.first}));
    add_groups();
    add_gpu_time();
    if (recorded_.jobs > 0) {
      recorded_.recorded_s = gpu_seconds(recorded_us_) / static_cast<double>(recorded_.jobs);
      recorded_.simulated_s = gpu_seconds(simulated_us_) / static_cast<double>(recorded_.jobs);
      summary_.recorded_wait = recorded_;
    }
    return std::move(summary_);
  }

 private:
  void add(JobId job) {
    const JobReport report = job_report(work_, *input_.jobs, job);
    const JobOutcome& outcome = report.outcome;
    summary_.preemptions += outcome.preemptions;
    summary_.migrations += outcome.migrations;
    Samples& of_size = by_size_[static_cast<int>(outcome.gang_size)];
    Samples& of_vc = by_vc_[work_.vc(job)];
    of_size.gpu_time += report.gpu_time_us;
    of_vc.gpu_time += report.gpu_time_us;
    if (outcome.end != kNever) last_end_ = std::max(last_end_, outcome.end);
    switch (outcome.status) {
      case JobStatus::finished:
        ++summary_.jobs.finished;
        break;
      case JobStatus::timeout:
        ++summary_.jobs.timeout;
        return;
      case JobStatus::rejected:
        ++summary_.jobs.rejected;
        return;
      case JobStatus::unfinished:
        ++summary_.jobs.unfinished;
        return;
    }
    if (input_.among != nullptr && !(*input_.among)[job.index()]) return;
    add_finished(report, {&all_, &of_size, &of_vc});
  }

  void add_finished(const JobReport& report, std::array<Samples*, 3> groups) {
    for (Samples* group : groups) {
      group->jct.push_back(micros(*report.jct));
      group->wait.push_back(micros(*report.wait));
    }
    if (*report.wait > Duration::zero()) {
      ++summary_.jobs.waited;
      for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
        summary_.wait_by_cause_us[cause] += micros(report.outcome.wait[cause]);
    }
    if (report.slowdown) slowdown_.push_back(*report.slowdown);
    bounded_.push_back(std::max(
        1.0, seconds(*report.jct) / std::max(seconds(report.run_time), kBoundedSlowdown_s)));
    if (report.recorded_wait) {
      ++recorded_.jobs;
      recorded_us_ += micros(*report.recorded_wait);
      simulated_us_ += micros(report.outcome.first_start - work_.arrival(report.outcome.job));
    }
  }

  void add_groups() {
    for (auto& [size, samples] : by_size_) summary_.by_size.emplace(size, samples.summary());
    if (work_.vcs().size() < 2) return;  // index 0 is "the trace does not say"
    for (std::uint32_t vc = 0; vc < by_vc_.size(); ++vc)
      if (by_vc_[vc].gpu_time > 0 || !by_vc_[vc].jct.empty())
        summary_.by_vc.emplace(work_.vcs()[vc], by_vc_[vc].summary());
  }

  void add_gpu_time() {
    const GpuTime& time = input_.gpu_time;
    summary_.gpus = input_.gpus;
    summary_.gpu_time = time;
    const GpuTime::Wide available = time.capacity - time.down;
    summary_.utilization = ratio(time.busy + time.overhead, available);
    summary_.useful_utilization = ratio(time.busy, available);
    summary_.fragmentation = ratio(time.fragmented, time.idle);
    if (!input_.while_arriving) return;
    const GpuTime& arriving = *input_.while_arriving;
    summary_.utilization_while_arriving =
        ratio(arriving.busy + arriving.overhead, arriving.capacity - arriving.down);
  }

  const SummaryInput& input_;
  const Workload& work_;
  Summary summary_;
  Samples all_;
  std::vector<double> slowdown_, bounded_;
  std::map<int, Samples> by_size_;
  std::vector<Samples> by_vc_;
  SimTime last_end_{Duration{-1}};
  Summary::RecordedWait recorded_;
  GpuTime::Wide recorded_us_ = 0, simulated_us_ = 0;
};

}  // namespace

Distribution distribution(std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  Distribution result = quantiles(values, 1);
  if (result.n > 0) result.mean = sum / static_cast<double>(result.n);
  return result;
}

Distribution distribution_s(std::vector<std::int64_t>& micros) {
  __int128 sum = 0;
  for (const std::int64_t value : micros) sum += value;
  Distribution result = quantiles(micros, 1e6);
  if (result.n > 0) result.mean = static_cast<double>(sum) / (static_cast<double>(result.n) * 1e6);
  return result;
}

Summary summarize(const SummaryInput& input) {
  return Gathering{input}.result();
}

}  // namespace orrery
