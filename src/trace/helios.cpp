// Helios, the original cluster_log.csv of one cluster (HeliosData, SC 2021): one row a job, naive
// local times, CPU jobs among the rows.
#include "trace/formats.hpp"
#include "trace/table.hpp"

#include <fmt/format.h>

namespace orrery {
namespace {

enum Role : std::size_t { kId, kUser, kVc, kGpus, kState, kSubmit, kStart, kEnd };

const std::vector<ColumnNames>& columns() {
  static const std::vector<ColumnNames> names{{"job_id", {"job_id"}, true},
                                              {"user", {"user"}},
                                              {"vc", {"vc"}},
                                              {"gpus", {"gpu_num"}, true},
                                              {"trace_status", {"state"}},
                                              {"submit", {"submit_time"}, true},
                                              {"start", {"start_time"}, true},
                                              {"end", {"end_time"}, true}};
  return names;
}

class HeliosLoader {
 public:
  HeliosLoader(TextInput& input, const LoadOptions& options)
      : collector_{input.name(), options}, table_{input, options, columns(), collector_} {
    collector_.rows_are_attempts();
  }

  LoadedTrace load(const LoadOptions& options) {
    while (table_.next()) read_row();
    if (const auto mapped = options.map.find("submit"); mapped != options.map.end())
      collector_.notice(fmt::format("submit times are stand-ins: column {} was named for them",
                                    quote(mapped->second)));
    if (jobs_ > 1 && !waited_)
      collector_.notice("every recorded wait is zero: submit times may be copies of start times");
    return collector_.finish("helios",
                             options.run_time == RunTimeRule::span
                                 ? "start to end; of several attempts, first start to last end"
                                 : "start to end; of several attempts, their sum");
  }

 private:
  void read_row() {
    collector_.count_read();
    JobRow row{.id = table_.text(kId),
               .arrival = {},
               .vc = table_.text(kVc),
               .user = table_.text(kUser),
               .name = {},
               .model = {},
               .status = TraceStatus::unknown,
               .recorded_start = {}};
    if (table_.check_width() && !read_values(row)) return;
    if (collector_.row_failed()) return;
    ++jobs_;
    waited_ = waited_ || *row.recorded_start != row.arrival;
    collector_.add(row);
  }

  /// False when the job is left out.
  bool read_values(JobRow& row) {
    if (row.id.empty() || row.id.size() > 1024) table_.fault(kId, "an id of 1 to 1024 bytes");
    if (parse_whole(table_.text(kGpus)) == 0) return leave_out("CPU only", kGpus);
    if (is_missing(table_.text(kStart))) return leave_out("no start time (never ran)", kStart);
    if (is_missing(table_.text(kEnd))) return leave_out("no end time (still running)", kEnd);
    if (const auto gpus = table_.whole(kGpus, 1, WorkloadBuilder::kLargestGang))
      row.gang_size = static_cast<int>(*gpus);
    const auto submit = table_.time(kSubmit);
    const auto start = table_.time(kStart);
    const auto end = table_.time(kEnd);
    if (!submit || !start || !end) return true;
    if (*start < *submit)
      table_.fault(kStart,
                   fmt::format("at or after submit_time {}", printable(table_.text(kSubmit))));
    if (*end < *start)
      table_.fault(kEnd, fmt::format("at or after start_time {}", printable(table_.text(kStart))));
    row.status = parse_status(table_.text(kState));
    row.arrival = *submit;
    row.recorded_start = *start;
    row.run_time = *end - *start;
    return true;
  }

  bool leave_out(std::string_view reason, std::size_t role) {
    collector_.leave_out(reason, table_.line(), table_.column(role));
    collector_.row_failed();
    return false;
  }

  Collector collector_;
  Table table_;
  std::uint64_t jobs_ = 0;
  bool waited_ = false;
};

}  // namespace

LoadedTrace load_helios(TextInput& input, const LoadOptions& options) {
  return HeliosLoader{input, options}.load(options);
}

}  // namespace orrery
