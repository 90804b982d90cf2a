// Gang jobs on the kernel: the first kind of work. Arrivals, completions, timers; one decision a
// pool and instant, checked and enacted.
#pragma once

#include "engine/estimates.hpp"
#include "engine/gang/active_job.hpp"
#include "engine/gang/pool.hpp"
#include "engine/gpu_ledger.hpp"

#include "orrery/cluster/cluster.hpp"
#include "orrery/engine/kernel.hpp"
#include "orrery/engine/simulator.hpp"
#include "orrery/engine/standing.hpp"
#include "orrery/workload/workload.hpp"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace orrery::gang {

class GangJobs final : public Module {
 public:
  GangJobs(const Workload& workload, const Topology& topology, const PolicyChoice& choice,
           const SimOptions& options, Recorder& recorder, Kernel& kernel);
  /// A fork on another kernel (a copy of the first one's) and into another recorder.
  GangJobs(const GangJobs& other, Recorder& recorder, Kernel& kernel);

  SimTime next_arrival() const override {
    return next_ < workload_->size() ? workload_->arrival(JobId{next_}) : kNever;
  }
  void arrive(SimTime now) override;
  void handle(const Event& event) override;
  void decide(SimTime now) override;
  void settled(SimTime now) override;
  void advance(SimTime now) override {
    if (now > reach_) refuse(now);
    ledger_.advance(now);
  }
  std::size_t ended() const override { return ended_; }
  /// When the next policy takes over; kNever when none does or it has been scheduled.
  SimTime next_takeover() const { return next_takeover_; }
  /// Nothing is left to happen: a policy that leaves jobs waiting then is a Fault.
  void check_nobody_waits() const;
  /// Makes it happen. Not before something else happens then or later: a run ends with its jobs.
  void schedule_takeover();
  std::string last_decisions() const override;

  /// Ends the run at `now`: what runs or waits is unfinished. Checks the sums against each other.
  RunTotals finish(SimTime now);
  const std::vector<std::pair<std::string, std::uint64_t>>& rejections() const {
    return rejections_;
  }
  // Questions (standing.cpp)
  Standing standing(JobId job) const;
  Obstacles obstacles(JobId job) const;
  std::string limit_on(JobId job) const;
  /// What each policy was told of durations.
  const std::string& knowledge() const { return knowledge_; }

 private:
  static constexpr std::int64_t kFarthest = kSortsLast;
  static constexpr std::uint32_t kNoPool = ~std::uint32_t{0};
  static constexpr SimTime kFarReach{Duration{kFarthest}};
  [[noreturn]] void refuse(SimTime now) const;
  /// A policy that will take over, and what it has learned by then.
  struct Successor {
    Takeover takeover;
    std::unique_ptr<LearningEstimates> estimates;
  };

  // Set-up (gang_jobs.cpp)
  std::vector<std::pair<std::string, PoolNodes>> divide(const Topology& topology) const;
  std::uint32_t pool_index(JobId job) const;
  std::string limit_of(const Pool& pool, int gpus) const;
  std::unique_ptr<VictimSearch> make_victims(const Pool& pool) const;
  std::unique_ptr<LinePolicy> make_policy() const;

  // A job's life (gang_jobs.cpp)
  void admit(JobId job, SimTime now);
  void reject(JobId job, const std::string& limit, SimTime now);
  void take(ActiveJob& job, Pool& pool, const Picks& picks);
  void give_back(ActiveJob& job, Pool& pool);
  void begin_stretch(Slot slot, SimTime now, Duration overhead);
  void end_stretch(ActiveJob& job, SimTime now);
  void start_progress(ActiveJob& job, SimTime now);
  void set_rate(ActiveJob& job, SimTime now, Rate rate);
  void schedule_completion(ActiveJob& job);
  void rerate_all(SimTime now);
  void end_job(Slot slot, Verb verb, JobStatus status, SimTime now);
  void occasion(const Event& event);
  JobView view_of(const ActiveJob& job, SimTime now) const;
  void ask_key(Pool& pool, ActiveJob& job, SimTime now);
  void schedule_key_limit(const ActiveJob& job, SimTime now);
  void key_limit_reached(Slot slot, SimTime now);
  void schedule_ticks(Pool& pool, SimTime now);
  void report_state(SimTime now);

  // SimOptions::check_keys (gang_jobs.cpp)
  void check_keys(SimTime now) const;
  void check_key(const Pool& pool, const ActiveJob& job, SimTime now) const;

