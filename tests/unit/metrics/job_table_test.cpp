// What goes into the table comes out of it.
#include "orrery/metrics/job_table.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery::test {
namespace {

void expect_equal(const JobOutcome& a, const JobOutcome& b) {
  EXPECT_EQ(a.job, b.job);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.first_start, b.first_start);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.run, b.run);
  EXPECT_EQ(a.overhead, b.overhead);
  EXPECT_EQ(a.wait, b.wait);
  EXPECT_EQ(a.gang_size, b.gang_size);
  EXPECT_EQ(a.preemptions, b.preemptions);
  EXPECT_EQ(a.migrations, b.migrations);
  EXPECT_EQ(a.nodes, b.nodes);
}

JobOutcome any_outcome(std::size_t job) {
  JobOutcome outcome{.job = JobId{job}};
  const auto micros = rc::gen::weightedOneOf<std::int64_t>(
      {{3, rc::gen::just(std::int64_t{0})},
       {1, rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 58)}});
  outcome.status = *rc::gen::element(JobStatus::finished, JobStatus::timeout, JobStatus::rejected,
                                     JobStatus::unfinished);
  outcome.first_start = *rc::gen::element(kNever, at(Duration{*micros}));
  outcome.end = *rc::gen::element(kNever, at(Duration{*micros}));
  outcome.run = Duration{*micros};
  outcome.overhead = Duration{*micros};
  for (Duration& part : outcome.wait) part = Duration{*micros};
  outcome.gang_size = *rc::gen::inRange<std::uint32_t>(1, 1000);
  outcome.preemptions = *rc::gen::inRange<std::uint32_t>(0, 3);
  outcome.migrations = *rc::gen::inRange<std::uint32_t>(0, 3);
  outcome.nodes = *rc::gen::inRange<std::uint32_t>(0, 65536);
  return outcome;
}

RC_GTEST_PROP(JobTable, ReturnsEveryOutcomeAsItCame, ()) {
  const auto jobs = *rc::gen::inRange<std::size_t>(1, 20);
  JobTable table{jobs};
  std::vector<JobOutcome> outcomes;
  for (std::size_t i = 0; i < jobs; ++i) outcomes.push_back(any_outcome(jobs - 1 - i));
  for (const JobOutcome& outcome : outcomes) table.outcome(outcome);
  for (const JobOutcome& outcome : outcomes) expect_equal(table[outcome.job], outcome);
}

TEST(JobTable, HoldsOneOutcomeAJob) {
  JobTable table{2};
  EXPECT_FALSE(table.has(JobId{1U}));
  EXPECT_THROW(table[JobId{1U}], Fault);
  table.outcome({.job = JobId{1U}});
  EXPECT_TRUE(table.has(JobId{1U}));
  EXPECT_THROW(table.outcome({.job = JobId{1U}}), Fault);
}

// 40 bytes a job; a wait by one cause is two more words.
TEST(JobTable, IsSmall) {
  constexpr std::size_t kJobs = 100'000;
  JobTable table{kJobs};
  for (std::size_t i = 0; i < kJobs; ++i) {
    JobOutcome outcome{.job = JobId{i}};
    if (i % 4 == 0) outcome.wait[5] = Duration{7};
    table.outcome(outcome);
  }
  EXPECT_LE(table.bytes(), kJobs * 52);
}

}  // namespace
}  // namespace orrery::test
