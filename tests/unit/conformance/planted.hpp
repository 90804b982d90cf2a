// Policies with a bug each: what `orrery policy conform` has to catch.
#pragma once

#include "orrery/policy/registry.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace orrery::test {

using std::chrono::seconds;

/// First come, first served, and nothing wrong with it; bugs are planted into its members.
template <class Bug>
struct Planted : LinePolicy {
  explicit Planted(const Options&, const Estimates* known) : estimates{known} {}
  LineRule rule() const override { return {}; }
  std::unique_ptr<LinePolicy> clone(const Estimates* known) const override {
    auto copy = std::make_unique<Bug>(static_cast<const Bug&>(*this));
    copy->estimates = known;
    return copy;
  }
  const Estimates* estimates;
};

inline constexpr LineRule kPreempting{.blocked = Blocked::skip, .preempts = Preempts::any};

inline std::int64_t arrived(const JobView& job) {
  return micros(job.arrival);
}

// ---- keys that are not what they were

struct TossesACoin final : Planted<TossesACoin> {
  using Planted::Planted;
  Key key(const JobView&) const override {
    return {.base = (tosses = tosses * 25'173 + 13'849) % 7};
  }
  mutable std::int64_t tosses = 1;
};

struct CountsItsCalls final : Planted<CountsItsCalls> {
  using Planted::Planted;
  Key key(const JobView&) const override { return {.base = -++calls}; }
  mutable std::int64_t calls = 0;
};

struct ReadsTheClock final : Planted<ReadsTheClock> {
  using Planted::Planted;
  Key key(const JobView&) const override {
    return {.base = std::chrono::steady_clock::now().time_since_epoch().count()};
  }
};

struct CountsTimeHeldTwice final : Planted<CountsTimeHeldTwice> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override { return {.base = micros(job.held), .per_held = 1}; }
};

struct SinksWithoutSayingWhen final : Planted<SinksWithoutSayingWhen> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override { return {.base = job.held < seconds{4} ? 0 : 1}; }
};

struct ForgetsTheSlope final : Planted<ForgetsTheSlope> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override { return {.base = job.service}; }
};

struct WeighsTimeByTheWrongGpus final : Planted<WeighsTimeByTheWrongGpus> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override {
    return {.base = job.service - micros(job.held), .per_held = 1};  // wants gpus - 1 as its slope
  }
};

struct LooksWhetherItRuns final : Planted<LooksWhetherItRuns> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override { return {.base = job.running ? 0 : 1}; }
};

struct HoldsUntilAnotherTime final : Planted<HoldsUntilAnotherTime> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override {
    return {.base = 0, .until_held = job.held + seconds{10}};  // not the next multiple of 10 s
  }
};

// ---- keys of what should not matter

struct GoesByTheTimeOfDay final : Planted<GoesByTheTimeOfDay> {
  using Planted::Planted;
  Key key(const JobView& job) const override { return {.base = arrived(job) % 60'000'000}; }
};

struct GoesByTheNumberOfTheVc final : Planted<GoesByTheNumberOfTheVc> {
  using Planted::Planted;
  Key key(const JobView& job) const override { return {.base = job.vc}; }
};

struct GoesByTheNumberOfTheUser final : Planted<GoesByTheNumberOfTheUser> {
  using Planted::Planted;
  Key key(const JobView& job) const override { return {.base = job.user}; }
};

struct GoesByTheParityOfTheJob final : Planted<GoesByTheParityOfTheJob> {
  using Planted::Planted;
  Key key(const JobView& job) const override { return {.base = job.id.value() % 2}; }
};

struct CountsTheJobsItHasSeen final : Planted<CountsTheJobsItHasSeen> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    const auto number = static_cast<std::int64_t>(seen.size());
    return {.base = seen.emplace(job.id.value(), number).first->second % 3};
  }
  mutable std::map<std::uint32_t, std::int64_t> seen;
};

struct NumbersItsInstances final : Planted<NumbersItsInstances> {
  using Planted::Planted;
  Key key(const JobView& job) const override { return {.base = (job.gpus * mine) % 5}; }
  static inline std::int64_t instances = 0;
  std::int64_t mine = ++instances;
};

struct RemembersEarlierRuns final : Planted<RemembersEarlierRuns> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    const bool again = !first.contains(job.id.value()) && known[job.id.value()]++ > 0;
    return {.base =
                first.emplace(job.id.value(), again ? -arrived(job) : arrived(job)).first->second};
  }
  static inline std::map<std::uint32_t, int> known;
  mutable std::map<std::uint32_t, std::int64_t> first;
};

/// What the run before was about changes this one.
struct LearnsFromTheRunBefore final : Planted<LearnsFromTheRunBefore> {
  LearnsFromTheRunBefore(const Options& options, const Estimates* known) : Planted{options, known} {
    if (seen > 0) last = std::exchange(seen, 0);
    before = last;
  }
  Key key(const JobView& job) const override {
    seen = std::max(seen, job.id.value());
    return {.base = job.id.value() < before / 2 ? 1 : 0};
  }
  static inline std::uint32_t seen = 0, last = 0;
  std::uint32_t before = 0;
};

