// Gathers the rows of a trace and makes a Workload of them. The only writer of Workload and
// JobTruth.
#pragma once

#include "orrery/workload/truth.hpp"
#include "orrery/workload/workload.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace orrery {

/// One job as its row tells it. The texts need to live only until add() returns.
struct JobRow {
  std::string_view id;
  SimTime arrival;
  Duration run_time{};
  int gang_size = 1;
  std::optional<Duration> walltime{};
  std::string_view vc{}, user{}, name{}, model{};  ///< empty: the trace does not say
  TraceStatus status = TraceStatus::unknown;
  std::optional<SimTime> recorded_start;  ///< one before the origin counts as not recorded
};

class WorkloadBuilder {
 public:
  /// Largest gang that is read; more GPUs than any cluster has.
  static constexpr int kLargestGang = 1'000'000;

  void reserve(std::size_t jobs);
  /// Adds the next row. Requires 0 <= run_time, arrival, walltime <= kLongestTime and 1 <=
  /// gang_size <= kLargestGang; throws Fault otherwise (a loader's mistake), InputError when the
  /// trace has more VCs, jobs or id text than columns can number.
  void add(const JobRow& row);
  std::size_t size() const { return rows_; }
  void set_calendar_origin(std::int64_t micros_since_1970) {
    workload_.calendar_origin_ = micros_since_1970;
  }
  /// Subtracts `shift` from every arrival and recorded start: for readers that learn the origin at
  /// the end. No arrival may come before the origin by that (Fault).
  void shift_origin(Duration shift);
  /// Sorts into canonical order (one check when it is so already) and hands the workload over; the
  /// builder is empty afterwards.
  Workload build();

 private:
  bool in_order() const;
  std::vector<std::uint32_t> canonical_rows() const;       // rows in canonical order
  void reorder(const std::vector<std::uint32_t>& row_of);  // row_of: one row a job

  std::size_t rows_ = 0;
  Workload workload_;
};

}  // namespace orrery
