#include "verify/job_books.hpp"

#include <algorithm>

namespace orrery::verify {

const char* name(Phase phase) {
  switch (phase) {
    case Phase::unseen:
      return "not submitted";
    case Phase::waiting:
      return "waiting";
    case Phase::running:
      return "running";
    case Phase::finished:
      return "finished";
    case Phase::timed_out:
      return "timed out";
    case Phase::stopped:
      return "stopped at the end of the run";
    case Phase::rejected:
      return "rejected";
    case Phase::told:
      return "accounted for";
  }
  return "unknown";
}

void JobBook::close_stretch(SimTime now) {
  const Duration stretch = now - holds_since;
  const Duration without_progress = std::min(stretch, overhead_due);
  overhead += without_progress;
  run += stretch - without_progress;
  holds_since = now;
}

JobBook& JobBooks::open(JobId job) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(books_.size()));
    books_.emplace_back();
  }
  slot_[job.index()] = free_slots_.back();
  free_slots_.pop_back();
  return (*this)[job] = JobBook{};
}

}  // namespace orrery::verify
