// Makes the Estimates that policies are given out of what only the engine may look at.
#pragma once

#include "orrery/engine/simulator.hpp"
#include "orrery/policy/estimates.hpp"
#include "orrery/workload/workload.hpp"

#include <memory>
#include <string>

namespace orrery {

/// Estimates that learn from what a real scheduler would see: arrivals and ends.
class LearningEstimates : public Estimates {
 public:
  /// The job has arrived: what is expected of it is fixed now.
  virtual void arrived(JobId) {}
  /// The job ended after `ran` on its GPUs.
  virtual void ended(JobId, Duration /*ran*/) {}
  virtual std::unique_ptr<LearningEstimates> clone() const = 0;
};

/// Nothing for a policy that asks for nothing.
std::unique_ptr<LearningEstimates> make_estimates(const DurationKnowledge& knowledge, Knows knows,
                                                  const Workload& workload, std::uint64_t seed);
/// The same in words, for the manifest.
std::string knowledge_text(const DurationKnowledge& knowledge, Knows knows);

}  // namespace orrery
