#include "orrery/conformance/shrink.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace orrery::conformance {
namespace {

using std::chrono::seconds;

class Shrinker {
 public:
  Shrinker(Case from, const std::function<bool(const Case&)>& fails, std::size_t most)
      : best_{std::move(from)}, fails_{fails}, left_{most} {}

  Case run() {
    drop_chunks();
    bool smaller = true;
    while (smaller && left_ > 0) {
      smaller = drop_single_jobs();
      smaller |= lower(&Case::nodes) || lower(&Case::gpus_per_node);
      smaller |= narrow_together(&Case::nodes) || narrow_together(&Case::gpus_per_node);
      for (std::size_t i = 0; i < best_.jobs.size(); ++i) smaller |= make_plainer(i);
    }
    return std::move(best_);
  }

 private:
  bool take(Case smaller) {
    if (left_ == 0) return false;
    --left_;
    if (!fails_(smaller)) return false;
    best_ = std::move(smaller);
    return true;
  }

  bool take_without(std::size_t first, std::size_t count) {
    Case smaller = best_;
    const auto begin = smaller.jobs.begin() + static_cast<std::ptrdiff_t>(first);
    smaller.jobs.erase(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(count, smaller.jobs.size() - first)));
    return take(std::move(smaller));
  }

  /// Halves, quarters, ... down to pairs: most of a long workload goes in a few tries.
  void drop_chunks() {
    for (std::size_t chunk = best_.jobs.size() / 2; chunk > 1; chunk /= 2)
      for (std::size_t first = 0; first < best_.jobs.size();)
        if (best_.jobs.size() <= chunk || !take_without(first, chunk)) first += chunk;
  }

  bool drop_single_jobs() {
    bool any = false;
    for (std::size_t i = best_.jobs.size(); i-- > 0;)
      if (best_.jobs.size() > 1) any |= take_without(i, 1);
    return any;
  }

  bool lower(int Case::*size) {
    bool any = false;
    for (const int by : {2, 1}) {
      while (best_.*size > 1) {
        Case smaller = best_;
        smaller.*size = by == 2 ? smaller.*size / 2 : smaller.*size - 1;
        if (!take(std::move(smaller))) break;
        any = true;
      }
    }
    return any;
  }

  /// Gangs and cluster at once: what is contended stays so.
  bool narrow_together(int Case::*size) {
    bool any = false;
    while (best_.*size > 1) {
      Case narrower = best_;
      narrower.*size = (narrower.*size + 1) / 2;
      for (TrialJob& job : narrower.jobs) job.gpus = (job.gpus + 1) / 2;
      if (!take(std::move(narrower))) break;
      any = true;
    }
    return any;
  }

  template <class Change>
  bool change(std::size_t job, Change&& how) {
    Case plainer = best_;
    how(plainer.jobs[job]);
    return !(plainer.jobs[job] == best_.jobs[job]) && take(std::move(plainer));
  }

  /// Each change makes the job smaller in the order (texts, GPUs, run, submit), so this ends.
  bool make_plainer(std::size_t i) {
    bool any = change(i, [](TrialJob& job) { job.vc = job.user = job.name = ""; });
    any |= change(i, [](TrialJob& job) { job.walltime.reset(); });
    any |= change(i, [](TrialJob& job) { job.gpus = 1; });
    any |= change(i, [](TrialJob& job) { job.gpus = (job.gpus + 1) / 2; });
    any |= shorten(i, [](TrialJob& job) -> Duration& { return job.run; });
    any |= shorten(i, [](TrialJob& job) -> Duration& { return job.submit; });
    return any;
  }

  template <class Of>
  bool shorten(std::size_t i, Of&& of) {
    bool any = false;
    for (const Duration to : {Duration::zero(), Duration{seconds{1}}})
      if (to < of(best_.jobs[i])) any |= change(i, [&](TrialJob& job) { of(job) = to; });
    any |= change(i, [&](TrialJob& job) { of(job) = std::chrono::floor<seconds>(of(job)); });
    for (auto step = std::chrono::floor<seconds>(of(best_.jobs[i]) / 2); step >= seconds{1};
         step /= 2)
      any |= change(i, [&](TrialJob& job) { of(job) -= step; });
    return any;
  }

  Case best_;
  const std::function<bool(const Case&)>& fails_;
  std::size_t left_;
};

}  // namespace

Case shrink(Case from, const std::function<bool(const Case&)>& fails, std::size_t most) {
  return Shrinker{std::move(from), fails, most}.run();
}

}  // namespace orrery::conformance
