#include "orrery/metrics/bounds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <span>

namespace orrery {
namespace {

using Wide = __int128;

Wide work_of(const BoundJob& job) {
  return Wide{micros(job.run_time)} * job.gpus;
}

/// Flow times under shortest remaining work first on one machine that does `gpus` GPU-microseconds
/// a microsecond. Times are in 1/gpus microseconds, which makes them whole.
std::vector<Wide> shortest_first_flows(std::span<const BoundJob> jobs, std::int64_t gpus) {
  using Left = std::pair<Wide, std::size_t>;  // remaining work, job
  std::priority_queue<Left, std::vector<Left>, std::greater<>> queue;
  std::vector<Wide> flows(jobs.size());
  const auto arrival = [&](std::size_t i) { return Wide{micros(jobs[i].arrival)} * gpus; };
  Wide now = 0;
  for (std::size_t next = 0; next < jobs.size() || !queue.empty();) {
    if (queue.empty()) now = std::max(now, arrival(next));
    for (; next < jobs.size() && arrival(next) <= now; ++next)
      queue.emplace(work_of(jobs[next]), next);
    const auto [left, job] = queue.top();
    queue.pop();
    if (next == jobs.size() || now + left <= arrival(next)) {
      now += left;
      flows[job] = now - arrival(job);
    } else {
      queue.emplace(left - (arrival(next) - now), job);
      now = arrival(next);
    }
  }
  return flows;
}

/// No schedule has a smaller sum of JCTs than this, in microseconds.
Wide least_jct_sum(const PoolJobs& pool) {
  const auto sum = [](const std::vector<Wide>& values) {
    return std::accumulate(values.begin(), values.end(), Wide{0});
  };
  Wide alone = 0;
  for (const BoundJob& job : pool.jobs) alone += micros(job.run_time);
  const std::vector<Wide> flows = shortest_first_flows(pool.jobs, pool.gpus);
  // Jobs that the fast machine serves faster than their own GPUs could are bounded by their run
  // time; the rest has the machine for itself.
  Wide split = 0;
  std::vector<BoundJob> rest;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (Wide{micros(pool.jobs[i].run_time)} * pool.gpus > flows[i]) {
      split += micros(pool.jobs[i].run_time);
    } else {
      rest.push_back(pool.jobs[i]);
    }
  }
  split += sum(shortest_first_flows(rest, pool.gpus)) / pool.gpus;
  return std::max({alone, sum(flows) / pool.gpus, split});
}

/// No schedule ends a pool earlier than this, in microseconds.
Wide least_last_end(const PoolJobs& pool) {
  Wide last = 0, work = 0;
  for (auto job = pool.jobs.rbegin(); job != pool.jobs.rend(); ++job) {
    work += work_of(*job);
    last = std::max({last, Wide{micros(job->arrival)} + (work + pool.gpus - 1) / pool.gpus,
                     Wide{micros(job->arrival)} + micros(job->run_time)});
  }
  return last;
}

/// Every job in turn at the first instant from which its GPUs are free for all its run time. Over
/// all orders this meets a best schedule without preemption for both measures.
class EveryOrder {
 public:
  explicit EveryOrder(const PoolJobs& pool) : pool_{pool}, order_(pool.jobs.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    do look();
    while (std::next_permutation(order_.begin(), order_.end()));
  }
  Wide least_jct_sum = std::numeric_limits<std::int64_t>::max();
  Wide least_last_end = std::numeric_limits<std::int64_t>::max();

 private:
  struct Run {
    SimTime from, to;
    std::int64_t gpus;
  };

  void look() {
    runs_.clear();
    Wide jct_sum = 0, last_end = 0;
    for (const std::size_t i : order_) {
      const BoundJob& job = pool_.jobs[i];
      const SimTime start = first_room(job);
      runs_.push_back({start, start + job.run_time, job.gpus});
      jct_sum += micros(runs_.back().to - job.arrival);
      last_end = std::max(last_end, Wide{micros(runs_.back().to)});
    }
    least_jct_sum = std::min(least_jct_sum, jct_sum);
    least_last_end = std::min(least_last_end, last_end);
  }

  SimTime first_room(const BoundJob& job) const {
    SimTime best = kNever;
    const auto take = [&](SimTime start) {
      if (start >= job.arrival && start < best && has_room(job, start)) best = start;
    };
    take(job.arrival);
    for (const Run& run : runs_) take(run.to);
    return best;
  }

  bool has_room(const BoundJob& job, SimTime start) const {
    const auto held_at = [&](SimTime time) {
      std::int64_t held = 0;
      for (const Run& run : runs_)
        if (run.from <= time && time < run.to) held += run.gpus;
      return held;
    };
    if (held_at(start) + job.gpus > pool_.gpus) return false;
    return std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) {
      return run.from <= start || run.from >= start + job.run_time ||
             held_at(run.from) + job.gpus <= pool_.gpus;
    });
  }

  const PoolJobs& pool_;
  std::vector<std::size_t> order_;
  std::vector<Run> runs_;
};

double seconds_of(Wide micros) {
  return static_cast<double>(micros) / 1e6;
}

}  // namespace

Bounds lower_bounds(const std::vector<PoolJobs>& pools, SimTime since) {
  Wide jct_sum = 0, last_end = 0, best_jct_sum = 0, best_last_end = 0;
  std::size_t jobs = 0;
  bool tiny = true;
  for (const PoolJobs& pool : pools) {
    if (pool.jobs.empty()) continue;
    jobs += pool.jobs.size();
    jct_sum += least_jct_sum(pool);
    last_end = std::max(last_end, least_last_end(pool));
    tiny = tiny && pool.jobs.size() <= kMostSearched;
    if (!tiny) continue;
    const EveryOrder best{pool};
    best_jct_sum += best.least_jct_sum;
    best_last_end = std::max(best_last_end, best.least_last_end);
  }
  if (jobs == 0) return {};
  const auto mean = [&](Wide sum) {
    return static_cast<double>(sum) / (static_cast<double>(jobs) * 1e6);
  };
  Bounds bounds{.jct_mean_s = mean(jct_sum),
                .makespan_s = seconds_of(last_end - micros(since)),
                .best_jct_mean_s = std::nullopt,
                .best_makespan_s = std::nullopt};
  if (tiny) {
    bounds.best_jct_mean_s = mean(best_jct_sum);
    bounds.best_makespan_s = seconds_of(best_last_end - micros(since));
  }
  return bounds;
}

}  // namespace orrery
