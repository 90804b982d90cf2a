#include "orrery/workload/builder.hpp"

#include "orrery/base/check.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace orrery {
namespace {

bool fits(Duration d) {
  return d >= Duration::zero() && d <= kLongestTime;
}

/// Appends to a column that exists only once some job has a value: earlier rows get `missing`.
template <class Value>
void append_optional(std::vector<Value>& column, std::size_t rows, std::size_t room, Value value,
                     Value missing) {
  if (column.empty()) {
    if (value == missing) return;
    column.reserve(room);
    column.resize(rows, missing);
  }
  column.push_back(value);
}

template <class Value>
void permute(std::vector<Value>& column, const std::vector<std::uint32_t>& row_of) {
  if (column.empty()) return;
  std::vector<Value> sorted(column.size());
  for (std::size_t job = 0; job < row_of.size(); ++job) sorted[job] = column[row_of[job]];
  column.swap(sorted);
}

template <class Value>
void drop_spare_room(std::vector<Value>& column) {
  if (column.capacity() - column.size() > column.size() / 8) column.shrink_to_fit();
}

/// Rows in the order of (arrival, row).
std::vector<std::uint32_t> rows_by_arrival(const std::vector<std::int64_t>& arrival) {
  std::vector<std::uint32_t> rows(arrival.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
  if (std::is_sorted(arrival.begin(), arrival.end())) return rows;
  std::vector<std::pair<std::int64_t, std::uint32_t>> keys(arrival.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = {arrival[i], rows[i]};
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = keys[i].second;
  return rows;
}

}  // namespace

void WorkloadBuilder::reserve(std::size_t jobs) {
  workload_.arrival_.reserve(jobs);
  workload_.gang_size_.reserve(jobs);
  workload_.id_offset_.reserve(jobs + 1);
  workload_.truth_->run_time_.reserve(jobs);
}

void WorkloadBuilder::add(const JobRow& row) {
  ORRERY_CHECK(fits(row.arrival.time_since_epoch()) && fits(row.run_time),
               "times of job " + quote(row.id));
  ORRERY_CHECK(row.gang_size >= 1 && row.gang_size <= kLargestGang, "GPUs of job " + quote(row.id));
  ORRERY_CHECK(!row.walltime || fits(*row.walltime), "walltime of job " + quote(row.id));
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  Workload& w = workload_;
  JobTruth& truth = *w.truth_;
  if (rows_ >= kMost || w.id_text_.size() + row.id.size() > kMost) {
    throw InputError(
        "the trace has more jobs, or more text in its job ids, than 32 bits can number");
  }
  const std::uint32_t vc = w.vcs_.intern(row.vc);
  if (vc > std::numeric_limits<std::uint16_t>::max()) {
    throw InputError("the trace names more than 65,535 virtual clusters");
  }
  const std::int64_t start =
      row.recorded_start && *row.recorded_start >= SimTime{} ? micros(*row.recorded_start) : -1;
  const std::size_t room = w.arrival_.capacity();
  w.arrival_.push_back(micros(row.arrival));
  w.gang_size_.push_back(static_cast<std::uint32_t>(row.gang_size));
  w.id_text_.append(row.id);
  w.id_offset_.push_back(static_cast<std::uint32_t>(w.id_text_.size()));
  truth.run_time_.push_back(row.run_time.count());
  append_optional(w.vc_, rows_, room, static_cast<std::uint16_t>(vc), std::uint16_t{0});
  append_optional(w.user_, rows_, room, w.users_.intern(row.user), 0U);
  append_optional(w.name_, rows_, room, w.job_names_.intern(row.name), 0U);
  append_optional(w.model_, rows_, room, w.models_.intern(row.model), 0U);
  append_optional<std::int64_t>(w.walltime_, rows_, room, row.walltime ? row.walltime->count() : -1,
                                -1);
  append_optional(truth.status_, rows_, room, static_cast<std::uint8_t>(row.status),
                  static_cast<std::uint8_t>(TraceStatus::unknown));
  append_optional<std::int64_t>(truth.recorded_start_, rows_, room, start, -1);
  ++rows_;
}

void WorkloadBuilder::shift_origin(Duration shift) {
  for (std::int64_t& arrival : workload_.arrival_) {
    arrival -= shift.count();
    ORRERY_CHECK(fits(Duration{arrival}), "an arrival before the origin");
  }
  for (std::int64_t& start : workload_.truth_->recorded_start_) {
    if (start >= 0) start = std::max<std::int64_t>(start - shift.count(), -1);
  }
}

bool WorkloadBuilder::in_order() const {
  for (std::size_t row = 1; row < rows_; ++row) {
    const JobId here{row}, before{row - 1};
    if (workload_.arrival(here) < workload_.arrival(before)) return false;
    if (workload_.arrival(here) == workload_.arrival(before) &&
        id_before(workload_.id_text(here), workload_.id_text(before))) {
      return false;
    }
  }
  return true;
}

std::vector<std::uint32_t> WorkloadBuilder::canonical_rows() const {
  std::vector<std::uint32_t> rows = rows_by_arrival(workload_.arrival_);
  const auto by_id = [&](std::uint32_t a, std::uint32_t b) {
    const std::string_view x = workload_.id_text(JobId{a}), y = workload_.id_text(JobId{b});
    return x == y ? a < b : id_before(x, y);
  };
  const auto arrival = [&](std::size_t i) { return workload_.arrival_[rows[i]]; };
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t last = first + 1;
    while (last < rows.size() && arrival(last) == arrival(first)) ++last;
    const auto begin = rows.begin();
    if (last - first > 1) {
      std::sort(begin + static_cast<std::ptrdiff_t>(first),
                begin + static_cast<std::ptrdiff_t>(last), by_id);
    }
    first = last;
  }
  return rows;
}

void WorkloadBuilder::reorder(const std::vector<std::uint32_t>& row_of) {
  Workload& w = workload_;
  std::string text;
  text.reserve(w.id_text_.size());
  std::vector<std::uint32_t> offsets;
  offsets.reserve(rows_ + 1);
  offsets.push_back(0);
  for (const std::uint32_t row : row_of) {
    text.append(w.id_text(JobId{row}));
    offsets.push_back(static_cast<std::uint32_t>(text.size()));
  }
  w.id_text_.swap(text);
  w.id_offset_.swap(offsets);
  permute(w.arrival_, row_of);
  permute(w.gang_size_, row_of);
  permute(w.vc_, row_of);
  permute(w.user_, row_of);
  permute(w.name_, row_of);
  permute(w.model_, row_of);
  permute(w.walltime_, row_of);
  permute(w.truth_->run_time_, row_of);
  permute(w.truth_->status_, row_of);
  permute(w.truth_->recorded_start_, row_of);
  w.row_order_.resize(rows_);
  for (std::size_t job = 0; job < rows_; ++job) {
    w.row_order_[row_of[job]] = static_cast<std::uint32_t>(job);
  }
}

Workload WorkloadBuilder::build() {
  if (!in_order()) reorder(canonical_rows());
  const auto trim = [](auto&... columns) { (drop_spare_room(columns), ...); };
  Workload& w = workload_;
  trim(w.arrival_, w.gang_size_, w.vc_, w.user_, w.name_, w.model_, w.walltime_, w.id_offset_,
       w.truth_->run_time_, w.truth_->status_, w.truth_->recorded_start_);
  rows_ = 0;
  return std::exchange(workload_, Workload{});
}

}  // namespace orrery
