// One record a job of what became of it: the sink behind jobs.csv and every statistic over jobs.
#pragma once

#include "orrery/engine/recorder.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace orrery {

/// 40 bytes a job, and a side record for jobs that were preempted, migrated, waited or had
/// overhead.
class JobTable final : public Sink {
 public:
  explicit JobTable(std::size_t jobs);
  void outcome(const JobOutcome& outcome) override;

  std::size_t size() const { return start_.size(); }
  bool has(JobId job) const;               ///< an outcome came
  JobOutcome operator[](JobId job) const;  ///< put together again, equal to what came
  std::size_t bytes() const;

 private:
  struct Extra {  // what most jobs do not have
    std::array<std::int64_t, kWaitCauses> wait{};
    std::int64_t overhead = 0;
    std::uint32_t preemptions = 0, migrations = 0;
  };
  std::vector<std::int64_t> start_, end_, run_;
  std::vector<std::uint32_t> extra_of_;  // index + 1; 0: nothing extra
  std::vector<std::uint32_t> gang_size_;
  std::vector<std::uint16_t> nodes_;
  std::vector<std::uint8_t> status_;  // JobStatus + 1; 0: nothing came
  std::vector<Extra> extra_;
};

}  // namespace orrery
