// Policies of a plugin that means harm, or was written in a hurry.
#include "unit/conformance/planted.hpp"

#include "orrery/policy/plugin.hpp"

#include <cstdlib>

namespace orrery::test {
namespace {

struct Harmless final : Planted<Harmless> {
  using Planted::Planted;
  Key key(const JobView& job) const override { return {.base = -arrived(job)}; }
};

struct ThrowsANumber final : Planted<ThrowsANumber> {
  using Planted::Planted;
  Key key(const JobView&) const override { throw 42; }
};

struct ThrowsAtItsRule final : Planted<ThrowsAtItsRule> {
  using Planted::Planted;
  LineRule rule() const override { throw std::runtime_error("\033[31mno rule"); }
  Key key(const JobView&) const override { return {}; }
};

struct Crashes final : Planted<Crashes> {
  using Planted::Planted;
  Key key(const JobView&) const override {
    volatile int* nowhere = nullptr;
    return {.base = *nowhere};
  }
};

/// Runs as long as it may and then for ever: passes without end in one instant are the engine's to
/// see, a call without end the watchdog's.
struct ComesBackLate final : Planted<ComesBackLate> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds{20};
    while (std::chrono::steady_clock::now() < end) {
    }
    return {.base = arrived(job)};
  }
};

/// Every job on the first GPUs of node 0, whoever holds them.
struct GrantsTwice final : Scheduler {
  GrantsTwice(const Options&, const Estimates*) {}
  void decide(const View& view, Decision& decision) override {
    for (const JobId job : view.waiting())
      decision.start(job, Picks{{NodeId{0U}, view.job(job).gpus}});
  }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<GrantsTwice>(*this);
  }
};

struct AsksForEver final : Scheduler {
  AsksForEver(const Options&, const Estimates*) {}
  void decide(const View& view, Decision& decision) override { decision.ask_at(view.now()); }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<AsksForEver>(*this);
  }
};

struct NeverActs final : Scheduler {
  NeverActs(const Options&, const Estimates*) {}
  void decide(const View&, Decision&) override {}
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<NeverActs>(*this);
  }
};

struct DecidesToThrow final : Scheduler {
  DecidesToThrow(const Options&, const Estimates*) {}
  void decide(const View& view, Decision&) override { view.job(JobId{1234U}); }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<DecidesToThrow>(*this);
  }
};

template <class Bug>
PolicyEntry without_maker(std::string_view name) {
  PolicyEntry entry = entry_of<Bug>(name);
  entry.make = [](const Options&, const Estimates*) -> std::unique_ptr<LinePolicy> {
    return nullptr;
  };
  return entry;
}

const PolicyEntry kPolicies[] = {entry_of<Harmless>("last-in"),
                                 entry_of<ThrowsAtWideGangs>("throws"),
                                 entry_of<ThrowsANumber>("throws-a-number"),
                                 entry_of<ThrowsAtItsRule>("throws-at-its-rule"),
                                 entry_of<Crashes>("crashes"),
                                 entry_of<LoopsForEver>("loops"),
                                 entry_of<ComesBackLate>("comes-back-late"),
                                 entry_of<IsTooSteep>("too-steep"),
                                 entry_of<HoldsUntilNow>("holds-until-now"),
                                 entry_of<HasANegativeQuantum>("negative-quantum"),
                                 entry_of<ReservesAndPreempts>("reserves-and-preempts"),
                                 entry_of<GrantsTwice>("grants-twice"),
                                 entry_of<AsksForEver>("asks-for-ever"),
                                 entry_of<NeverActs>("never-acts"),
                                 entry_of<DecidesToThrow>("asks-of-nobody"),
                                 without_maker<Harmless>("makes-nothing")};

}  // namespace
}  // namespace orrery::test

#if defined(ANOTHER_INTERFACE)
extern "C" const orrery::PluginTable orrery_plugin;
const orrery::PluginTable orrery_plugin{.abi = orrery::kPluginAbi,
                                        .interface = orrery::plugin_interface() + 1,
                                        .compiler = "another\ncompiler",
                                        .policies = orrery::test::kPolicies,
                                        .count = 1};
#elif defined(ANOTHER_ABI)
extern "C" const orrery::PluginTable orrery_plugin;
const orrery::PluginTable orrery_plugin{.size = 8, .abi = 99};
#elif defined(TAKEN_NAME)
namespace {
const orrery::PolicyEntry kTaken[] = {orrery::test::entry_of<orrery::test::Harmless>("fifo")};
}
ORRERY_PLUGIN(kTaken)
#elif defined(BAD_NAME)
namespace {
const orrery::PolicyEntry kBad[] = {orrery::test::entry_of<orrery::test::Harmless>("../<b>x")};
}
ORRERY_PLUGIN(kBad)
#elif !defined(NO_TABLE)
ORRERY_PLUGIN(orrery::test::kPolicies)
#endif
