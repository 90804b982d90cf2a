#include "verify/pass_rules.hpp"

#include "orrery/workload/truth.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace orrery::verify {

void WorkConservation::leaves(std::size_t pool, int gang) {
  const auto found = waiting_[pool].find(gang);
  if (--found->second == 0) waiting_[pool].erase(found);
}

void WorkConservation::close_instant(SimTime now) {
  for (std::size_t p = 0; p < waiting_.size(); ++p) {
    if (!touched_[p]) continue;
    touched_[p] = false;
    if (waiting_[p].empty()) continue;
    const int smallest = waiting_[p].begin()->first;
    if (books_->fits(books_->pools()[p], smallest))
      broken("I15", {{}, now},
             "a gang of " + std::to_string(smallest) + " waits although it fits on the free GPUs");
  }
}

Promises::Promises(const Workload& workload, const GpuBooks& books,
                   DurationKnowledge::Kind knowledge)
    : workload_{&workload}, books_{&books}, knowledge_{knowledge}, pools_(books.pools().size()) {}

SimTime Promises::known_end(JobId job, SimTime start) const {
  if (knowledge_ == DurationKnowledge::Kind::oracle)
    return start + workload_->truth().run_time(job);
  const auto walltime = workload_->walltime(job);
  return walltime ? start + *walltime : kNever;
}

void Promises::starts(std::size_t pool, JobId job, SimTime now, std::span<const Slice> slices) {
  Line& line = pools_[pool];
  line.waiting.erase(job);
  const SimTime end = known_end(job, now);
  line.running[job] = {end, Slices(slices.begin(), slices.end())};
  if (end != kNever) line.ends.emplace(end, job);
  line.started.push_back(job);
}

void Promises::ends(std::size_t pool, JobId job) {
  Line& line = pools_[pool];
  const auto running = line.running.find(job);
  line.ends.erase({running->second.known_end, job});
  line.running.erase(running);
}

void Promises::free_again(PoolBook& pool, std::vector<int>& free_on, JobId job,
                          const Running& running) const {
  pool.free += workload_->gang_size(job);
  for (const Slice& slice : running.slices) {
    int& free = free_on[slice.node.index() - pool.first];
    --pool.with_free[static_cast<std::size_t>(free)];
    free += slice.count();
    ++pool.with_free[static_cast<std::size_t>(free)];
  }
}

SimTime Promises::promise(std::size_t p, int gang, SimTime now,
                          const std::set<JobId>& left_out) const {
  PoolBook pool = books_->pools()[p];
  std::vector<int> free_on;
  for (std::size_t n = 0; n < pool.nodes; ++n) free_on.push_back(books_->free_on(pool.first + n));
  for (const JobId job : left_out) free_again(pool, free_on, job, pools_[p].running.at(job));
  if (books_->fits(pool, gang)) return now;
  for (const auto& [known_end, job] : pools_[p].ends) {
    if (left_out.contains(job)) continue;
    free_again(pool, free_on, job, pools_[p].running.at(job));
    if (books_->fits(pool, gang)) return std::max(known_end, now + Duration{1});
  }
  return kNever;
}

void Promises::check(std::size_t p, SimTime now) const {
  const Line& line = pools_[p];
  const JobId head = *line.waiting.begin();
  std::set<JobId> behind;
  for (const JobId job : line.started)
    if (head < job) behind.insert(job);
  if (behind.empty()) return;
  const int gang = workload_->gang_size(head);
  const SimTime without = promise(p, gang, now, behind), with = promise(p, gang, now, {});
  if (without < with)
    broken("I16", {workload_->id_text(head), now},
           "jobs behind it move its promised start from " +
               seconds_text(without.time_since_epoch()) + " s to " +
               (with == kNever ? "never" : seconds_text(with.time_since_epoch()) + " s"));
}

void Promises::close_pass(SimTime now) {
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    if (pools_[p].started.empty()) continue;
    if (!pools_[p].waiting.empty()) check(p, now);
    pools_[p].started.clear();
  }
}

}  // namespace orrery::verify
