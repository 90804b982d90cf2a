#include "engine/estimates.hpp"

#include "orrery/base/random.hpp"
#include "orrery/workload/truth.hpp"

#include <boost/random/normal_distribution.hpp>
#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <vector>

namespace orrery {
namespace {

using Kind = DurationKnowledge::Kind;

class OracleEstimates final : public LearningEstimates {
 public:
  explicit OracleEstimates(const Workload& workload) : truth_{&workload.truth()} {}
  std::optional<Duration> run_time(JobId job) const override { return truth_->run_time(job); }
  std::unique_ptr<LearningEstimates> clone() const override {
    return std::make_unique<OracleEstimates>(*this);
  }

 private:
  const JobTruth* truth_;
};

class WalltimeEstimates final : public LearningEstimates {
 public:
  explicit WalltimeEstimates(const Workload& workload) : workload_{&workload} {}
  std::optional<Duration> run_time(JobId job) const override { return workload_->walltime(job); }
  std::unique_ptr<LearningEstimates> clone() const override {
    return std::make_unique<WalltimeEstimates>(*this);
  }

 private:
  const Workload* workload_;
};

/// The truth times exp(sigma * N(0, 1)), drawn once a job from its own stream.
class NoisyEstimates final : public LearningEstimates {
 public:
  NoisyEstimates(const Workload& workload, double sigma, std::uint64_t seed)
      : truth_{&workload.truth()}, sigma_{sigma}, streams_{seed} {}
  std::optional<Duration> run_time(JobId job) const override {
    RandomStream stream = streams_.stream("noisy durations", job.index());
    boost::random::normal_distribution<double> normal;
    return duration_rounded_up(seconds(truth_->run_time(job)) * std::exp(sigma_ * normal(stream)));
  }
  std::unique_ptr<LearningEstimates> clone() const override {
    return std::make_unique<NoisyEstimates>(*this);
  }

 private:
  const JobTruth* truth_;
  double sigma_;
  RngStreams streams_;
};

/// The mean run time of the ended jobs most like this one: same user and name, else same user and
/// gang size, else same user, else all. Fixed at arrival; unknown while nothing has ended.
class HistoryEstimates final : public LearningEstimates {
 public:
  explicit HistoryEstimates(const Workload& workload)
      : workload_{&workload}, expected_(workload.size(), kUnknown) {}
  std::optional<Duration> run_time(JobId job) const override {
    const std::int64_t known = expected_[job.index()];
    return known == kUnknown ? std::nullopt : std::optional{Duration{known}};
  }
  void arrived(JobId job) override {
    for (const std::uint64_t key : keys(job)) {
      const auto found = means_.find(key);
      if (found == means_.end()) continue;
      expected_[job.index()] = static_cast<std::int64_t>(found->second.sum / found->second.count);
      return;
    }
  }
  void ended(JobId job, Duration ran) override {
    for (const std::uint64_t key : keys(job)) {
      Mean& mean = means_[key];
      mean.sum += micros(ran);
      ++mean.count;
    }
  }
  std::unique_ptr<LearningEstimates> clone() const override {
    return std::make_unique<HistoryEstimates>(*this);
  }

 private:
  static constexpr std::int64_t kUnknown = -1;
  struct Mean {
    __int128 sum = 0;
    std::int64_t count = 0;
  };
  std::vector<std::uint64_t> keys(JobId job) const {  // most alike first
    std::vector<std::uint64_t> keys;
    const std::uint64_t user = workload_->user(job);
    if (user != 0) {
      if (workload_->name(job) != 0) keys.push_back(mix(mix(1, user), workload_->name(job)));
      keys.push_back(mix(mix(2, user), static_cast<std::uint64_t>(workload_->gang_size(job))));
      keys.push_back(mix(3, user));
    }
    keys.push_back(mix(4, 0));
    return keys;
  }
  const Workload* workload_;
  std::vector<std::int64_t> expected_;
  std::unordered_map<std::uint64_t, Mean> means_;  // looked up, never iterated
};

/// What the trace recorded, for a policy that does it again.
class RecordedEstimates final : public LearningEstimates {
 public:
  explicit RecordedEstimates(const Workload& workload) : truth_{&workload.truth()} {}
  std::optional<Duration> run_time(JobId) const override { return std::nullopt; }
  std::optional<SimTime> recorded_start(JobId job) const override {
    return truth_->recorded_start(job);
  }
  std::unique_ptr<LearningEstimates> clone() const override {
    return std::make_unique<RecordedEstimates>(*this);
  }

 private:
  const JobTruth* truth_;
};

Kind kind_for(const DurationKnowledge& knowledge, Knows knows) {
  if (knowledge.kind != Kind::by_policy) return knowledge.kind;
  return knows == Knows::walltime ? Kind::walltime : Kind::oracle;
}

}  // namespace

std::unique_ptr<LearningEstimates> make_estimates(const DurationKnowledge& knowledge, Knows knows,
                                                  const Workload& workload, std::uint64_t seed) {
  if (knows == Knows::nothing) return nullptr;
  if (knows == Knows::recorded) return std::make_unique<RecordedEstimates>(workload);
  switch (kind_for(knowledge, knows)) {
    case Kind::walltime:
      return std::make_unique<WalltimeEstimates>(workload);
    case Kind::noisy:
      return std::make_unique<NoisyEstimates>(workload, knowledge.sigma, seed);
    case Kind::history:
      return std::make_unique<HistoryEstimates>(workload);
    case Kind::by_policy:
    case Kind::oracle:
      break;
  }
  return std::make_unique<OracleEstimates>(workload);
}

std::string knowledge_text(const DurationKnowledge& knowledge, Knows knows) {
  if (knows == Knows::nothing) return "nothing of durations";
  if (knows == Knows::recorded) return "when the trace says that jobs started";
  switch (kind_for(knowledge, knows)) {
    case Kind::walltime:
      return "the walltimes that users declared; a job without one never ends";
    case Kind::noisy:
      return fmt::format("true durations times a log-normal factor, sigma={}", knowledge.sigma);
    case Kind::history:
      return "mean run time of ended jobs of the same user and name, else user and gang size, else "
             "user, else all";
    case Kind::by_policy:
    case Kind::oracle:
      break;
  }
  return "true durations (oracle)";
}

}  // namespace orrery
