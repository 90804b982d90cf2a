// What the engine promises a line policy and demands of it: policies made for the tests.
#include "support/scenario.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// A policy of two functions. Registry entries hold plain pointers, so the functions are looked up.
struct Made {
  LineRule rule;
  std::function<Key(const JobView&)> key;
};

class MadePolicy final : public LinePolicy {
 public:
  explicit MadePolicy(const Made& made) : made_{&made} {}
  LineRule rule() const override { return made_->rule; }
  Key key(const JobView& job) const override { return made_->key(job); }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<MadePolicy>(*this);
  }

 private:
  const Made* made_;
};

/// Ties the factory, which is a plain function, to the policy of the test under way.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
const Made* current = nullptr;

struct Preemptions final : Sink {
  void history(const HistoryEntry& entry) override {
    if (entry.verb == Verb::preempt) ++at_instant[entry.time];
  }
  std::map<SimTime, int> at_instant;
};

struct Result {
  TestRun run;
  std::map<SimTime, int> preemptions;
};

Result run_with(const Made& made, const std::vector<TestJob>& jobs, const std::string& cluster,
                const std::string& placement = "count", SimOptions options = {}) {
  current = &made;
  const PolicyEntry entry{
      .name = "made",
      .summary = {},
      .order = {},
      .blocked = {},
      .options = {},
      .paper = {},
      .fidelity = {},
      .make = [](const Options&, const Estimates*) -> std::unique_ptr<LinePolicy> {
        return std::make_unique<MadePolicy>(*current);
      }};
  Result result;
  result.run.workload = std::make_shared<Workload>(make_workload(jobs));
  Preemptions preemptions;
  Recorder recorder;
  recorder.add(result.run, Recorder::kOutcomes);
  recorder.add(preemptions, Recorder::kHistory);
  Simulator simulator{*result.run.workload,
                      parse_cluster_shorthand(cluster).value(),
                      {.policy = &entry,
                       .options = Options{},
                       .placement = make_placement(parse_spec(placement), 1)},
                      options,
                      recorder};
  simulator.run();
  result.run.totals = simulator.totals();
  result.preemptions = preemptions.at_instant;
  return result;
}

