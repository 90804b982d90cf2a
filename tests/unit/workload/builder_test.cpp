#include "orrery/workload/builder.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;

JobRow row(std::string_view id, Duration submit, Duration run_time = 10s, int gpus = 1) {
  JobRow made;
  made.id = id;
  made.arrival = at(submit);
  made.run_time = run_time;
  made.gang_size = gpus;
  return made;
}

std::vector<std::string> ids(const Workload& workload) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < workload.size(); ++i) all.emplace_back(workload.id_text(JobId{i}));
  return all;
}

TEST(Builder, KeepsEveryColumnOfARow) {
  WorkloadBuilder builder;
  JobRow full = row("a", 5s, 7s, 3);
  full.walltime = 9s;
  full.vc = "vcA";
  full.user = "ann";
  full.name = "train";
  full.model = "resnet";
  full.status = TraceStatus::killed;
  full.recorded_start = at(6s);
  builder.add(full);
  const Workload workload = builder.build();
  const JobSpec job = workload.job(JobId{0U});
  EXPECT_EQ(job.arrival, at(5s));
  EXPECT_EQ(job.gang_size, 3);
  EXPECT_EQ(job.walltime, Duration{9s});
  EXPECT_EQ(workload.vcs()[job.vc], "vcA");
  EXPECT_EQ(workload.users()[job.user], "ann");
  EXPECT_EQ(workload.job_names()[job.name], "train");
  EXPECT_EQ(workload.models()[job.model], "resnet");
  EXPECT_EQ(workload.truth().run_time(JobId{0U}), 7s);
  EXPECT_EQ(workload.truth().status(JobId{0U}), TraceStatus::killed);
  EXPECT_EQ(workload.truth().recorded_start(JobId{0U}), at(6s));
}

// A column that only a later row fills is empty before it.
TEST(Builder, ColumnsThatSomeRowsLackAreEmptyThere) {
  WorkloadBuilder builder;
  builder.add(row("1", 0s));
  JobRow second = row("2", 1s);
  second.walltime = 9s;
  second.user = "ann";
  second.recorded_start = at(3s);
  builder.add(second);
  builder.add(row("3", 2s));
  const Workload workload = builder.build();
  EXPECT_EQ(workload.walltime(JobId{0U}), std::nullopt);
  EXPECT_EQ(workload.walltime(JobId{1U}), Duration{9s});
  EXPECT_EQ(workload.walltime(JobId{2U}), std::nullopt);
  EXPECT_EQ(workload.user(JobId{0U}), 0U);
  EXPECT_EQ(workload.user(JobId{1U}), 1U);
  EXPECT_EQ(workload.truth().recorded_start(JobId{0U}), std::nullopt);
  EXPECT_EQ(workload.truth().recorded_start(JobId{2U}), std::nullopt);
  EXPECT_TRUE(workload.has_walltimes());
  EXPECT_EQ(workload.vc(JobId{1U}), 0U);
  EXPECT_EQ(workload.truth().status(JobId{1U}), TraceStatus::unknown);
}

TEST(Builder, ColumnsThatNoRowHasTakeNoRoom) {
  WorkloadBuilder builder;
  for (std::size_t i = 0; i < 1000; ++i) builder.add(row(std::to_string(i), 1s * i));
  const Workload workload = builder.build();
  EXPECT_FALSE(workload.has_walltimes());
  EXPECT_FALSE(workload.truth().has_recorded_starts());
  // arrival 8, GPUs 4, id offset 4, run time 8: 24 bytes a job, an eighth of spare room at most.
  EXPECT_LE(workload.bytes_beside_id_text(), 27 * 1000 + 2048U);
}

