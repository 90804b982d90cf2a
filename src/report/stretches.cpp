#include "orrery/report/stretches.hpp"

#include "orrery/base/check.hpp"

namespace orrery {
namespace {

/// What an entry says of the stretch that it ends; nothing when it ends none.
std::string_view why_ended(Verb verb) {
  switch (verb) {
    case Verb::migrate:
      return "migrated";
    case Verb::preempt:
      return "preempted";
    case Verb::finish:
      return "finished";
    case Verb::timeout:
      return "timeout";
    case Verb::horizon:
      return "horizon";
    default:
      return {};
  }
}

}  // namespace

void StretchSink::history(const HistoryEntry& entry) {
  const std::uint32_t job = entry.job.value();
  if (entry.verb == Verb::reject) rejected(entry.job, entry.time);
  if (const std::string_view why = why_ended(entry.verb); !why.empty()) {
    const auto held = held_.find(job);
    ORRERY_CHECK(held != held_.end(), "job " + std::to_string(job) + " holds no GPUs");
    ended({.job = entry.job,
           .start = held->second.start,
           .end = entry.time,
           .why = why,
           .gpus = entry.gpus,
           .slices = held->second.slices,
           .first = held->second.first});
    // A job that is preempted or moved has another stretch, which is not its first.
    if (entry.verb != Verb::preempt && entry.verb != Verb::migrate) {
      held_.erase(held);
    } else {
      held->second.slices.clear();
      held->second.first = false;
    }
  }
  if (entry.verb != Verb::start && entry.verb != Verb::migrate) return;
  Held& held = held_[job];
  held.start = entry.time;
  held.slices.assign(entry.slices.begin(), entry.slices.end());
}

}  // namespace orrery