std::string fault_of(const Made& made, const std::vector<TestJob>& jobs) {
  try {
    run_with(made, jobs, "1x1");
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

constexpr LineRule kPreempting{.blocked = Blocked::skip, .preempts = Preempts::any};

// Case C056, "preempt whoever is above its share": two gangs of 3 on 4 GPUs, and whoever runs sorts
// behind whoever waits. Each exchange is legal in itself and calls for the next one; but keys are
// asked when a pass has ended, and a policy is asked once an instant: at most one exchange an
// instant, and both jobs end.
TEST(LineContract, JobsThatWouldEvictEachOtherForEverDoSoOnceAnInstant) {
  const Made swap{.rule = kPreempting,
                  .key = [](const JobView& job) { return Key{.second = job.running ? 1 : 0}; }};
  const std::vector<TestJob> jobs{{"A1", 0s, 3, 100s}, {"B1", 1s, 3, 100s}};
  for (const char* placement : {"count", "best-fit", "spread"}) {
    const Result result = run_with(swap, jobs, "1x4", placement);
    EXPECT_EQ(result.preemptions, (std::map<SimTime, int>{{at(1s), 1}})) << placement;
    // A1 loses its GPUs at 1 s; the end of B1, at 101 s, is the next occasion, and A1 has 99 s
    // left.
    EXPECT_EQ(result.run.end("B1"), 101s) << placement;
    EXPECT_EQ(result.run.end("A1"), 200s) << placement;
  }
}

// The same with a quantum of 10 s: one exchange at 1, 10, 20, ... 190 s. A1 runs 0 to 1, 10 to 20,
// ... 190 to 199 s, 100 s in all; B1 has run 99 s by then and ends at 200 s.
TEST(LineContract, QuantumAddsOneExchangeEach) {
  Made swap{.rule = kPreempting,
            .key = [](const JobView& job) { return Key{.second = job.running ? 1 : 0}; }};
  swap.rule.quantum = 10s;
  const Result result = run_with(swap, {{"A1", 0s, 3, 100s}, {"B1", 1s, 3, 100s}}, "1x4");
  for (const auto& [instant, count] : result.preemptions) EXPECT_EQ(count, 1) << micros(instant);
  EXPECT_EQ(result.preemptions.size(), 20U);
  EXPECT_EQ(result.run.end("A1"), 199s);
  EXPECT_EQ(result.run.end("B1"), 200s);
}

TEST(LineContract, LimitOfAKeyMustBeAhead) {
  const Made stuck{.rule = kPreempting,
                   .key = [](const JobView& job) { return Key{.until_held = job.held}; }};
  const std::string what = fault_of(stuck, {{"a", 0s, 1, 10s}});
  EXPECT_NE(what.find("policy made: until_held is not ahead"), std::string::npos) << what;
}

TEST(LineContract, SlopeOfAKeyIsLimited) {
  const Made steep{.rule = kPreempting, .key = [](const JobView&) {
                     return Key{.per_progress = -(1 << 20), .per_held = 1};
                   }};
  const std::string what = fault_of(steep, {{"a", 0s, 1, 10s}});
  EXPECT_NE(what.find("policy made, job 'a'"), std::string::npos) << what;
}

TEST(LineContract, RuleThatReservesCannotPreempt) {
  const Made both{.rule = {.blocked = Blocked::reserve, .preempts = Preempts::any},
                  .key = [](const JobView&) { return Key{}; }};
  try {
    run_with(both, {{"a", 0s, 1, 10s}}, "1x1");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "made: a rule that reserves cannot preempt");
  }
}

// What a policy sees of a job, when: on arrival, after the pass in which it started, at the limit
// of its key, and after the pass in which it stopped.
TEST(LineContract, KeysAreAskedWhenSomethingOfThemChanges) {
  struct Seen {
    Duration held;
    bool running;
    int preemptions;
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> seen;
  const Made watching{.rule = kPreempting, .key = [&](const JobView& job) -> Key {
                        if (job.id != JobId{0U}) return {.base = -1};
                        seen.push_back({job.held, job.running, job.preemptions});
                        EXPECT_EQ(job.service, 2 * micros(job.held));
                        if (job.held < 30s) return {.until_held = 30s};
                        return {};
                      }};
  // a (2 GPUs) holds 0 to 50 s; b, always before a, holds 50 to 60 s; a runs on to 110 s.
  run_with(watching, {{"a", 0s, 2, 100s}, {"b", 50s, 2, 10s}}, "1x2");
  EXPECT_EQ(seen, (std::vector<Seen>{{0s, false, 0},     // arrival
                                     {0s, true, 0},      // started
                                     {30s, true, 0},     // its limit
                                     {50s, false, 1},    // stopped
                                     {50s, true, 1}}));  // started again
}

// A rule that does not preempt is asked once a job.
TEST(LineContract, WithoutPreemptionKeysAreAskedOnce) {
  int asked = 0;
  const Made counting{.rule = {.blocked = Blocked::stop}, .key = [&](const JobView&) {
                        ++asked;
                        return Key{};
                      }};
  run_with(counting, {{"a", 0s, 1, 10s}, {"b", 0s, 1, 10s}, {"c", 5s, 1, 10s}}, "1x1");
  EXPECT_EQ(asked, 3);
}

// `stop` with preemption: what does not fit ends the walk, and holders behind it keep their GPUs.
// w (base 0) lacks a GPU that x, before it, holds; y, behind w, keeps its own; v, behind w, is not
// looked at.
TEST(LineContract, StoppingRuleLeavesHoldersBehindTheBlockedJob) {
  const std::map<std::string, std::int64_t> order{{"x", 0}, {"w", 1}, {"v", 2}, {"y", 3}};
  const std::vector<TestJob> jobs{
      {"x", 0s, 2, 100s}, {"y", 0s, 1, 100s}, {"w", 10s, 3, 5s}, {"v", 10s, 1, 5s}};
  const Workload workload = make_workload(jobs);
  const Made stop{.rule = {.blocked = Blocked::stop, .preempts = Preempts::any},
                  .key = [&](const JobView& job) {
                    return Key{.base = order.at(std::string{workload.id_text(job.id)})};
                  }};
  const Result result = run_with(stop, jobs, "1x4");
  EXPECT_EQ(result.run.end("y"), 100s);
  EXPECT_EQ(result.run.start("w"), 100s);  // 4 GPUs: w and v
  EXPECT_EQ(result.run.start("v"), 100s);
  EXPECT_TRUE(result.preemptions.empty());
}

}  // namespace
}  // namespace orrery::test
