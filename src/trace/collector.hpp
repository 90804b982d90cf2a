// Takes the jobs of one file, counts what is left out by reason, gathers faults, and makes the
// LoadedTrace of it.
#pragma once

#include "orrery/base/error.hpp"
#include "orrery/trace/loader.hpp"
#include "orrery/workload/builder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

class Collector {
 public:
  Collector(const std::string& file, const LoadOptions& options)
      : options_{options}, errors_{file} {}

  void count_read() { ++report_.read; }
  /// The job or row is allowed but cannot be replayed. An error in strict mode.
  void leave_out(std::string_view reason, std::size_t line, std::size_t column);
  /// A fault of the file; the row it stands in is left out in lenient mode, once however many
  /// faults it has.
  void fault(std::size_t line, std::size_t column, std::string_view message);
  /// True when fault() was called since the last call: the row cannot be used.
  bool row_failed() { return std::exchange(row_failed_, false); }
  void notice(std::string text) { report_.notices.push_back(std::move(text)); }
  /// Times of the row are absolute: since 1970 where set_calendar() was called, else since the
  /// origin.
  void add(const JobRow& row);
  void set_calendar(bool zoned) {
    calendar_ = true;
    zoned_ = zoned;
  }
  /// Rows of one id and one submit time are attempts of one job (a log with starts and ends).
  void rows_are_attempts() { attempts_ = true; }

  /// Throws what was gathered, else hands over the trace with every selection of the options
  /// applied.
  LoadedTrace finish(std::string format, std::string run_time_meaning);

 private:
  void count(std::string_view reason, std::uint64_t jobs);
  void merge_attempts(Workload& workload);
  void report_repeated_ids(const Workload& workload);
  Workload select(Workload workload);
  bool selects() const;

  LoadOptions options_;
  ErrorList errors_;
  LoadReport report_;
  WorkloadBuilder builder_;
  bool row_failed_ = false, calendar_ = false, zoned_ = false, attempts_ = false;
  bool sorted_ = true;
  SimTime last_arrival_{}, first_arrival_ = kNever;
};

/// A row for a builder out of a finished workload: to select from it or to change it.
JobRow row_of(const Workload& workload, JobId job);

}  // namespace orrery
