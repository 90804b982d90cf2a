// The checker finds every planted fault, and none in what the engine really does. Faults are
// planted in the tape of a real run: one entry is changed, then the tape is played to a checker.
#include "orrery/verify/checker.hpp"

#include "support/checked.hpp"
#include "support/scenario.hpp"
#include "verify/run_books.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;
using test::TestJob;

struct Entry {
  SimTime time;
  JobId job{0U};
  Verb verb = Verb::submit;
  std::uint32_t gpus = 1;
  std::vector<Slice> slices;
};

/// Everything that a run tells, in order, to be changed and told again.
class Tape final : public Sink {
 public:
  Tape(std::string_view cluster, const std::vector<TestJob>& jobs, std::string_view policy,
       std::string_view placement = "count", const SimOptions& options = {})
      : workload{test::make_workload(jobs)}, topology{parse_cluster_shorthand(cluster).value()} {
    const PolicyChoice chosen = test::choice(policy, placement);
    checked = checked_run(chosen, parse_spec(placement, "seed"), options);
    Recorder recorder;
    recorder.add(*this, Checker::kWants);
    Simulator simulator{workload, topology, chosen, options, recorder};
    simulator.run();
    totals = simulator.totals();
  }

  void history(const HistoryEntry& entry) override {
    told.emplace_back(Entry{
        entry.time, entry.job, entry.verb, entry.gpus, {entry.slices.begin(), entry.slices.end()}});
  }
  void outcome(const JobOutcome& outcome) override { told.emplace_back(outcome); }
  void state(const ClusterState& state) override { told.emplace_back(state); }

  /// The place on the tape of the n-th such entry of a job.
  std::size_t index(Verb verb, std::string_view id, int n = 1) const {
    for (std::size_t i = 0; i < told.size(); ++i) {
      const auto* entry = std::get_if<Entry>(&told[i]);
      if (entry == nullptr || entry->verb != verb || workload.id_text(entry->job) != id) continue;
      if (--n == 0) return i;
    }
    throw std::logic_error("not on the tape");
  }
  Entry& entry(Verb verb, std::string_view id, int n = 1) {
    return std::get<Entry>(told[index(verb, id, n)]);
  }
  JobOutcome& outcome_of(std::string_view id) {
    for (auto& one : told)
      if (auto* outcome = std::get_if<JobOutcome>(&one))
        if (workload.id_text(outcome->job) == id) return *outcome;
    throw std::logic_error("not on the tape");
  }
  ClusterState& state_at(Duration time) {
    for (auto& one : told)
      if (auto* state = std::get_if<ClusterState>(&one))
        if (state->time == at(time)) return *state;
    throw std::logic_error("not on the tape");
  }
  void cut(std::size_t i) { told.erase(told.begin() + static_cast<std::ptrdiff_t>(i)); }

  /// What the checker says to the tape; empty: it finds no fault.
  std::string verdict() const {
    try {
      Checker checker{workload, topology, checked};
      for (const auto& one : told) std::visit([&](const auto& item) { tell(checker, item); }, one);
      checker.finish(totals);
      EXPECT_EQ(checker.checked(), told.size());
    } catch (const Fault& fault) {
      return fault.what();
    }
    return {};
  }

  Workload workload;
  Topology topology;
  CheckedRun checked;
  std::vector<std::variant<Entry, JobOutcome, ClusterState>> told;
  RunTotals totals;

 private:
  static void tell(Checker& checker, const Entry& entry) {
    checker.history({entry.time, entry.job, entry.verb, entry.gpus, entry.slices});
  }
  static void tell(Checker& checker, const JobOutcome& outcome) { checker.outcome(outcome); }
  static void tell(Checker& checker, const ClusterState& state) { checker.state(state); }
};

/// Two GPUs of one node: a runs 0 to 10 s, b waits for it and runs 10 to 15 s, c is larger than the
/// cluster.
Tape two_jobs(std::string_view placement = "first-fit") {
  return {"1x2",
          {{.id = "a", .gpus = 2, .run = 10s},
           {.id = "b", .submit = 1s, .gpus = 2, .run = 5s},
           {.id = "c", .submit = 2s, .gpus = 3, .run = 5s}},
          "fifo",
          placement};
}

