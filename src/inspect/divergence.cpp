#include "orrery/inspect/divergence.hpp"

#include <algorithm>

namespace orrery {
namespace {

/// One side of the search.
class Side {
 public:
  explicit Side(const TapedRun& taped) : run_{*taped.run}, entries_{taped.tape->entries} {}

  /// True when the next entry is known, or that there is none.
  bool knows() const { return over_ || !entries_.empty(); }
  bool has_entry() const { return !entries_.empty(); }
  SimTime now() const { return run_.now(); }
  void step() { over_ = !run_.step(); }
  const KeptEntry& front() const { return entries_.front(); }
  KeptEntry take() {
    KeptEntry entry = std::move(entries_.front());
    entries_.pop_front();
    return entry;
  }
  std::vector<KeptEntry> entries_at(SimTime time) const {
    std::vector<KeptEntry> some;
    std::ranges::copy_if(entries_, std::back_inserter(some),
                         [&](const KeptEntry& entry) { return entry.time == time; });
    return some;
  }

 private:
  Simulator& run_;
  std::deque<KeptEntry>& entries_;
  bool over_ = false;
};

Divergence parted(const Side& first, const Side& second, const std::deque<KeptEntry>& latest) {
  Divergence found{.last_in_common = {latest.begin(), latest.end()},
                   .first = {},
                   .second = {},
                   .field = "entry",
                   .instant_of_first = {},
                   .instant_of_second = {}};
  if (first.has_entry()) found.first = first.front();
  if (second.has_entry()) found.second = second.front();
  if (found.first && found.second) found.field = first_difference(*found.first, *found.second);
  const SimTime instant = !found.first    ? found.second->time
                          : !found.second ? found.first->time
                                          : std::min(found.first->time, found.second->time);
  found.instant_of_first = first.entries_at(instant);
  found.instant_of_second = second.entries_at(instant);
  return found;
}

}  // namespace

std::string_view first_difference(const KeptEntry& first, const KeptEntry& second) {
  if (first.time != second.time) return "time";
  if (first.job_id != second.job_id) return "job";
  if (first.verb != second.verb) return "verb";
  if (first.gpus != second.gpus) return "gpus";
  return first.slices == second.slices ? "" : "allocation";
}

void HistoryTape::history(const HistoryEntry& entry) {
  entries.push_back({.time = entry.time,
                     .verb = entry.verb,
                     .job_id = std::string{workload_->id_text(entry.job)},
                     .job = entry.job,
                     .gpus = entry.gpus,
                     .slices = {entry.slices.begin(), entry.slices.end()}});
}

DivergenceSearch find_divergence(const TapedRun& first, const TapedRun& second,
                                 const std::function<bool()>& go_on) {
  Side a{first}, b{second};
  DivergenceSearch search;
  std::deque<KeptEntry> latest;
  while (true) {
    if (!a.knows() && (b.knows() || a.now() <= b.now())) {
      a.step();
    } else if (!b.knows()) {
      b.step();
    } else if (!a.has_entry() && !b.has_entry()) {
      return search;
    } else if (a.has_entry() && b.has_entry() && first_difference(a.front(), b.front()).empty()) {
      ++search.in_common;
      latest.push_back(a.take());
      b.take();
      if (latest.size() > Divergence::kContext) latest.pop_front();
      continue;
    } else {
      search.found = parted(a, b, latest);
      return search;
    }
    if (go_on && !go_on()) {
      search.stopped = true;
      return search;
    }
  }
}

}  // namespace orrery
