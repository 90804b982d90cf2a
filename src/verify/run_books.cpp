#include "verify/run_books.hpp"

#include <numeric>
#include <string>

namespace orrery::verify {
namespace {

std::string text(SimTime time) {
  return seconds_text(time.time_since_epoch()) + " s";
}

std::string text(GpuTime::Wide gpu_micros) {
  std::string digits;
  const bool negative = gpu_micros < 0;
  do {
    const int digit = static_cast<int>(gpu_micros % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (negative ? -digit : digit)));
    gpu_micros /= 10;
  } while (gpu_micros != 0);
  return (negative ? "-" : "") + digits;
}

}  // namespace

RunBooks::RunBooks(const Workload& workload, const Topology& topology, const CheckedRun& run)
    : workload_{&workload},
      run_{run},
      capacity_{topology.total_gpus()},
      busy_of_vc_(workload.vcs().size(), 0),
      vc_since_(workload.vcs().size()),
      vc_time_(workload.vcs().size(), 0),
      vc_time_by_jobs_(workload.vcs().size(), 0) {}

void RunBooks::advance(SimTime now) {
  if (now == now_) return;
  if (counts_ != told_) broken("I1", {{}, now_}, "no state of the cluster came for this instant");
  busy_time_ += counts_.busy * Wide{micros(now - now_)};
  now_ = now;
}

void RunBooks::change_busy(std::int64_t gpus, std::uint32_t vc) {
  vc_time_[vc] += busy_of_vc_[vc] * Wide{micros(now_ - vc_since_[vc])};
  vc_since_[vc] = now_;
  busy_of_vc_[vc] += gpus;
  counts_.busy += gpus;
}

void RunBooks::waits(std::uint32_t gpus) {
  ++counts_.waiting;
  counts_.wanted += gpus;
}

void RunBooks::leaves(std::uint32_t gpus) {
  --counts_.waiting;
  counts_.wanted -= gpus;
}

void RunBooks::starts(std::uint32_t gpus, std::uint32_t vc) {
  --counts_.waiting;
  ++counts_.running;
  change_busy(gpus, vc);
}

void RunBooks::preempts(std::uint32_t gpus, std::uint32_t vc) {
  ++counts_.waiting;
  --counts_.running;
  ++preemptions_;
  change_busy(-std::int64_t{gpus}, vc);
}

void RunBooks::ends(std::uint32_t gpus, std::uint32_t vc) {
  --counts_.running;
  counts_.wanted -= gpus;
  change_busy(-std::int64_t{gpus}, vc);
}

void RunBooks::run_ends(SimTime time, const Place& place) {
  if (run_end_ && time != *run_end_)
    broken("I17", place,
           "is in the run until " + text(time) + ", another job until " + text(*run_end_));
  if (time < now_) broken("I17", place, "is in the run until " + text(time) + " only");
  run_end_ = time;
}

void RunBooks::stops(std::uint32_t gpus, std::uint32_t vc, const Place& place) {
  run_ends(now_, place);
  ends(gpus, vc);
  told_ = counts_;  // no state follows the end of a run
}

SimTime RunBooks::end_of_run(const JobOutcome& outcome, SimTime arrival, const Place& place) {
  run_ends(arrival + outcome.total_wait() + outcome.run + outcome.overhead, place);
  return *run_end_;
}

void RunBooks::state(const ClusterState& state) {
  const auto check = [&](const char* what, std::int64_t told, std::int64_t own) {
    if (told != own)
      broken("I3", {{}, state.time},
             std::string{what} + " are told as " + std::to_string(told) + ", the history gives " +
                 std::to_string(own));
  };
  check("GPUs", state.gpus_total, capacity_);
  check("GPUs held", state.gpus_busy, counts_.busy);
  check("GPUs down", state.gpus_down, 0);
  check("waiting jobs", state.jobs_waiting, counts_.waiting);
  check("running jobs", state.jobs_running, counts_.running);
  check("GPUs wanted", state.gpus_wanted, counts_.wanted);
  told_ = counts_;
}

void RunBooks::outcome(const JobOutcome& outcome, std::uint32_t vc) {
  ++by_status_[static_cast<std::size_t>(outcome.status)];
  const Wide gpus = outcome.gang_size;
  run_by_jobs_ += gpus * micros(outcome.run);
  overhead_by_jobs_ += gpus * micros(outcome.overhead);
  vc_time_by_jobs_[vc] += gpus * micros(outcome.run + outcome.overhead);
}

void RunBooks::check_sum(const char* rule, const char* what, Wide reported, Wide own) const {
  if (reported != own)
    broken(rule, {{}, now_},
           std::string{what} + " is " + text(reported) + " GPU-us, the history gives " + text(own));
}

void RunBooks::check_gpu_time(const RunTotals& totals) const {
  const GpuTime& told = totals.at_end;
  check_sum("I10", "busy GPU time by jobs", run_by_jobs_ + overhead_by_jobs_, busy_time_);
  check_sum("I10", "busy GPU time", told.busy, run_by_jobs_);
  check_sum("I10", "GPU time of overhead", told.overhead, overhead_by_jobs_);
  const Wide capacity = Wide{capacity_} * micros(totals.end);
  check_sum("I10", "GPU time of the cluster", told.capacity, capacity);
  check_sum("I10", "idle GPU time", told.idle, capacity - busy_time_);
  check_sum("I10", "GPU time down", told.down, 0);
  if (told.fragmented < 0 || told.fragmented > told.idle)
    broken("I12", {{}, now_},
           "fragmented GPU time is " + text(told.fragmented) + " of " + text(told.idle) +
               " idle GPU-us");
}

void RunBooks::finish(const RunTotals& totals) {
  if (run_end_ && totals.end != *run_end_)
    broken("I17", {{}, totals.end}, "the run ended at " + text(*run_end_) + " for its jobs");
  if (totals.end < now_) broken("I1", {{}, totals.end}, "an end before the last instant");
  advance(totals.end);
  const std::uint64_t told =
      std::accumulate(by_status_.begin(), by_status_.end(), std::uint64_t{0});
  if (told != workload_->size())
    broken("I7", {{}, now_},
           std::to_string(told) + " outcomes of " + std::to_string(workload_->size()) + " jobs");
  const auto unfinished = by_status_[static_cast<std::size_t>(JobStatus::unfinished)];
  if (unfinished > 0 && !run_.until && !run_.may_stop_early)
    broken("I17", {{}, now_},
           std::to_string(unfinished) + " jobs are unfinished without a horizon");
  if (run_.until && !run_.may_stop_early && totals.end != *run_.until)
    broken("I17", {{}, now_}, "the horizon is " + text(*run_.until));
  if (totals.preemptions != preemptions_ || totals.migrations != migrations_)
    broken("I10", {{}, now_},
           std::to_string(totals.preemptions) + " preemptions and " +
               std::to_string(totals.migrations) + " migrations are told, the history has " +
               std::to_string(preemptions_) + " and " + std::to_string(migrations_));
  check_gpu_time(totals);
  for (std::uint32_t vc = 0; vc < vc_time_.size(); ++vc) {
    change_busy(0, vc);
    check_sum("I13", "GPU time of a VC by its jobs", vc_time_by_jobs_[vc], vc_time_[vc]);
  }
}

}  // namespace orrery::verify