  // Whole schedulers (scheduler_pass.cpp)
  class PoolView;
  void ask_scheduler(Pool& pool, SimTime now);
  void take_back(Pool& pool, JobId job, SimTime now);
  void start_as_told(Pool& pool, const Decision::Start& start, SimTime now);
  void check_picks(const Pool& pool, const Decision::Start& start, SimTime now) const;
  Slot slot_in(const Pool& pool, JobId job, SimTime now, const char* doing) const;
  [[noreturn]] void broken_decision(JobId job, SimTime now, const std::string& rule) const;
  static void list(std::vector<JobId>& jobs, JobId job);
  static void unlist(std::vector<JobId>& jobs, JobId job);

  // Another policy (takeover.cpp)
  void add_successors();
  void take_over(SimTime now);
  void renew(Pool& pool);
  void enter(Slot slot, SimTime now);

  // Passes (pass.cpp)
  void pass(Pool& pool, SimTime now);
  void walk(Pool& pool, SimTime now);
  bool find_room(Pool& pool, const ActiveJob& job, const Place& place, SimTime now, Room& room);
  void evict(Pool& pool, Slot slot, SimTime now);
  void grant(Pool& pool, Slot slot, const Picks& picks);
  void settle(Pool& pool, SimTime now);
  void settle_preempted(Pool& pool, Slot slot, const Slices& held, SimTime now);
  void settle_migrated(Pool& pool, Slot slot, SimTime now);
  void settle_started(Pool& pool, Slot slot, SimTime now);
  void walk_with_reservation(Pool& pool, SimTime now);
  bool start_where_free(Pool& pool, Slot slot, SimTime now, Picks& picks);
  void start_reserved_line(Pool& pool, Slot slot, const Picks& picks, SimTime now);
  void backfill(Pool& pool, std::uint32_t from, SimTime now);
  bool try_backfill(Pool& pool, Slot slot, bool ends_in_time, SimTime now);
  std::optional<Duration> expected(const ActiveJob& job, SimTime now) const;

  Pool& pool_of(const ActiveJob& job) { return *pools_[job.pool]; }
  FreeNodes& free(const Pool& pool) { return cluster_.free(pool.id); }
  void touch(Pool& pool) {
    if (!pool.touched) touched_.push_back(static_cast<std::uint32_t>(pool.id.index()));
    pool.touched = true;
    pool.changed = true;
  }
  Demand demand(const ActiveJob& job) const {
    return {.gpus = job.gpus(), .draw = (std::uint64_t{job.id().value()} << 32) | job.stretch};
  }
  void record(SimTime now, const ActiveJob& job, Verb verb, std::span<const Slice> slices) {
    last_[recorded_++ % last_.size()] = {job.id(), verb};
    recorder_->history({.time = now,
                        .job = job.id(),
                        .verb = verb,
                        .gpus = job.account.gang_size,
                        .slices = slices,
                        .id_hash = job.id_hash});
  }

  const Workload* workload_;
  PolicyChoice choice_;
  SimOptions options_;
  Recorder* recorder_;
  Kernel* kernel_;
  EventKind completion_, walltime_over_, overhead_over_, rate_change_, key_limit_, tick_, takeover_,
      ask_, round_;
  SimTime next_rate_change_ = kNever;
  SimTime reach_ = kFarReach;  // a key's slope times a later instant may pass 64 bits
  std::unique_ptr<LearningEstimates> estimates_;
  std::vector<Successor> successors_;  // still to come, in order
  SimTime next_takeover_ = kNever;     // of the first of them, up to its being scheduled
  std::string knowledge_;
  bool counts_only_;
  std::vector<std::unique_ptr<Pool>> pools_;
  std::vector<std::uint32_t> pool_of_vc_;  // fixed mode; kNoPool: its VC has no nodes
  Cluster cluster_;
  JobSlots jobs_;
  std::vector<Slot> slot_of_;  // by JobId
  std::size_t next_ = 0;       // the next arrival
  GpuLedger ledger_;
  std::vector<std::uint32_t> touched_;  // pools with changes in this instant
  std::vector<Slot> arrived_;           // in this instant
  Room room_;                           // of the try under way
  std::size_t ended_ = 0;
  std::uint64_t decisions_ = 0, tries_ = 0, preemptions_ = 0, migrations_ = 0;
  std::int64_t jobs_waiting_ = 0, jobs_running_ = 0, gpus_waited_for_ = 0;
  GpuTime::Wide run_by_jobs_ = 0, overhead_by_jobs_ = 0;  // GPU-microseconds of ended stretches
  std::array<std::uint64_t, 4> by_status_{};
  std::array<std::pair<JobId, Verb>, 4> last_{{{JobId{0U}, Verb::submit},
                                               {JobId{0U}, Verb::submit},
                                               {JobId{0U}, Verb::submit},
                                               {JobId{0U}, Verb::submit}}};
  std::size_t recorded_ = 0;
  std::vector<std::pair<std::string, std::uint64_t>> rejections_;
};

}  // namespace orrery::gang
