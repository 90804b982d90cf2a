#include "orrery/inspect/explanation.hpp"

#include "orrery/base/check.hpp"

#include <algorithm>

namespace orrery {
namespace {

Rivals first_of(std::vector<Rival> rivals, std::size_t most_shown) {
  Rivals result{.shown = {}, .jobs = rivals.size()};
  for (const Rival& rival : rivals) result.gpus += rival.gpus;
  if (rivals.size() > most_shown)
    rivals.erase(rivals.begin() + static_cast<std::ptrdiff_t>(most_shown), rivals.end());
  result.shown = std::move(rivals);
  return result;
}

}  // namespace

Explainer::Explainer(const Workload& workload, std::vector<JobId> jobs, std::size_t most_shown)
    : workload_{workload}, most_shown_{most_shown} {
  std::ranges::sort(jobs);
  for (const JobId job : jobs)
    explanations_.push_back({.outcome = {.job = job}, .stretches = {}, .limit = {}});
  watched_.resize(explanations_.size());
}

void Explainer::outcome(const JobOutcome& outcome) {
  const auto found = std::ranges::lower_bound(explanations_, outcome.job, {},
                                              [](const Explanation& e) { return e.outcome.job; });
  if (found != explanations_.end() && found->outcome.job == outcome.job) found->outcome = outcome;
}

bool Explainer::look(const Simulator& run) {
  // JobIds are in the order of arrival.
  for (; next_ < explanations_.size(); ++next_) {
    if (run.standing(explanations_[next_].outcome.job).phase == Standing::Phase::unseen) break;
    here_.push_back(next_);
  }
  for (const std::size_t i : here_) look_at(run, i);
  std::erase_if(here_, [&](std::size_t i) { return watched_[i].gone; });
  return next_ < explanations_.size() || !here_.empty();
}

void Explainer::look_at(const Simulator& run, std::size_t i) {
  Explanation& mine = explanations_[i];
  Watched& watched = watched_[i];
  const Standing standing = run.standing(mine.outcome.job);
  const bool waits = standing.phase == Standing::Phase::waiting;
  if (watched.open && waits && watched.open->cause == standing.cause) return;
  close(i, run.now());
  if (waits) {
    const Obstacles obstacles = run.obstacles(mine.outcome.job);
    watched.open = WaitStretch{.from = run.now(),
                               .to = run.now(),
                               .cause = standing.cause,
                               .free_gpus = obstacles.free_gpus,
                               .evictable_gpus = obstacles.evictable_gpus,
                               .holders = first_of(obstacles.holders, most_shown_),
                               .ahead = first_of(obstacles.ahead, most_shown_)};
  }
  watched.gone = standing.phase == Standing::Phase::gone;
  if (watched.gone && mine.outcome.status == JobStatus::rejected)
    mine.limit = run.limit_on(mine.outcome.job);
}

void Explainer::close(std::size_t i, SimTime now) {
  auto& open = watched_[i].open;
  if (!open) return;
  open->to = now;
  explanations_[i].stretches.push_back(std::move(*open));
  open.reset();
}

void Explainer::finish(SimTime end) {
  for (const std::size_t i : here_) close(i, end);
  for (const Explanation& mine : explanations_) {
    std::array<Duration, kWaitCauses> sums{};
    for (const WaitStretch& stretch : mine.stretches)
      sums[static_cast<std::size_t>(stretch.cause)] += stretch.to - stretch.from;
    ORRERY_CHECK(sums == mine.outcome.wait, "the wait of job " +
                                                std::string{workload_.id_text(mine.outcome.job)} +
                                                " is not what its stretches add up to");
  }
}

}  // namespace orrery