// Submit time first; then the id, where 2 is before 10; equal ids in the order of their rows.
TEST(Builder, SortsIntoCanonicalOrder) {
  WorkloadBuilder builder;
  builder.add(row("10", 5s));
  builder.add(row("2", 5s, 1s));
  builder.add(row("x", 0s));
  builder.add(row("2", 5s, 2s));
  const Workload workload = builder.build();
  EXPECT_EQ(ids(workload), (std::vector<std::string>{"x", "2", "2", "10"}));
  EXPECT_EQ(workload.truth().run_time(JobId{1U}), 1s);
  EXPECT_EQ(workload.truth().run_time(JobId{2U}), 2s);
  EXPECT_EQ(workload.at_row(0), JobId{3U});
  EXPECT_EQ(workload.at_row(1), JobId{1U});
  EXPECT_EQ(workload.at_row(2), JobId{0U});
  EXPECT_EQ(workload.at_row(3), JobId{2U});
}

TEST(Builder, RowsInOrderKeepTheirNumbers) {
  WorkloadBuilder builder;
  builder.add(row("2", 0s));
  builder.add(row("10", 0s));
  builder.add(row("1", 1s));
  const Workload workload = builder.build();
  EXPECT_EQ(ids(workload), (std::vector<std::string>{"2", "10", "1"}));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(workload.at_row(k), JobId{k});
}

// Permuting the rows changes nothing: every column of every job comes along.
TEST(Builder, OrderOfRowsDoesNotMatter) {
  EXPECT_TRUE(rc::check("permutation", [] {
    const auto submits = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
    std::vector<std::size_t> order(submits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto build = [&](const std::vector<std::size_t>& rows) {
      WorkloadBuilder builder;
      for (const std::size_t i : rows) {
        const std::string id = std::to_string(i), vc = "vc" + std::to_string(i % 3);
        JobRow one = row(id, 1s * submits[i], 1us * i, static_cast<int>(i) + 1);
        if (i % 2 == 0) one.walltime = 1s * i;
        if (i % 3 != 0) one.recorded_start = at(2s * i);
        one.vc = vc;
        one.status = i % 2 == 0 ? TraceStatus::failed : TraceStatus::completed;
        builder.add(one);
      }
      return builder.build();
    };
    const Workload sorted = build(order);
    std::vector<std::size_t> shuffled = order;
    for (std::size_t i = shuffled.size(); i > 1; --i)
      std::swap(shuffled[i - 1], shuffled[*rc::gen::inRange<std::size_t>(0, i)]);
    const Workload other = build(shuffled);
    RC_ASSERT(ids(sorted) == ids(other));
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const JobId job{i};
      RC_ASSERT(sorted.arrival(job) == other.arrival(job));
      RC_ASSERT(sorted.gang_size(job) == other.gang_size(job));
      RC_ASSERT(sorted.walltime(job) == other.walltime(job));
      RC_ASSERT(sorted.vcs()[sorted.vc(job)] == other.vcs()[other.vc(job)]);
      RC_ASSERT(sorted.truth().run_time(job) == other.truth().run_time(job));
      RC_ASSERT(sorted.truth().status(job) == other.truth().status(job));
      RC_ASSERT(sorted.truth().recorded_start(job) == other.truth().recorded_start(job));
    }
    for (std::size_t k = 0; k < shuffled.size(); ++k)
      RC_ASSERT(other.id_text(other.at_row(k)) == std::to_string(shuffled[k]));
  }));
}

