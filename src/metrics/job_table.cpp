#include "orrery/metrics/job_table.hpp"

#include "orrery/base/check.hpp"

#include <limits>

namespace orrery {

JobTable::JobTable(std::size_t jobs) : records_(jobs) {}

void JobTable::outcome(const JobOutcome& outcome) {
  Record& record = records_[outcome.job.index()];
  ORRERY_CHECK(record.status == 0,
               "a second outcome of job " + std::to_string(outcome.job.index()));
  record = {.start = micros(outcome.first_start),
            .end = micros(outcome.end),
            .run = micros(outcome.run),
            .extra = add_extra(outcome),
            .gang_size = outcome.gang_size,
            .nodes = outcome.nodes,
            .status = static_cast<std::uint32_t>(outcome.status) + 1};
}

std::uint32_t JobTable::add_extra(const JobOutcome& outcome) {
  unsigned has = 0;
  for (unsigned cause = 0; cause < kWaitCauses; ++cause)
    has |= (outcome.wait[cause] != Duration::zero() ? 1U : 0U) << cause;
  if (outcome.overhead != Duration::zero()) has |= 1U << kOverhead;
  if (outcome.preemptions != 0 || outcome.migrations != 0) has |= 1U << kCounts;
  if (has == 0) return 0;

  extra_.push_back(has);
  const std::size_t head = extra_.size();
  ORRERY_CHECK(head <= std::numeric_limits<std::uint32_t>::max(), "extra records of jobs");
  for (unsigned cause = 0; cause < kWaitCauses; ++cause)
    if ((has >> cause & 1U) != 0) extra_.push_back(micros(outcome.wait[cause]));
  if ((has >> kOverhead & 1U) != 0) extra_.push_back(micros(outcome.overhead));
  if ((has >> kCounts & 1U) != 0)
    extra_.push_back(
        static_cast<std::int64_t>((std::uint64_t{outcome.preemptions} << 32) | outcome.migrations));
  return static_cast<std::uint32_t>(head);
}

JobOutcome JobTable::operator[](JobId job) const {
  const Record& record = of(job);
  ORRERY_CHECK(has(job), "no outcome of job " + std::to_string(job.index()));
  JobOutcome outcome{.job = job,
                     .status = status(job),
                     .first_start = at(Duration{record.start}),
                     .end = at(Duration{record.end}),
                     .run = Duration{record.run},
                     .gang_size = record.gang_size,
                     .nodes = record.nodes};
  if (record.extra == 0) return outcome;
  const std::int64_t* word = &extra_[record.extra - 1];
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
  return records_.capacity() * sizeof(Record) + extra_.capacity() * sizeof(std::int64_t);
}

}  // namespace orrery
