#include "invariants/reference/parts.hpp"

#include <limits>

namespace orrery::reference {
namespace {

bool among(const std::string& name, std::initializer_list<const char*> names) {
  for (const char* each : names)
    if (name == each) return true;
  return false;
}

}  // namespace

bool preempts(const Rules& rules) {
  return among(rules.policy, {"srtf", "srsf", "las", "las2d", "mlfq", "mlfq2d", "tiresias"});
}
bool stops(const Rules& rules) {
  return among(rules.policy, {"fifo", "sjf", "svsf"});
}
bool has_quantum(const Rules& rules) {
  return among(rules.policy, {"las", "las2d"});
}

std::size_t level_of(const Rules& rules, const Active& job) {
  if (!among(rules.policy, {"mlfq", "mlfq2d", "tiresias"})) return 0;
  const int weight = rules.policy == "mlfq" ? 1 : job.job.gpus;
  std::size_t level = 0;
  for (const Second limit : rules.limits) {
    const Second reached_at = (limit + weight - 1) / weight;  // the first whole second
    if (job.held >= reached_at) ++level;
  }
  return level;
}

Key key_of(const Rules& rules, const Active& job) {
  const Second last = std::numeric_limits<Second>::max();
  const std::string& name = rules.policy;
  const std::optional<Second>& known = job.job.known;
  Key key{.id = job.id};
  if (among(name, {"sjf", "sjf-skip"})) key.value = known.value_or(last);
  if (among(name, {"svsf", "svsf-skip"})) key.value = known ? *known * job.job.gpus : last;
  if (name == "srtf") key.value = known ? *known - job.progress : last;
  if (name == "srsf") key.value = known ? (*known - job.progress) * job.job.gpus : last;
  if (name == "las") key.value = job.held;
  if (name == "las2d") key.value = job.held * job.job.gpus;
  if (among(name, {"mlfq", "mlfq2d", "tiresias"})) key.value = static_cast<Second>(job.level);
  if (name == "tiresias") key.second = job.running() ? 0 : 1;
  return key;
}

}  // namespace orrery::reference
