// Plain tables: our own csv, the two derived Philly layouts and whatever has one job a row under
// known column names.
#include "trace/formats.hpp"
#include "trace/table.hpp"

#include <fmt/format.h>

namespace orrery {
namespace {

enum Role : std::size_t {
  kId,
  kSubmit,
  kGpus,
  kDuration,
  kUser,
  kVc,
  kName,
  kModel,
  kStatus,
  kWalltime,
  kRecordedStart
};

const std::vector<ColumnNames>& columns() {
  static const std::vector<ColumnNames> names{
      {"job_id", {"job_id", "#job id", "job id", "jobid", "id"}},
      {"submit",
       {"submit", "submit_s", "submit_time", "arrival_s", "arrival", "arrival time (sec)",
        "arrival_time", "timestamp", "submission_time"},
       true},
      {"gpus", {"gpus", "num_gpus", "num_gpu", "gpu_num", "gpu_count", "size"}, true},
      {"duration",
       {"duration", "duration_s", "service_sec", "service time (sec)", "duration (sec)", "run_time",
        "runtime"},
       true},
      {"user", {"user"}},
      {"vc", {"vc", "cluster", "tenant"}},
      {"name", {"name", "job_name"}},
      {"model", {"model", "model_name"}},
      {"trace_status", {"trace_status", "status", "state"}},
      {"walltime", {"walltime", "walltime_s"}},
      {"recorded_start", {"recorded_start", "recorded_start_s", "start_time"}}};
  return names;
}

class CsvLoader {
 public:
  CsvLoader(TextInput& input, const LoadOptions& options)
      : collector_{input.name(), options},
        table_{input, options, columns(), collector_},
        run_time_{options.run_time} {}

  LoadedTrace load(const std::string& format) {
    while (table_.next()) read_row();
    if (run_time_ == RunTimeRule::attempts)
      collector_.notice(fmt::format(
          "--run-time attempts changes nothing: the run times are those of the column {}",
          quote(table_.header_name(kDuration))));
    if (!table_.has(kId))
      collector_.notice("the trace has no job ids: a job's row, counted from 0, is its id");
    if (zero_walltimes_ > 0)
      collector_.notice(fmt::format("{} jobs have a walltime of 0, read as none", zero_walltimes_));
    if (!table_.ignored().empty()) {
      std::string list;
      for (const std::string& name : table_.ignored())
        list += (list.empty() ? "" : ", ") + printable(name);
      collector_.notice("columns not used: " + list);
    }
    return collector_.finish(format,
                             fmt::format("column {}", quote(table_.header_name(kDuration))));
  }

 private:
  void read_row() {
    collector_.count_read();
    const std::string row_id = std::to_string(row_++);
    JobRow row{.id = table_.has(kId) ? table_.text(kId) : std::string_view{row_id},
               .arrival = {},
               .vc = table_.text(kVc),
               .user = table_.text(kUser),
               .name = table_.text(kName),
               .model = table_.text(kModel),
               .status = parse_status(table_.text(kStatus)),
               .recorded_start = {}};
    if (table_.check_width() && !read_values(row)) return;
    if (!collector_.row_failed()) collector_.add(row);
  }

  /// False when the job is left out.
  bool read_values(JobRow& row) {
    if (row.id.empty()) table_.fault(kId, "an id");
    if (row.id.size() > 1024) table_.fault(kId, "an id of at most 1024 bytes");
    if (is_missing(table_.text(kDuration)))
      return leave_out("no run time (still running)", kDuration);
    if (is_missing(table_.text(kGpus))) return leave_out("no GPU count", kGpus);
    if (parse_whole(table_.text(kGpus)) == 0) return leave_out("CPU only", kGpus);
    if (const auto submit = table_.time(kSubmit)) row.arrival = *submit;
    if (const auto gpus = table_.whole(kGpus, 1, WorkloadBuilder::kLargestGang))
      row.gang_size = static_cast<int>(*gpus);
    if (const auto run_time = table_.duration(kDuration)) row.run_time = *run_time;
    if (table_.has(kWalltime) && !is_missing(table_.text(kWalltime))) {
      if (const auto walltime = table_.duration(kWalltime); walltime == Duration::zero()) {
        ++zero_walltimes_;
      } else {
        row.walltime = walltime;
      }
    }
    if (table_.has(kRecordedStart) && !is_missing(table_.text(kRecordedStart))) {
      row.recorded_start = table_.time(kRecordedStart);
      if (row.recorded_start && *row.recorded_start < row.arrival)
        table_.fault(kRecordedStart,
                     fmt::format("at or after {} {}", printable(table_.header_name(kSubmit)),
                                 printable(table_.text(kSubmit))));
    }
    return true;
  }

  bool leave_out(std::string_view reason, std::size_t role) {
    collector_.leave_out(reason, table_.line(), table_.column(role));
    collector_.row_failed();
    return false;
  }

  Collector collector_;
  Table table_;
  RunTimeRule run_time_;
  std::uint64_t row_ = 0, zero_walltimes_ = 0;
};

}  // namespace

LoadedTrace load_csv(TextInput& input, const LoadOptions& options, const std::string& format) {
  return CsvLoader{input, options}.load(format);
}

}  // namespace orrery
