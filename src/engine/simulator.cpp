#include "orrery/engine/simulator.hpp"

#include "engine/gang/gang_jobs.hpp"

#include "orrery/base/check.hpp"
#include "orrery/engine/kernel.hpp"

namespace orrery {

/// Everything of one run: the kernel and, so far, one module on it.
class Simulator::Run {
 public:
  Run(const Workload& workload, const Topology& topology, const PolicyChoice& choice,
      const SimOptions& options, Recorder& recorder)
      : until_{options.until}, jobs_{workload, topology, choice, options, recorder, kernel_} {
    kernel_.attach(jobs_);
  }
  Run(const Run& other, Recorder& recorder)
      : kernel_{other.kernel_},
        until_{other.until_},
        jobs_{other.jobs_, recorder, kernel_},
        totals_{other.totals_} {
    kernel_.rebind(0, jobs_);
  }

  bool step() {
    if (totals_) return false;
    SimTime next = kernel_.next_time();
    if (jobs_.next_takeover() <= next && next != kNever) {
      jobs_.schedule_takeover();
      next = kernel_.next_time();
    }
    if (next == kNever && !until_) jobs_.check_nobody_waits();
    if (next == kNever || (until_ && next > *until_)) {
      end(until_.value_or(kernel_.now()));
      return false;
    }
    kernel_.step();
    return true;
  }
  void end(SimTime now) { totals_ = jobs_.finish(now); }
  const Kernel& kernel() const { return kernel_; }
  const gang::GangJobs& jobs() const { return jobs_; }
  const std::optional<RunTotals>& totals() const { return totals_; }

 private:
  Kernel kernel_;
  std::optional<SimTime> until_;
  gang::GangJobs jobs_;
  std::optional<RunTotals> totals_;
};

Simulator::Simulator(const Workload& workload, const Topology& topology, const PolicyChoice& choice,
                     const SimOptions& options, Recorder& recorder)
    : run_{std::make_unique<Run>(workload, topology, choice, options, recorder)} {}
Simulator::Simulator(std::unique_ptr<Run> run) : run_{std::move(run)} {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

bool Simulator::step() {
  return run_->step();
}

void Simulator::run(const std::function<bool(const Simulator&)>& progress, std::uint64_t instants) {
  for (std::uint64_t done = 1; run_->step(); ++done) {
    if (!progress || done % instants != 0 || progress(*this)) continue;
    run_->end(now());
    return;
  }
}

SimTime Simulator::now() const {
  return run_->kernel().now();
}
std::size_t Simulator::jobs_ended() const {
  return run_->jobs().ended();
}
std::uint64_t Simulator::events() const {
  return run_->kernel().events();
}
std::string Simulator::knowledge() const {
  return run_->jobs().knowledge();
}
const std::vector<std::pair<std::string, std::uint64_t>>& Simulator::rejections() const {
  return run_->jobs().rejections();
}

const RunTotals& Simulator::totals() const {
  ORRERY_CHECK(run_->totals().has_value(), "the run is not over");
  return *run_->totals();
}

Standing Simulator::standing(JobId job) const {
  return run_->jobs().standing(job);
}
Obstacles Simulator::obstacles(JobId job) const {
  return run_->jobs().obstacles(job);
}
std::string Simulator::limit_on(JobId job) const {
  return run_->jobs().limit_on(job);
}

Simulator Simulator::clone(Recorder& recorder) const {
  return Simulator{std::make_unique<Run>(*run_, recorder)};
}

}  // namespace orrery
