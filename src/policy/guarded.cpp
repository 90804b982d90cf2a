// Policies of plugins, behind a guard: what they throw, and keys that cannot be, are told as their
// faults, and a call that never comes back can be seen from outside.
#include "orrery/base/error.hpp"
#include "orrery/policy/registry.hpp"
#include "orrery/policy/scheduler.hpp"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>

namespace orrery {
namespace {

/// One policy's calls: odd while one is under way.
struct Calls {
  std::string policy;
  std::atomic<std::uint64_t> number{0};
};

std::mutex calls_lock;
std::vector<std::weak_ptr<Calls>> all_calls;

std::shared_ptr<Calls> new_calls(std::string_view policy) {
  auto calls = std::make_shared<Calls>();
  calls->policy = policy;
  const std::scoped_lock lock{calls_lock};
  std::erase_if(all_calls, [](const auto& one) { return one.expired(); });
  all_calls.push_back(calls);
  return calls;
}

class Call {
 public:
  explicit Call(Calls& calls) : calls_{calls} {
    calls_.number.fetch_add(1, std::memory_order_relaxed);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { calls_.number.fetch_add(1, std::memory_order_relaxed); }

 private:
  Calls& calls_;
};

[[noreturn]] void broken(const Calls& calls, const std::string& rule) {
  throw Fault("policy " + quote(calls.policy) + " (plugin): " + rule);
}

/// Calls into a plugin; nothing but an error of ours comes out. Options may be refused in words.
template <class Work>
auto guarded(Calls& calls, const char* what, Work&& work) {
  const Call under_way{calls};
  try {
    return work();
  } catch (const UsageError&) {
    throw;
  } catch (const Fault&) {  // what the engine says of it: a question about a job that is not there
    throw;
  } catch (const std::exception& error) {
    broken(calls, std::string{what} + " throws: " + printable(error.what(), 200));
  } catch (...) {
    broken(calls, std::string{what} + " throws");
  }
}

class Guarded final : public LinePolicy {
 public:
  Guarded(std::shared_ptr<Calls> calls, std::unique_ptr<LinePolicy> policy)
      : calls_{std::move(calls)}, policy_{std::move(policy)} {
    if (policy_ == nullptr) broken(*calls_, "make() gives no policy");
    rule_ = guarded(*calls_, "rule()", [&] { return policy_->rule(); });
    if (rule_.quantum < Duration::zero()) broken(*calls_, "its quantum is negative");
  }
  LineRule rule() const override { return rule_; }
  Key key(const JobView& job) const override {
    const Key key = guarded(*calls_, "key()", [&] { return policy_->key(job); });
    const std::int64_t slope =
        std::abs(std::int64_t{key.per_progress}) + std::abs(std::int64_t{key.per_held});
    if (key.base > kSortsLast || key.base < -kSortsLast || slope > (1 << 20))
      broken(*calls_, "a key is out of bounds: base " + std::to_string(key.base) + ", slopes " +
                          std::to_string(key.per_progress) + " and " +
                          std::to_string(key.per_held));
    if (job.running && key.until_held && *key.until_held <= job.held)
      broken(*calls_, "until_held is not past the time held");
    return key;
  }
  std::unique_ptr<LinePolicy> clone(const Estimates* estimates) const override {
    auto copy = guarded(*calls_, "clone()", [&] { return policy_->clone(estimates); });
    if (copy == nullptr) broken(*calls_, "clone() gives no policy");
    return std::make_unique<Guarded>(new_calls(calls_->policy), std::move(copy));
  }

 private:
  std::shared_ptr<Calls> calls_;
  std::unique_ptr<LinePolicy> policy_;
  LineRule rule_;
};

/// A whole scheduler of a plugin. What it decides is checked by the engine.
class GuardedScheduler final : public Scheduler {
 public:
  /// `policy` is a Scheduler.
  GuardedScheduler(std::shared_ptr<Calls> calls, std::unique_ptr<LinePolicy> policy)
      : calls_{std::move(calls)}, policy_{std::move(policy)} {}
  void decide(const View& view, Decision& decision) override {
    guarded(*calls_, "decide()",
            [&] { dynamic_cast<Scheduler&>(*policy_).decide(view, decision); });
  }
  std::unique_ptr<LinePolicy> clone(const Estimates* estimates) const override {
    auto copy = guarded(*calls_, "clone()", [&] { return policy_->clone(estimates); });
    if (dynamic_cast<Scheduler*>(copy.get()) == nullptr)
      broken(*calls_, "clone() gives no scheduler");
    return std::make_unique<GuardedScheduler>(new_calls(calls_->policy), std::move(copy));
  }

 private:
  std::shared_ptr<Calls> calls_;
  std::unique_ptr<LinePolicy> policy_;
};

}  // namespace

std::unique_ptr<LinePolicy> make_policy(const PolicyEntry& entry, const Options& options,
                                        const Estimates* estimates) {
  if (!entry.foreign) return entry.make(options, estimates);
  std::shared_ptr<Calls> calls = new_calls(entry.name);
  auto policy = guarded(*calls, "make()", [&] { return entry.make(options, estimates); });
  if (dynamic_cast<Scheduler*>(policy.get()) != nullptr)
    return std::make_unique<GuardedScheduler>(std::move(calls), std::move(policy));
  return std::make_unique<Guarded>(std::move(calls), std::move(policy));
}

std::vector<ForeignCalls> foreign_calls() {
  std::vector<ForeignCalls> list;
  const std::scoped_lock lock{calls_lock};
  for (const auto& one : all_calls)
    if (const auto calls = one.lock())
      list.push_back({calls.get(), calls->policy, calls->number.load(std::memory_order_relaxed)});
  return list;
}

}  // namespace orrery