// ---- rules

struct ChangesItsRule final : Planted<ChangesItsRule> {
  using Planted::Planted;
  LineRule rule() const override {
    return {.blocked = ++asked % 2 == 0 ? Blocked::stop : Blocked::skip};
  }
  Key key(const JobView& job) const override { return {.base = arrived(job)}; }
  mutable int asked = 0;
};

struct ReservesAndPreempts final : Planted<ReservesAndPreempts> {
  using Planted::Planted;
  LineRule rule() const override {
    return {.blocked = Blocked::reserve, .preempts = Preempts::any};
  }
  Key key(const JobView& job) const override { return {.base = arrived(job)}; }
};

struct HasANegativeQuantum final : Planted<HasANegativeQuantum> {
  using Planted::Planted;
  LineRule rule() const override { return {.quantum = seconds{-1}}; }
  Key key(const JobView& job) const override { return {.base = arrived(job)}; }
};

struct AsksEveryMicrosecond final : Planted<AsksEveryMicrosecond> {
  using Planted::Planted;
  LineRule rule() const override { return {.quantum = Duration{1}}; }
  Key key(const JobView& job) const override { return {.base = arrived(job)}; }
};

struct HoldsForAMicrosecond final : Planted<HoldsForAMicrosecond> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override {
    return {.base = arrived(job), .until_held = job.held + Duration{1}};
  }
};

// ---- clones

struct HasNoClone final : Planted<HasNoClone> {
  using Planted::Planted;
  Key key(const JobView& job) const override { return {.base = arrived(job)}; }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override { return nullptr; }
};

struct ClonesWithoutItsOptions final : Planted<ClonesWithoutItsOptions> {
  ClonesWithoutItsOptions(const Options& options, const Estimates* known)
      : Planted{options, known}, weight{options.integer("weight", 1)} {}
  Key key(const JobView& job) const override { return {.base = weight * job.gpus}; }
  std::unique_ptr<LinePolicy> clone(const Estimates* known) const override {
    return std::make_unique<ClonesWithoutItsOptions>(Options{}, known);
  }
  std::int64_t weight;
};

struct ClonesWithItsOwnEstimates final : Planted<ClonesWithItsOwnEstimates> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    const auto known = estimates->run_time(job.id);
    return {.base = known ? micros(*known) : kSortsLast};
  }
  std::unique_ptr<LinePolicy> clone(const Estimates*) const override {
    return std::make_unique<ClonesWithItsOwnEstimates>(*this);
  }
};

// ---- out of bounds

struct IsTooSteep final : Planted<IsTooSteep> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override {
    return {.base = -micros(job.held) << 21, .per_held = 1 << 21};
  }
};

struct HoldsUntilNow final : Planted<HoldsUntilNow> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override { return {.base = 0, .until_held = job.held}; }
};

struct OverflowsWhereNothingIsKnown final : Planted<OverflowsWhereNothingIsKnown> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    const auto known = estimates->run_time(job.id);
    return {.base = known ? micros(*known) : std::numeric_limits<std::int64_t>::max()};
  }
};

struct ThrowsAtWideGangs final : Planted<ThrowsAtWideGangs> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    if (job.gpus > 8) throw std::runtime_error("no such gang");
    return {.base = arrived(job)};
  }
};

struct ThrowsAtTheSecondPreemption final : Planted<ThrowsAtTheSecondPreemption> {
  using Planted::Planted;
  LineRule rule() const override { return kPreempting; }
  Key key(const JobView& job) const override {
    if (job.preemptions > 1) throw std::out_of_range("preempted twice");
    return {.base = 0, .per_held = 1};
  }
};

// ---- these end the process, or do not end

struct FollowsNothing final : Planted<FollowsNothing> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    return {.base = micros(estimates->run_time(job.id).value_or(Duration{}))};
  }
};

struct LoopsForEver final : Planted<LoopsForEver> {
  using Planted::Planted;
  Key key(const JobView& job) const override {
    for (volatile std::int64_t i = 1; i != 0 && job.preemptions == 0;) i = i + 1 > 0 ? i + 1 : 1;
    return {.base = 0};
  }
};

/// A row of a registry for a planted policy.
template <class Bug>
PolicyEntry entry_of(std::string_view name, Knows knows = Knows::nothing) {
  return {.name = name,
          .summary = "a bug",
          .order = "",
          .blocked = "",
          .options = "",
          .paper = "",
          .fidelity = "",
          .knows = knows,
          .make = [](const Options& options, const Estimates* estimates)
              -> std::unique_ptr<LinePolicy> { return std::make_unique<Bug>(options, estimates); }};
}

}  // namespace orrery::test
