// One record a job of what became of it: the sink behind jobs.csv and every statistic over jobs.
#pragma once

#include "orrery/engine/recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

/// 35 bytes a job, and 8 more for each cause it waited by, its overhead and its counts where there
/// is something to tell.
class JobTable final : public Sink {
 public:
  explicit JobTable(std::size_t jobs);
  void outcome(const JobOutcome& outcome) override;

  std::size_t size() const { return start_.size(); }
  bool has(JobId job) const { return status_[job.index()] != 0; }  ///< an outcome came
  /// Put together again, equal to what came.
  JobOutcome operator[](JobId job) const;
  std::size_t bytes() const;

  // The same by column, for loops that need one field of every job.
  JobStatus status(JobId job) const { return static_cast<JobStatus>(status_[job.index()] - 1); }
  SimTime first_start(JobId job) const { return at(Duration{start_[job.index()]}); }
  SimTime end(JobId job) const { return at(Duration{end_[job.index()]}); }

 private:
  // What most jobs lack, packed into words: a head that tells which words follow.
  static constexpr unsigned kOverhead = kWaitCauses, kCounts = kWaitCauses + 1;

  std::vector<std::int64_t> start_, end_, run_;
  std::vector<std::uint32_t> extra_of_;  // index into extra_ + 1; 0: nothing extra
  std::vector<std::uint32_t> gang_size_;
  std::vector<std::uint16_t> nodes_;
  std::vector<std::uint8_t> status_;  // JobStatus + 1; 0: nothing came
  std::vector<std::int64_t> extra_;
};

}  // namespace orrery
