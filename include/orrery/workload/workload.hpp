// The jobs of one run in canonical order: (submit, id with digit runs as numbers, row). Immutable
// once built.
#pragma once

#include "orrery/base/id.hpp"
#include "orrery/base/time.hpp"
#include "orrery/workload/job.hpp"
#include "orrery/workload/names.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

class JobTruth;

/// True when `a` comes before `b`: runs of digits compare as numbers of any length, all else as
/// bytes; equal by that rule, by bytes.
bool id_before(std::string_view a, std::string_view b);

class Workload {
 public:
  Workload();
  Workload(Workload&&) noexcept;
  Workload& operator=(Workload&&) noexcept;
  ~Workload();

  std::size_t size() const { return arrival_.size(); }
  JobSpec job(JobId id) const;

  // The same by column, for loops that need one field of every job.
  SimTime arrival(JobId id) const { return at(Duration{arrival_[id.index()]}); }
  int gang_size(JobId id) const { return static_cast<int>(gang_size_[id.index()]); }
  std::uint32_t vc(JobId id) const { return vc_.empty() ? 0 : vc_[id.index()]; }
  std::uint32_t user(JobId id) const { return user_.empty() ? 0 : user_[id.index()]; }
  std::uint32_t name(JobId id) const { return name_.empty() ? 0 : name_[id.index()]; }
  std::uint32_t model(JobId id) const { return model_.empty() ? 0 : model_[id.index()]; }
  std::optional<Duration> walltime(JobId id) const {
    if (walltime_.empty() || walltime_[id.index()] < 0) return std::nullopt;
    return Duration{walltime_[id.index()]};
  }
  bool has_walltimes() const { return !walltime_.empty(); }
  /// The trace's own id of the job, byte for byte.
  std::string_view id_text(JobId id) const {
    return {id_text_.data() + id_offset_[id.index()],
            id_offset_[id.index() + 1] - id_offset_[id.index()]};
  }
  /// Jobs in the order of the trace's rows: JobId of the k-th replayed row.
  JobId at_row(std::size_t k) const { return row_order_.empty() ? JobId{k} : JobId{row_order_[k]}; }

  const NameTable& vcs() const { return vcs_; }
  const NameTable& users() const { return users_; }
  const NameTable& job_names() const { return job_names_; }
  const NameTable& models() const { return models_; }

  /// Microseconds since 1970 of the origin, for a trace whose times have a calendar (naive local
  /// time of its site).
  std::optional<std::int64_t> calendar_origin() const { return calendar_origin_; }

  /// What only the future knows; include truth.hpp to look inside.
  const JobTruth& truth() const { return *truth_; }

  /// Bytes held for all jobs, the text of their ids left out.
  std::size_t bytes_beside_id_text() const;

 private:
  friend class WorkloadBuilder;
  std::vector<std::int64_t> arrival_;
  std::vector<std::uint32_t> gang_size_;
  std::vector<std::uint16_t> vc_;  // this and the next five: empty when no job has one
  std::vector<std::uint32_t> user_, name_, model_;
  std::vector<std::int64_t> walltime_;    // -1: none
  std::vector<std::uint32_t> row_order_;  // empty: rows were in canonical order
  std::string id_text_;
  std::vector<std::uint32_t> id_offset_;  // one more than jobs
  NameTable vcs_, users_, job_names_, models_;
  std::optional<std::int64_t> calendar_origin_;
  std::unique_ptr<JobTruth> truth_;
};

}  // namespace orrery
