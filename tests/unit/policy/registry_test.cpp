#include "orrery/policy/registry.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;

struct FixedEstimates final : Estimates {
  std::optional<Duration> run_time(JobId) const override { return 10s; }
};

TEST(Registry, HasTheseFifteenPolicies) {
  std::vector<std::string_view> names;
  for (const PolicyEntry& entry : policy_table()) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"fifo", "fifo-skip", "sjf", "sjf-skip", "svsf",
                                                  "svsf-skip", "srtf", "srsf", "las", "las2d",
                                                  "mlfq", "mlfq2d", "tiresias", "easy", "replay"}));
}

// Everything that `policy show` prints is there, and each line of the options begins "key=value".
TEST(Registry, EveryEntryIsComplete) {
  std::set<std::string_view> names, summaries;
  for (const PolicyEntry& entry : policy_table()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(summaries.insert(entry.summary).second) << entry.name;
    for (const std::string_view text : {entry.order, entry.blocked, entry.paper, entry.fidelity})
      EXPECT_FALSE(text.empty()) << entry.name;
    for (std::string_view rest = entry.options; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      EXPECT_NE(line.find('='), std::string_view::npos) << entry.name << ": " << line;
      EXPECT_NE(line.find("  "), std::string_view::npos) << entry.name << ": " << line;
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
  }
}

// The options that an entry tells, with the default that it tells, are accepted, and no others.
TEST(Registry, FactoriesTakeTheOptionsTheyTell) {
  const FixedEstimates estimates;
  for (const PolicyEntry& entry : policy_table()) {
    std::map<std::string, std::string> told;
    for (std::string_view rest = entry.options; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const std::string_view option = line.substr(0, line.find(' '));
      told.emplace(option.substr(0, option.find('=')), option.substr(option.find('=') + 1));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
    const Options options{std::string{entry.name}, told};
    EXPECT_NE(entry.make(options, &estimates), nullptr) << entry.name;
    EXPECT_NO_THROW(options.check_all_used()) << entry.name;
    const Options unknown{std::string{entry.name}, {{"no-such-key", "1"}}};
    EXPECT_NE(entry.make(unknown, &estimates), nullptr) << entry.name;
    EXPECT_THROW(unknown.check_all_used(), UsageError) << entry.name;
  }
}

// A default told in words is the default in code: the same key, whether it is given or not.
TEST(Registry, DefaultsAreThoseItTells) {
  const FixedEstimates estimates;
  for (const auto& [name, given] :
       {std::pair{"las", "quantum=6m"}, std::pair{"las2d", "quantum=6m"},
        std::pair{"mlfq", "limits=3250s/7200s"}, std::pair{"mlfq2d", "limits=3250s/7200s"},
        std::pair{"tiresias", "limits=3250s/7200s"}}) {
    const PolicyEntry& entry = policy_entry(name);
    EXPECT_EQ(entry.options.substr(0, std::string_view{given}.size()), given);
    const auto plain = entry.make(Options{}, &estimates);
    const auto explicitly =
        entry.make(parse_spec(std::string{name} + ":" + given).options(), &estimates);
    EXPECT_EQ(plain->rule().quantum, explicitly->rule().quantum);
    for (const Duration held : {0us, Duration{3250s - 1us}, Duration{3250s}, Duration{7200s}}) {
      const JobView job{.id = JobId{0U}, .arrival = SimTime{}, .held = held};
      EXPECT_EQ(plain->key(job).base, explicitly->key(job).base) << name;
      EXPECT_EQ(plain->key(job).until_held, explicitly->key(job).until_held) << name;
    }
  }
}

// What a policy knows decides what it is given: none of those that know nothing looks at estimates.
TEST(Registry, PoliciesThatKnowNothingNeedNoEstimates) {
  for (const PolicyEntry& entry : policy_table()) {
    if (entry.knows != Knows::nothing) continue;
    const auto policy = entry.make(Options{}, nullptr);
    EXPECT_NO_THROW(policy->key({.id = JobId{0U}, .arrival = SimTime{}})) << entry.name;
    EXPECT_NE(policy->clone(nullptr), nullptr) << entry.name;
  }
}

// The contract of until_held: ahead of what is held, or absent.
TEST(Registry, KeysAreAskedForAgainOnlyLater) {
  const FixedEstimates estimates;
  for (const PolicyEntry& entry : policy_table()) {
    const auto policy = entry.make(Options{}, &estimates);
    for (const int gpus : {1, 3, 8, 1000}) {
      for (std::int64_t held = 0; held < 10'000; held += 7) {
        const JobView job{.id = JobId{0U}, .gpus = gpus, .arrival = SimTime{}, .held = 1s * held};
        const Key key = policy->key(job);
        EXPECT_GT(key.until_held.value_or(Duration::max()), job.held) << entry.name;
        EXPECT_LE(std::abs(key.per_progress) + std::abs(key.per_held), 1 << 20) << entry.name;
      }
    }
  }
}

TEST(Registry, UnknownNamesGetTheNearestKnownOne) {
  try {
    policy_entry("tirisias");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "unknown policy 'tirisias' (did you mean 'tiresias'?)");
  }
}

}  // namespace
}  // namespace orrery
