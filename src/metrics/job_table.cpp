#include "orrery/metrics/job_table.hpp"

#include "orrery/base/check.hpp"

#include <limits>

namespace orrery {

JobTable::JobTable(std::size_t jobs)
    : start_(jobs, micros(kNever)),
      end_(jobs, micros(kNever)),
      run_(jobs),
      extra_of_(jobs),
      gang_size_(jobs),
      nodes_(jobs),
      status_(jobs) {}

void JobTable::outcome(const JobOutcome& outcome) {
  const std::size_t i = outcome.job.index();
  ORRERY_CHECK(!has(outcome.job), "a second outcome of job " + std::to_string(i));
  ORRERY_CHECK(outcome.nodes <= std::numeric_limits<std::uint16_t>::max(),
               "nodes " + std::to_string(outcome.nodes));
  start_[i] = micros(outcome.first_start);
  end_[i] = micros(outcome.end);
  run_[i] = micros(outcome.run);
  gang_size_[i] = outcome.gang_size;
  nodes_[i] = static_cast<std::uint16_t>(outcome.nodes);
  status_[i] = static_cast<std::uint8_t>(static_cast<unsigned>(outcome.status) + 1);

  const std::size_t head = extra_.size();
  unsigned has = 0;
  extra_.push_back(0);
  for (unsigned cause = 0; cause < kWaitCauses; ++cause) {
    if (outcome.wait[cause] == Duration::zero()) continue;
    has |= 1U << cause;
    extra_.push_back(micros(outcome.wait[cause]));
  }
  if (outcome.overhead != Duration::zero()) {
    has |= 1U << kOverhead;
    extra_.push_back(micros(outcome.overhead));
  }
  if (outcome.preemptions != 0 || outcome.migrations != 0) {
    has |= 1U << kCounts;
    extra_.push_back(
        static_cast<std::int64_t>((std::uint64_t{outcome.preemptions} << 32) | outcome.migrations));
  }
  if (has == 0) {
    extra_.pop_back();
    return;
  }
  extra_[head] = has;
  ORRERY_CHECK(head < std::numeric_limits<std::uint32_t>::max(), "extra records of jobs");
  extra_of_[i] = static_cast<std::uint32_t>(head + 1);
}

JobOutcome JobTable::operator[](JobId job) const {
  const std::size_t i = job.index();
  ORRERY_CHECK(has(job), "no outcome of job " + std::to_string(i));
  JobOutcome outcome{.job = job,
                     .status = status(job),
                     .first_start = first_start(job),
                     .end = end(job),
                     .run = Duration{run_[i]},
                     .gang_size = gang_size_[i],
                     .nodes = nodes_[i]};
  if (extra_of_[i] == 0) return outcome;
  const std::int64_t* word = &extra_[extra_of_[i] - 1];
  const auto has = static_cast<unsigned>(*word++);
  for (unsigned cause = 0; cause < kWaitCauses; ++cause)
    if ((has >> cause & 1U) != 0) outcome.wait[cause] = Duration{*word++};
  if ((has >> kOverhead & 1U) != 0) outcome.overhead = Duration{*word++};
  if ((has >> kCounts & 1U) != 0) {
    const auto counts = static_cast<std::uint64_t>(*word);
    outcome.preemptions = static_cast<std::uint32_t>(counts >> 32);
    outcome.migrations = static_cast<std::uint32_t>(counts);
  }
  return outcome;
}

std::size_t JobTable::bytes() const {
  return (start_.capacity() + end_.capacity() + run_.capacity() + extra_.capacity()) *
             sizeof(std::int64_t) +
         (extra_of_.capacity() + gang_size_.capacity()) * sizeof(std::uint32_t) +
         nodes_.capacity() * sizeof(std::uint16_t) + status_.capacity();
}

}  // namespace orrery
