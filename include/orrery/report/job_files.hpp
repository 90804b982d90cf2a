// Files with a row a job, a stretch of holding GPUs, a step of time, or an event.
#pragma once

#include "orrery/engine/recorder.hpp"
#include "orrery/metrics/job_table.hpp"
#include "orrery/metrics/timeline.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/stretches.hpp"
#include "orrery/workload/workload.hpp"

#include <memory>

namespace orrery {

/// jobs.csv, in the trace's row order.
void write_jobs_csv(const Workload& workload, const JobTable& jobs, AtomicFile& file);

/// timeline.csv: exact means over each step.
void write_timeline_csv(const Timeline& timeline, AtomicFile& file);

/// "3:0-7;4:0-1": each run of GPUs of each node; empty under `count`.
std::string allocation_text(std::span<const Slice> slices);

class CsvRow;

/// attempts.csv: one row a stretch of holding GPUs, in the order in which they ended.
class AttemptsFile final : public StretchSink {
 public:
  /// Both must outlive it.
  AttemptsFile(const Workload& workload, AtomicFile& file);
  ~AttemptsFile() override;

 private:
  void ended(const Stretch& stretch) override;
  const Workload& workload_;
  AtomicFile& file_;
  std::unique_ptr<CsvRow> row_;
};

/// events.jsonl.zst: every entry of the history, submits included, one JSON object a line.
class EventsFile final : public Sink {
 public:
  static constexpr unsigned kWants = Recorder::kHistory | Recorder::kSubmits;
  EventsFile(const Workload& workload, AtomicFile& file);
  ~EventsFile() override;
  void history(const HistoryEntry& entry) override;
  /// Ends the compressed stream; call it once after the run.
  void finish();

 private:
  class Compressed;
  const Workload& workload_;
  std::unique_ptr<Compressed> out_;
  std::string line_;
};

}  // namespace orrery