/// One GPU under srtf: a runs 0 to 2 s, is preempted by b, and runs again from 3 to 11 s.
Tape preempted_job() {
  return {"1x1", {{.id = "a", .run = 10s}, {.id = "b", .submit = 2s, .run = 1s}}, "srtf", "count"};
}

/// Two nodes of two GPUs under srtf: from 4 s on a holds a GPU of node 0 and b one of node 1. At 5
/// s p needs a whole node: b, with more left than a, moves to node 0.
Tape migrated_job() {
  return {"2x2",
          {{.id = "a", .run = 30s},
           {.id = "c", .run = 4s},
           {.id = "b", .submit = 1s, .run = 40s},
           {.id = "p", .submit = 5s, .gpus = 2, .run = 1s}},
          "srtf",
          "first-fit"};
}

/// What the checker says, without its first words: "I2 is broken at 0 s by job 'b': ...".
std::string fault_of(const Tape& tape) {
  const std::string text = tape.verdict(), start = "fault in Orrery: rule ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

TEST(Checker, FindsNoFaultInTheTapesThemselves) {
  EXPECT_EQ(fault_of(two_jobs()), "");
  EXPECT_EQ(fault_of(two_jobs("count")), "");
  EXPECT_EQ(fault_of(preempted_job()), "");
  EXPECT_EQ(preempted_job().totals.preemptions, 1U);
  EXPECT_EQ(fault_of(migrated_job()), "");
  EXPECT_EQ(migrated_job().totals.migrations, 1U);
}

// ---- I1: time -----------------------------------------------------------------------------------

TEST(Checker, FindsTimeThatGoesBack) {
  Tape tape = two_jobs();
  tape.entry(Verb::finish, "b").time = at(9s);
  EXPECT_EQ(fault_of(tape), "I1 is broken at 10 s by job 'b': an entry for 9 s");
}
TEST(Checker, FindsAnEntryPastTheHorizon) {
  Tape tape = two_jobs();
  tape.checked.until = at(12s);
  EXPECT_EQ(fault_of(tape), "I1 is broken at 10 s by job 'b': an entry past the horizon, for 15 s");
}
TEST(Checker, FindsASubmitAtAnotherTimeThanTheTraceSays) {
  Tape tape = two_jobs();
  tape.entry(Verb::submit, "b").time = at(2s);
  EXPECT_EQ(fault_of(tape),
            "I1 is broken at 2 s by job 'b': submitted at another time than the trace says");
}
TEST(Checker, FindsAnInstantWithoutAState) {
  Tape tape = two_jobs();
  tape.cut(tape.index(Verb::start, "a") + 1);
  EXPECT_EQ(fault_of(tape), "I1 is broken at 0 s: no state of the cluster came for this instant");
}
TEST(Checker, FindsAnEndBeforeTheLastInstant) {
  Tape tape = two_jobs();
  tape.totals.end = at(14s);
  EXPECT_EQ(fault_of(tape), "I1 is broken at 14 s: an end before the last instant");
}

// ---- I2, I3: who holds what ---------------------------------------------------------------------

/// a and b hold a GPU each of one node of two.
Tape side_by_side() {
  return {"1x2", {{.id = "a", .run = 10s}, {.id = "b", .run = 5s}}, "fifo", "first-fit"};
}

TEST(Checker, FindsAGpuWithTwoHolders) {
  Tape tape = side_by_side();
  tape.entry(Verb::start, "b").slices[0].gpus = 1;
  EXPECT_EQ(fault_of(tape), "I2 is broken at 0 s by job 'b': a GPU of node 0 is held already");
}
TEST(Checker, FindsOtherGpusGivenBackThanHeld) {
  Tape tape = side_by_side();
  tape.entry(Verb::finish, "a").slices[0].gpus = 2;
  EXPECT_EQ(fault_of(tape), "I2 is broken at 10 s by job 'a': gives back other GPUs than it holds");
}
TEST(Checker, FindsAGpuThatANodeDoesNotHave) {
  Tape tape = side_by_side();
  tape.entry(Verb::start, "b").slices[0].gpus = 4;
  EXPECT_EQ(fault_of(tape), "I3 is broken at 0 s by job 'b': node 0 has no such GPU");
}
TEST(Checker, FindsMoreGpusHeldThanThereAre) {
  Tape tape = two_jobs("count");
  const std::size_t waits = tape.index(Verb::submit, "b");
  tape.told.insert(tape.told.begin() + static_cast<std::ptrdiff_t>(waits) + 1,
                   Entry{at(1s), JobId{1U}, Verb::start, 2, {}});
  EXPECT_EQ(fault_of(tape), "I3 is broken at 1 s by job 'b': a gang of 2 with 0 GPUs free");
}
TEST(Checker, FindsAStateThatTheHistoryDoesNotGive) {
  Tape tape = two_jobs();
  tape.state_at(1s).gpus_busy = 1;
  EXPECT_EQ(fault_of(tape), "I3 is broken at 1 s: GPUs held are told as 1, the history gives 2");
  tape.state_at(1s).gpus_busy = 2;
  tape.state_at(1s).jobs_waiting = 0;
  EXPECT_EQ(fault_of(tape), "I3 is broken at 1 s: waiting jobs are told as 0, the history gives 1");
}

// ---- I4, I5: gangs ------------------------------------------------------------------------------

TEST(Checker, FindsAGangScatteredWhereItMayNotBe) {
  Tape tape{"2x2", {{.id = "a", .gpus = 2, .run = 10s}}, "fifo", "first-fit"};
  tape.entry(Verb::start, "a").slices = {{.node = NodeId{0U}, .gpus = 1},
                                         {.node = NodeId{1U}, .gpus = 1}};
  EXPECT_EQ(fault_of(tape),
            "I4 is broken at 0 s by job 'a': a gang of 2 lies scattered on 2 nodes");
}
TEST(Checker, FindsALargeGangWithTwoPartsOfNodes) {
  Tape tape{"3x2", {{.id = "a", .gpus = 4, .run = 10s}}, "fifo", "best-fit"};
  tape.entry(Verb::start, "a").slices = {{.node = NodeId{0U}, .gpus = 3},
                                         {.node = NodeId{1U}, .gpus = 1},
                                         {.node = NodeId{2U}, .gpus = 1}};
  EXPECT_EQ(fault_of(tape),
            "I4 is broken at 0 s by job 'a': a gang of 4 lies scattered on 3 nodes");
}
TEST(Checker, FindsAJobOutsideItsPool) {
  Topology cluster = parse_cluster_shorthand("2x1").value();
  cluster.set_vcs({{.name = "x", .gpus = 1}, {.name = "y", .gpus = 1}});
  const Workload workload = test::make_workload({{.id = "a", .run = 1s, .vc = "y"}});
  Checker checker{workload, cluster, {.vc_mode = VcMode::fixed}};
  const std::vector<Slice> slices{{.node = NodeId{0U}, .gpus = 1}};
  checker.history({at(0s), JobId{0U}, Verb::submit, 1, {}});
  try {
    checker.history({at(0s), JobId{0U}, Verb::start, 1, slices});
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_STREQ(fault.what(),
                 "fault in Orrery: rule I4 is broken at 0 s by job 'a': node 0 is not in its pool");
  }
}
TEST(Checker, FindsAJobRejectedForNoReason) {
  Tape tape = two_jobs();
  tape.entry(Verb::start, "a").verb = Verb::reject;
  EXPECT_EQ(fault_of(tape),
            "I4 is broken at 0 s by job 'a': rejected although its pool can hold it");
}
TEST(Checker, FindsASliceUnderCount) {
  Tape tape = two_jobs("count");
  tape.entry(Verb::start, "a").slices = {{.node = NodeId{0U}, .gpus = 3}};
  EXPECT_EQ(fault_of(tape),
            "I4 is broken at 0 s by job 'a': slices although GPUs have no identity");
}
TEST(Checker, FindsHalfAGang) {
  Tape tape = two_jobs();
  tape.entry(Verb::start, "a").slices[0].gpus = 1;
  EXPECT_EQ(fault_of(tape), "I5 is broken at 0 s by job 'a': 1 GPUs for a gang of 2");
  tape = two_jobs();
  tape.entry(Verb::start, "a").gpus = 1;
  EXPECT_EQ(fault_of(tape), "I5 is broken at 0 s by job 'a': an entry for 1 GPUs");
}
TEST(Checker, FindsAMigrationOntoGpusOfAnother) {
  Tape tape = migrated_job();
  tape.entry(Verb::migrate, "b").slices[0].gpus = 2;  // held by a
  EXPECT_EQ(fault_of(tape), "I2 is broken at 5 s by job 'b': a GPU of node 0 is held already");
}

// ---- I6, I7: states and outcomes ----------------------------------------------------------------

TEST(Checker, FindsAStepThatTheAutomatonDoesNotHave) {
  Tape tape = two_jobs("count");
  tape.entry(Verb::finish, "a").verb = Verb::start;
  EXPECT_EQ(fault_of(tape), "I6 is broken at 10 s by job 'a': started although it is running");
  tape = two_jobs("count");
  tape.cut(tape.index(Verb::submit, "b"));
  EXPECT_EQ(fault_of(tape).substr(0, 6), "I3 is ");  // the state of that instant
  tape = preempted_job();
  tape.entry(Verb::start, "a", 2).verb = Verb::preempt;
  EXPECT_EQ(fault_of(tape), "I6 is broken at 3 s by job 'a': preempted although it is waiting");
  tape = two_jobs("count");
  tape.entry(Verb::start, "b").verb = Verb::finish;
  EXPECT_EQ(fault_of(tape), "I6 is broken at 10 s by job 'b': finish although it is waiting");
}
TEST(Checker, FindsAnOutcomeThatIsNotTheLastState) {
  Tape tape = two_jobs();
  tape.outcome_of("a").status = JobStatus::timeout;
  EXPECT_EQ(fault_of(tape),
            "I6 is broken at 10 s by job 'a': reported as timeout although it is finished");
}
TEST(Checker, FindsAJobWithTwoOutcomes) {
  Tape tape = two_jobs();
  tape.told.emplace_back(tape.outcome_of("a"));
  EXPECT_EQ(fault_of(tape),
            "I6 is broken at 15 s by job 'a': reported as finished although it is accounted for");
}
TEST(Checker, FindsAJobWithoutAnOutcome) {
  Tape tape = two_jobs();
  tape.cut(tape.index(Verb::finish, "b") + 1);
  EXPECT_EQ(fault_of(tape), "I7 is broken at 15 s by job 'b': no outcome came, it is finished");
}

// ---- I8, I9, I12: work and times ----------------------------------------------------------------

TEST(Checker, FindsAJobThatFinishesBeforeItsWorkIsDone) {
  Tape tape = two_jobs();
  tape.entry(Verb::finish, "b").time = at(14s);
  EXPECT_EQ(fault_of(tape), "I8 is broken at 14 s by job 'b': ran for 4 s of 5 s");
}
TEST(Checker, FindsWorkLostByAPreemption) {
  Tape tape = preempted_job();
  tape.entry(Verb::finish, "a").time = at(13s);  // 10 s from its restart on
  EXPECT_EQ(fault_of(tape), "I8 is broken at 13 s by job 'a': ran for 12 s of 10 s");
}
TEST(Checker, FindsARestartThatDoesNotCostItsOverhead) {
  Tape tape = preempted_job();
  tape.checked.preempt_cost = 2s;
  EXPECT_EQ(fault_of(tape), "I8 is broken at 11 s by job 'a': ran for 8 s of 10 s");
}
TEST(Checker, FindsATimeoutThatIsNotAtTheWalltime) {
  Tape tape{"1x1",
            {{.id = "a", .run = 10s, .walltime = 4s}},
            "fifo",
            "count",
            {.enforce_walltime = true}};
  EXPECT_EQ(fault_of(tape), "");
  Tape early = std::move(tape);
  early.entry(Verb::timeout, "a").time = at(3s);
  EXPECT_EQ(fault_of(early), "I8 is broken at 3 s by job 'a': timed out after 3 s on GPUs");
  early.entry(Verb::timeout, "a") = {at(10s), JobId{0U}, Verb::finish, 1, {}};
  EXPECT_EQ(fault_of(early),
            "I8 is broken at 10 s by job 'a': held GPUs for 10 s, its walltime is 4 s");
}
TEST(Checker, FindsAReportThatTheHistoryDoesNotGive) {
  const auto with = [](const std::function<void(JobOutcome&)>& change) {
    Tape tape = preempted_job();
    change(tape.outcome_of("a"));
    return fault_of(tape);
  };
  const std::string where = "I9 is broken at 11 s by job 'a': ";
  EXPECT_EQ(with([](JobOutcome& a) { a.first_start = at(1s); }),
            where + "first start (us) is reported as 1000000, its history gives 0");
  EXPECT_EQ(with([](JobOutcome& a) { a.end = at(12s); }),
            where + "end (us) is reported as 12000000, its history gives 11000000");
  EXPECT_EQ(with([](JobOutcome& a) { a.run -= 1us; }),
            where + "run (us) is reported as 9999999, its history gives 10000000");
  EXPECT_EQ(with([](JobOutcome& a) { a.overhead = 1us; }),
            where + "overhead (us) is reported as 1, its history gives 0");
  EXPECT_EQ(with([](JobOutcome& a) { a.preemptions = 0; }),
            where + "preemptions is reported as 0, its history gives 1");
  EXPECT_EQ(with([](JobOutcome& a) { a.migrations = 1; }),
            where + "migrations is reported as 1, its history gives 0");
  EXPECT_EQ(with([](JobOutcome& a) { a.nodes = 1; }),
            where + "nodes is reported as 1, its history gives 0");
  EXPECT_EQ(with([](JobOutcome& a) { a.gang_size = 2; }),
            where + "gang size is reported as 2, its history gives 1");
  EXPECT_EQ(with([](JobOutcome& a) { a.wait[0] = 1us; }),
            where + "sum of waits (us) is reported as 1000001, its history gives 1000000");
  EXPECT_EQ(with([](JobOutcome& a) { std::swap(a.wait[0], a.wait[1]); }),
            where + "wait after preemptions (us) is reported as 0, its history gives 1000000");
  EXPECT_EQ(with([](JobOutcome& a) {
              a.wait[0] = 5us;
              a.wait[2] = -5us;
            }),
            where + "a cause of waiting is negative");
}
TEST(Checker, FindsTimesOfAJobThatWasNeverSubmitted) {
  Tape tape{"1x1", {{.id = "a", .submit = 5s, .run = 1s}}, "fifo", "count", {.until = at(3s)}};
  EXPECT_EQ(fault_of(tape), "");
  tape.outcome_of("a").wait[0] = 1s;
  EXPECT_EQ(fault_of(tape),
            "I9 is broken at 0 s by job 'a': has times although it was never submitted");
}

// ---- I10, I13: sums -----------------------------------------------------------------------------

TEST(Checker, FindsTotalsThatTheHistoryDoesNotGive) {
  const auto with = [](const std::function<void(RunTotals&)>& change) {
    Tape tape = two_jobs();
    change(tape.totals);
    return fault_of(tape);
  };
  EXPECT_EQ(with([](RunTotals& all) { all.at_end.busy -= 1; }),
            "I10 is broken at 15 s: busy GPU time is 29999999 GPU-us, the history gives 30000000");
  EXPECT_EQ(with([](RunTotals& all) { all.at_end.overhead = 2; }),
            "I10 is broken at 15 s: GPU time of overhead is 2 GPU-us, the history gives 0");
  EXPECT_EQ(with([](RunTotals& all) { all.at_end.idle = -3; }),
            "I10 is broken at 15 s: idle GPU time is -3 GPU-us, the history gives 0");
  EXPECT_EQ(with([](RunTotals& all) { all.at_end.capacity += 1; }),
            "I10 is broken at 15 s: GPU time of the cluster is 30000001 GPU-us, the history gives "
            "30000000");
  EXPECT_EQ(with([](RunTotals& all) { all.preemptions = 4; }),
            "I10 is broken at 15 s: 4 preemptions and 0 migrations are told, the history has 0 and "
            "0");
  EXPECT_EQ(with([](RunTotals& all) { all.at_end.fragmented = 1; }),
            "I12 is broken at 15 s: fragmented GPU time is 1 of 0 idle GPU-us");
}

// The history and the outcomes of one tape cannot disagree about a VC alone: its books by hand.
TEST(Checker, FindsGpuTimeBookedToAnotherVc) {
  const Workload workload = test::make_workload(
      {{.id = "a", .run = 2s, .vc = "x"}, {.id = "b", .submit = 9s, .run = 1s, .vc = "y"}});
  const Topology cluster = parse_cluster_shorthand("1x1").value();
  verify::RunBooks books{workload, cluster, {.until = at(2s)}};
  books.waits(1);
  books.starts(1, 1);
  books.state(
      {.time = at(0s), .gpus_total = 1, .gpus_busy = 1, .jobs_running = 1, .gpus_wanted = 1});
  books.advance(at(2s));
  books.ends(1, 1);
  books.state({.time = at(2s), .gpus_total = 1});
  books.outcome({.job = JobId{0U}, .status = JobStatus::finished, .run = 2s}, 2);
  books.outcome({.job = JobId{1U}}, 2);
  RunTotals totals;
  totals.end = at(2s);
  totals.at_end = {.capacity = 2'000'000, .busy = 2'000'000};
  try {
    books.finish(totals);
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_STREQ(fault.what(),
                 "fault in Orrery: rule I13 is broken at 2 s: GPU time of a VC by its jobs is 0 "
                 "GPU-us, the history gives 2000000");
  }
}

// ---- I14: decisions -----------------------------------------------------------------------------

TEST(Checker, FindsAJobThatIsDecidedOnWithoutEndInOneInstant) {
  Tape tape{"1x1", {{.id = "a", .run = 10s}}, "srtf", "count"};
  const auto after_start =
      tape.told.begin() + static_cast<std::ptrdiff_t>(tape.index(Verb::start, "a")) + 1;
  const Entry stops{at(0s), JobId{0U}, Verb::preempt, 1, {}},
      starts{at(0s), JobId{0U}, Verb::start, 1, {}};
  tape.told.insert(after_start, {stops, starts});
  EXPECT_EQ(
      fault_of(tape),
      "I14 is broken at 0 s by job 'a': 3 decisions on it while 0 jobs ended in this instant");
}

// ---- I15, I16: what some policies promise -------------------------------------------------------

// fifo keeps c waiting behind b, which does not fit beside a: no fault of fifo, but one of a policy
// that skips.
TEST(Checker, FindsAJobThatWaitsAlthoughItFits) {
  Tape tape{"1x3",
            {{.id = "a", .gpus = 2, .run = 9s},
             {.id = "b", .submit = 1s, .gpus = 2, .run = 1s},
             {.id = "c", .submit = 2s, .run = 1s}},
            "fifo",
            "first-fit"};
  EXPECT_EQ(fault_of(tape), "");
  tape.checked.work_conserving = true;
  EXPECT_EQ(fault_of(tape),
            "I15 is broken at 2 s: a gang of 1 waits although it fits on the free GPUs");
}

// fifo-skip starts c, known to end at 22 s, beside a, although b was to start at 9 s, when a ends.
TEST(Checker, FindsABackfilledJobThatDelaysTheHead) {
  const std::vector<TestJob> jobs{{.id = "a", .gpus = 2, .run = 9s},
                                  {.id = "b", .submit = 1s, .gpus = 3, .run = 1s},
                                  {.id = "c", .submit = 2s, .run = 20s}};
  for (const std::string placement : {"count", "best-fit", "spread"}) {
    Tape tape{"1x3", jobs, "fifo-skip", placement};
    tape.checked.work_conserving = false;
    tape.checked.promises = DurationKnowledge::Kind::oracle;
    EXPECT_EQ(fault_of(tape),
              "I16 is broken at 2 s by job 'b': jobs behind it move its promised start from 9 s to "
              "22 s");
    tape.checked.promises = DurationKnowledge::Kind::walltime;  // nobody knows an end
    EXPECT_EQ(fault_of(tape), "");
  }
}

// ---- I17: the end -------------------------------------------------------------------------------

TEST(Checker, FindsGpusStillHeldAtTheEnd) {
  Tape tape{"1x1", {{.id = "a", .run = 9s}}, "fifo", "count", {.until = at(3s)}};
  EXPECT_EQ(fault_of(tape), "");
  tape.cut(tape.index(Verb::horizon, "a"));
  EXPECT_EQ(fault_of(tape),
            "I6 is broken at 0 s by job 'a': reported as unfinished although it is running");
}
TEST(Checker, FindsJobsLeftOverWithoutAHorizon) {
  Tape tape{
      "1x1", {{.id = "a", .run = 9s}, {.id = "b", .run = 9s}}, "fifo", "count", {.until = at(3s)}};
  EXPECT_EQ(fault_of(tape), "");
  tape.checked.until.reset();
  EXPECT_EQ(fault_of(tape), "I17 is broken at 3 s: 2 jobs are unfinished without a horizon");
  tape.checked.may_stop_early = true;
  EXPECT_EQ(fault_of(tape), "");
}
TEST(Checker, FindsTwoEndsOfOneRun) {
  Tape tape{
      "1x1", {{.id = "a", .run = 9s}, {.id = "b", .run = 9s}}, "fifo", "count", {.until = at(3s)}};
  tape.outcome_of("b").wait[0] += 1s;
  EXPECT_EQ(fault_of(tape),
            "I17 is broken at 3 s by job 'b': is in the run until 4 s, another job until 3 s");
}
TEST(Checker, FindsARunThatEndsOffItsHorizon) {
  Tape tape = two_jobs();
  tape.checked.until = at(20s);
  EXPECT_EQ(fault_of(tape), "I17 is broken at 15 s: the horizon is 20 s");
}

// ---- clean runs ---------------------------------------------------------------------------------

/// 120 jobs with ties, zeros, jobs of every size and some without a walltime, from a small
/// arithmetic pattern.
Workload mixed_workload() {
  std::vector<TestJob> jobs;
  for (int i = 0; i < 120; ++i) {
    TestJob job{.id = std::to_string(i),
                .submit = std::chrono::seconds{(i / 3) * 5},
                .gpus = 1 + (i * 7) % 9,
                .run = std::chrono::seconds{(i * 13) % 37},
                .vc = i % 2 == 0 ? "x" : "y"};
    if (i % 4 != 0) job.walltime = std::max(Duration{}, job.run + std::chrono::seconds{i % 5 - 1});
    jobs.push_back(job);
  }
  return test::make_workload(jobs);
}

TEST(Checker, FindsNoFaultInAnyPolicyOnAnyPlacement) {
  const Workload workload = mixed_workload();
  Topology cluster = parse_cluster_shorthand("4x4").value();
  cluster.set_vcs({{.name = "x", .gpus = 8}, {.name = "y", .gpus = 8}});
  const Topology mixed{"mixed",
                       {{.count = 2, .gpus = 4}, {.count = 3, .gpus = 2}, {.count = 1, .gpus = 8}}};
  const std::vector<SimOptions> settings{
      {},
      {.vc_mode = VcMode::fixed, .until = at(150s), .preempt_cost = 3s},
      {.durations = {.kind = DurationKnowledge::Kind::oracle}, .round = 20s},
      {.durations = {.kind = DurationKnowledge::Kind::walltime},
       .preempt_cost = 1s,
       .enforce_walltime = true}};
  for (const PolicyEntry& entry : policy_table()) {
    std::string policy{entry.name};
    if (policy == "las" || policy == "las2d") policy += ":quantum=7s";
    if (policy == "mlfq" || policy == "mlfq2d" || policy == "tiresias") policy += ":limits=6s/20s";
    for (const std::string placement :
         {"count", "first-fit", "best-fit", "consolidated:relax=fewest", "consolidated:relax=any",
          "spread", "random"}) {
      SCOPED_TRACE(policy + " " + placement);
      for (const SimOptions& options : settings) {
        EXPECT_NO_THROW(test::checked_fingerprint(workload, cluster, policy, placement, options));
        if (options.vc_mode == VcMode::fixed) continue;
        EXPECT_NO_THROW(test::checked_fingerprint(workload, mixed, policy, placement, options));
      }
    }
  }
}

}  // namespace
}  // namespace orrery
