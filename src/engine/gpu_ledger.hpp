// GPU time by what the GPUs did, integrated exactly at every change. busy + overhead + idle + down
// = capacity, by construction of idle and checked against the jobs' own accounts at the end of a
// run.
#pragma once

#include "orrery/base/check.hpp"
#include "orrery/engine/recorder.hpp"

#include <vector>

namespace orrery {

class GpuLedger {
 public:
  GpuLedger(std::int64_t capacity, std::vector<SimTime> marks)
      : capacity_{capacity}, marks_{std::move(marks)} {}

  /// Books the time up to `now` to what held until now. Call it before anything changes at `now`.
  void advance(SimTime now) {
    while (taken_.size() < marks_.size() && marks_[taken_.size()] <= now) {
      book(marks_[taken_.size()]);
      taken_.push_back(total());
    }
    book(now);
  }
  void change_busy(std::int64_t gpus) { busy_ += gpus; }
  void change_overhead(std::int64_t gpus) { overhead_ += gpus; }
  void change_fragmented(std::int64_t free_gpus) { fragmented_ += free_gpus; }
  std::int64_t capacity() const { return capacity_; }
  std::int64_t held() const { return busy_ + overhead_; }
  /// GPU time from the origin to the last advance().
  GpuTime total() const {
    const GpuTime::Wide capacity = GpuTime::Wide{capacity_} * micros(last_);
    return {.capacity = capacity,
            .busy = busy_time_,
            .overhead = overhead_time_,
            .idle = capacity - busy_time_ - overhead_time_,
            .down = 0,
            .fragmented = fragmented_time_};
  }
  /// GPU time from the origin to each mark that was reached.
  const std::vector<GpuTime>& at_marks() const { return taken_; }

 private:
  void book(SimTime now) {
    if (now <= last_) return;
    const std::int64_t span = micros(now - last_);
    last_ = now;
    ORRERY_CHECK(busy_ >= 0 && overhead_ >= 0 && held() <= capacity_,
                 "GPUs held: " + std::to_string(held()));
    busy_time_ += GpuTime::Wide{busy_} * span;
    if (overhead_ != 0) overhead_time_ += GpuTime::Wide{overhead_} * span;
    if (fragmented_ != 0) fragmented_time_ += GpuTime::Wide{fragmented_} * span;
  }

  std::int64_t capacity_;
  std::int64_t busy_ = 0, overhead_ = 0, fragmented_ = 0;
  SimTime last_{};
  GpuTime::Wide busy_time_ = 0, overhead_time_ = 0, fragmented_time_ = 0;
  std::vector<SimTime> marks_;
  std::vector<GpuTime> taken_;
};

}  // namespace orrery
