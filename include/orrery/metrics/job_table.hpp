// One record a job of what became of it: the sink behind jobs.csv and every statistic over jobs.
#pragma once

#include "orrery/engine/recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

/// 40 bytes a job in one record, since outcomes come in no order of jobs and each is one miss of
/// the cache; 8 more for each cause it waited by, its overhead and its counts where there is
/// something to tell.
class JobTable final : public Sink {
 public:
  explicit JobTable(std::size_t jobs);
  void outcome(const JobOutcome& outcome) override;

  std::size_t size() const { return records_.size(); }
  bool has(JobId job) const { return of(job).status != 0; }  ///< an outcome came
  /// Put together again, equal to what came.
  JobOutcome operator[](JobId job) const;
  std::size_t bytes() const;

  // Single fields, for loops that need no more.
  JobStatus status(JobId job) const { return static_cast<JobStatus>(of(job).status - 1); }
  SimTime first_start(JobId job) const { return at(Duration{of(job).start}); }
  SimTime end(JobId job) const { return at(Duration{of(job).end}); }

 private:
  struct Record {
    std::int64_t start, end, run;
    std::uint32_t extra;  // index into extra_ + 1; 0: nothing extra
    std::uint32_t gang_size;
    std::uint32_t nodes;
    std::uint32_t status;  // JobStatus + 1; 0: nothing came
  };
  static_assert(sizeof(Record) == 40);
  // What most jobs lack, packed into words: a head that tells which words follow.
  static constexpr unsigned kOverhead = kWaitCauses, kCounts = kWaitCauses + 1;

  const Record& of(JobId job) const { return records_[job.index()]; }
  std::uint32_t add_extra(const JobOutcome& outcome);

  std::vector<Record> records_;
  std::vector<std::int64_t> extra_;
};

}  // namespace orrery
