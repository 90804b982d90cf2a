// Planted bugs are caught, each by its rule and with a handful of jobs; the policies of the
// registry are clean.
#include "orrery/conformance/conformance.hpp"

#include "unit/conformance/planted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace orrery::test {
namespace {

using conformance::conform;
using conformance::Conformance;
using conformance::Subject;

struct PlantedBug {
  PolicyEntry entry;
  std::string_view rule, says;  ///< the rule that catches it, and a part of what is said
  std::map<std::string, std::string> options{};
};
void PrintTo(const PlantedBug& bug, std::ostream* out) {
  *out << bug.entry.name;
}

const std::vector<PlantedBug>& planted_bugs() {
  static const std::vector<PlantedBug> bugs{
      {entry_of<TossesACoin>("TossesACoin"), "keys", "asked anew it is"},
      {entry_of<CountsItsCalls>("CountsItsCalls"), "keys", "asked anew it is"},
      {entry_of<ReadsTheClock>("ReadsTheClock"), "clone", "has other keys"},
      {entry_of<CountsTimeHeldTwice>("CountsTimeHeldTwice"), "keys", "asked anew it is"},
      {entry_of<SinksWithoutSayingWhen>("SinksWithoutSayingWhen"), "keys", "asked anew it is"},
      {entry_of<ForgetsTheSlope>("ForgetsTheSlope"), "keys", "asked anew it is"},
      {entry_of<WeighsTimeByTheWrongGpus>("WeighsTimeByTheWrongGpus"), "keys", "asked anew it is"},
      {entry_of<LooksWhetherItRuns>("LooksWhetherItRuns"), "keys", "whether it runs"},
      {entry_of<HoldsUntilAnotherTime>("HoldsUntilAnotherTime"), "keys", "until another instant"},
      {entry_of<GoesByTheTimeOfDay>("GoesByTheTimeOfDay"), "shift", "entry"},
      {entry_of<GoesByTheNumberOfTheVc>("GoesByTheNumberOfTheVc"), "rows", "entry"},
      {entry_of<GoesByTheNumberOfTheUser>("GoesByTheNumberOfTheUser"), "rows", "entry"},
      {entry_of<GoesByTheParityOfTheJob>("GoesByTheParityOfTheJob"), "past", "entry"},
      {entry_of<CountsTheJobsItHasSeen>("CountsTheJobsItHasSeen"), "past", "entry"},
      {entry_of<NumbersItsInstances>("NumbersItsInstances"), "clone", "has other keys"},
      {entry_of<ChangesItsRule>("ChangesItsRule"), "rule", "rule() changes"},
      {entry_of<ReservesAndPreempts>("ReservesAndPreempts"), "rule", "cannot preempt"},
      {entry_of<HasANegativeQuantum>("HasANegativeQuantum"), "rule", "quantum is negative"},
      {entry_of<AsksEveryMicrosecond>("AsksEveryMicrosecond"), "run", "goes on and on"},
      {entry_of<HoldsForAMicrosecond>("HoldsForAMicrosecond"), "run", "goes on and on"},
      {entry_of<HasNoClone>("HasNoClone"), "clone", "gives no policy"},
      {entry_of<ClonesWithoutItsOptions>("ClonesWithoutItsOptions"),
       "clone",
       "has other keys",
       {{"weight", "-1"}}},
      {entry_of<ClonesWithItsOwnEstimates>("ClonesWithItsOwnEstimates", Knows::oracle), "clone",
       "given other estimates"},
      {entry_of<IsTooSteep>("IsTooSteep"), "bounds", "out of bounds"},
      {entry_of<HoldsUntilNow>("HoldsUntilNow"), "bounds", "not past the time held"},
      {entry_of<OverflowsWhereNothingIsKnown>("OverflowsWhereNothingIsKnown", Knows::walltime),
       "bounds", "out of bounds"},
      {entry_of<ThrowsAtWideGangs>("ThrowsAtWideGangs"), "rule", "no such gang"},
      {entry_of<ThrowsAtTheSecondPreemption>("ThrowsAtTheSecondPreemption"), "run",
       "preempted twice"},
  };
  return bugs;
}

struct PlantedBugs : testing::TestWithParam<PlantedBug> {};
TEST_P(PlantedBugs, IsCaughtAndShrunk) {
  const PlantedBug& bug = GetParam();
  const Conformance result = conform({&bug.entry, Options{"bug", bug.options}}, 1000, 1);
  ASSERT_TRUE(result.breach);
  EXPECT_EQ(result.breach->rule->name, bug.rule);
  EXPECT_NE(result.breach->what.find(bug.says), std::string::npos) << result.breach->what;
  EXPECT_LE(result.breach->trial.jobs.size(), 6U);
}
INSTANTIATE_TEST_SUITE_P(Every, PlantedBugs, testing::ValuesIn(planted_bugs()),
                         [](const auto& test) { return std::string{test.param.entry.name}; });

TEST(Conformance, ManyKindsOfBugsArePlantedAndEveryRuleCatchesOne) {
  EXPECT_GE(planted_bugs().size(), 20U);
  std::set<std::string_view> caught;
  for (const PlantedBug& bug : planted_bugs()) caught.insert(bug.rule);
  for (const char* alone : {"again", "fork", "names", "future"}) caught.insert(alone);  // below
  for (const conformance::Rule& rule : conformance::rules())
    EXPECT_TRUE(caught.contains(rule.name)) << rule.name;
}

/// Whether one rule by itself catches a policy within some trials.
bool caught_by(std::string_view name, const Subject& subject) {
  const auto rules = conformance::rules();
  const auto rule = std::ranges::find(rules, name, &conformance::Rule::name);
  for (std::uint64_t n = 0; n < 200; ++n)
    if (conformance::breach_of(*rule, subject, conformance::random_trial(5, n))) return true;
  return false;
}

// What an earlier rule catches first, these catch, too.
TEST(Conformance, RulesThatComeLateCatchByThemselves) {
  const PolicyEntry instances = entry_of<NumbersItsInstances>("NumbersItsInstances");
  EXPECT_TRUE(caught_by("again", {&instances, {}}));
  const PolicyEntry calls = entry_of<CountsItsCalls>("CountsItsCalls");
  EXPECT_FALSE(caught_by("again", {&calls, {}})) << "it counts the same calls twice";
  const PolicyEntry memory = entry_of<RemembersEarlierRuns>("RemembersEarlierRuns");
  EXPECT_TRUE(caught_by("fork", {&memory, {}}));
  EXPECT_TRUE(caught_by("names", {&memory, {}}));
  const PolicyEntry learns = entry_of<LearnsFromTheRunBefore>("LearnsFromTheRunBefore");
  EXPECT_TRUE(caught_by("future", {&learns, {}}));
}

struct ConformanceOf : testing::TestWithParam<std::string> {};
TEST_P(ConformanceOf, IsCleanOver1000Workloads) {
  const Spec spec = parse_spec(GetParam());
  const Conformance result = conform({&policy_entry(spec.name), spec.options()}, 1000, 1);
  EXPECT_EQ(result.trials, 1000U);
  EXPECT_FALSE(result.breach) << result.breach->rule->name << ": " << result.breach->what;
}
std::vector<std::string> every_policy() {
  std::vector<std::string> policies;
  for (const PolicyEntry& entry : policy_table()) policies.emplace_back(entry.name);
  // With limits that small jobs reach.
  for (const char* spec : {"las:quantum=5s", "las2d:quantum=5s", "mlfq:limits=4s/20s",
                           "mlfq2d:limits=4s/20s", "tiresias:limits=4s/20s"})
    policies.emplace_back(spec);
  return policies;
}
INSTANTIATE_TEST_SUITE_P(Every, ConformanceOf, testing::ValuesIn(every_policy()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace orrery::test