TEST(Builder, RefusesWhatALoaderMustNotPass) {
  WorkloadBuilder builder;
  const auto with = [](auto&& change) {
    JobRow bad = row("a", 0s);
    change(bad);
    return bad;
  };
  EXPECT_THROW(builder.add(with([](JobRow& r) { r.arrival = at(-1us); })), Fault);
  EXPECT_THROW(builder.add(with([](JobRow& r) { r.arrival = at(kLongestTime + 1us); })), Fault);
  EXPECT_THROW(builder.add(with([](JobRow& r) { r.run_time = -1us; })), Fault);
  EXPECT_THROW(builder.add(with([](JobRow& r) { r.run_time = kLongestTime + 1us; })), Fault);
  EXPECT_THROW(builder.add(with([](JobRow& r) { r.walltime = -1us; })), Fault);
  EXPECT_THROW(builder.add(with([](JobRow& r) { r.gang_size = 0; })), Fault);
  EXPECT_THROW(
      builder.add(with([](JobRow& r) { r.gang_size = WorkloadBuilder::kLargestGang + 1; })), Fault);
  EXPECT_EQ(builder.size(), 0U);
  builder.add(with([](JobRow& r) {
    r.arrival = at(kLongestTime);
    r.run_time = kLongestTime;
    r.gang_size = WorkloadBuilder::kLargestGang;
  }));
  EXPECT_EQ(builder.build().size(), 1U);
}

TEST(Builder, NumbersAtMost65535Vcs) {
  WorkloadBuilder builder;
  const auto add = [&](int i) {
    const std::string vc = "vc" + std::to_string(i);
    JobRow one = row("a", 0s);
    one.vc = vc;
    builder.add(one);
  };
  for (int i = 1; i <= 65'535; ++i) add(i);
  try {
    add(65'536);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the trace names more than 65,535 virtual clusters");
  }
}

// A start before the origin is not recorded; a job that starts when it is submitted is.
TEST(Builder, StartBeforeTheOriginIsNotRecorded) {
  WorkloadBuilder builder;
  JobRow early = row("1", 0s);
  early.recorded_start = at(-1us);
  JobRow at_once = row("2", 0s);
  at_once.recorded_start = at(0s);
  builder.add(early);
  builder.add(at_once);
  const Workload workload = builder.build();
  EXPECT_EQ(workload.truth().recorded_start(JobId{0U}), std::nullopt);
  EXPECT_EQ(workload.truth().recorded_start(JobId{1U}), at(0s));
}

TEST(Builder, ShiftsTheOriginOfArrivalsAndRecordedStarts) {
  WorkloadBuilder builder;
  for (const auto& [id, submit, start] :
       {std::tuple{"1", 100s, 150s}, std::tuple{"2", 120s, 99s}}) {
    JobRow one = row(id, submit);
    one.recorded_start = at(start);
    builder.add(one);
  }
  builder.shift_origin(100s);
  EXPECT_THROW(builder.shift_origin(1us), Fault);  // job 1 arrives at the origin now
  WorkloadBuilder again;
  JobRow one = row("1", 100s);
  one.recorded_start = at(99s);
  again.add(one);
  one = row("2", 120s);
  one.recorded_start = at(150s);
  again.add(one);
  again.shift_origin(100s);
  const Workload workload = again.build();
  EXPECT_EQ(workload.arrival(JobId{0U}), at(0s));
  EXPECT_EQ(workload.arrival(JobId{1U}), at(20s));
  EXPECT_EQ(workload.truth().recorded_start(JobId{0U}), std::nullopt);
  EXPECT_EQ(workload.truth().recorded_start(JobId{1U}), at(50s));
}

TEST(Builder, IsEmptyAfterItBuilt) {
  WorkloadBuilder builder;
  builder.add(row("1", 0s));
  EXPECT_EQ(builder.build().size(), 1U);
  EXPECT_EQ(builder.size(), 0U);
  EXPECT_EQ(builder.build().size(), 0U);
  builder.add(row("2", 0s));
  EXPECT_EQ(ids(builder.build()), std::vector<std::string>{"2"});
}

// Ids are kept byte for byte, empty ones and zero bytes included.
TEST(Builder, KeepsIdsByteForByte) {
  WorkloadBuilder builder;
  const std::string odd("\0\xff,\"", 4);
  builder.add(row("", 0s));
  builder.add(row(odd, 0s));
  EXPECT_EQ(ids(builder.build()), (std::vector<std::string>{"", odd}));
}

}  // namespace
}  // namespace orrery
