#include "orrery/report/job_files.hpp"

#include "report/csv_row.hpp"

#include "orrery/metrics/job_report.hpp"

#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>

namespace orrery {
namespace {

constexpr std::size_t kRowsBuffer = std::size_t{1} << 16;

void flush_if_full(CsvRow& rows, AtomicFile& file) {
  if (rows.buffer().size() < kRowsBuffer) return;
  file.write(rows.buffer());
  rows.clear();
}

void write_job(const Workload& work, const JobReport& report, CsvRow& row) {
  const JobOutcome& outcome = report.outcome;
  const JobId job = outcome.job;
  row.text(work.id_text(job));
  row.text(work.users()[work.user(job)]);
  row.text(work.vcs()[work.vc(job)]);
  row.text(work.job_names()[work.name(job)]);
  row.text(work.models()[work.model(job)]);
  row.number(outcome.gang_size);
  row.seconds(work.arrival(job)).seconds(outcome.first_start).seconds(outcome.end);
  row.text(name(outcome.status)).text(report.trace_status);
  row.seconds(report.jct).seconds(report.wait).seconds(outcome.run).seconds(outcome.overhead);
  row.wide_seconds(report.gpu_time_us);
  row.number(outcome.preemptions).number(outcome.migrations).number(0);
  row.number(report.slowdown);
  row.empty();  // energy_j: no power model so far
  if (outcome.nodes > 0) {
    row.number(outcome.nodes);
  } else {
    row.empty();
  }
  row.seconds(report.recorded_wait);
  for (const Duration part : outcome.wait) {
    if (report.wait) {
      row.seconds(part);
    } else {
      row.empty();
    }
  }
  row.end();
}

/// A mean over a step with at most six decimals, the rest rounded to the nearest.
double mean_over(GpuTime::Wide sum, Duration step) {
  const GpuTime::Wide millionths = (sum * 1'000'000 + micros(step) / 2) / micros(step);
  return static_cast<double>(millionths) / 1e6;
}

}  // namespace

std::string allocation_text(std::span<const Slice> slices) {
  std::string text;
  for (const Slice& slice : slices) {
    for (std::uint64_t left = slice.gpus; left != 0;) {
      const int first = std::countr_zero(left);
      const int length = std::countr_one(left >> first);
      text += fmt::format("{}{}:{}-{}", text.empty() ? "" : ";", slice.node.value(), first,
                          first + length - 1);
      left = length + first >= 64 ? 0 : left >> (first + length) << (first + length);
    }
  }
  return text;
}

std::string wide_seconds_text(GpuTime::Wide micros) {
  const bool negative = micros < 0;
  GpuTime::Wide left = negative ? -micros : micros;
  std::string digits;
  for (int i = 0; i < 7 || left > 0; ++i, left /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  digits.insert(digits.size() - 6, 1, '.');
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return fmt::format("{}{}", negative ? "-" : "", digits);
}

void write_jobs_csv(const Workload& workload, const JobTable& jobs, AtomicFile& file) {
  std::string header =
      "job_id,user,vc,name,model,gpus,submit_s,start_s,end_s,status,trace_status,jct_s,wait_s,run_"
      "s,"
      "overhead_s,gpu_time_s,preemptions,migrations,resizes,slowdown,energy_j,nodes,recorded_wait_"
      "s";
  for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
    header += fmt::format(",wait_{}_s", name(static_cast<WaitCause>(cause)));
  file.write(header + "\n");
  CsvRow rows;
  for (std::size_t k = 0; k < workload.size(); ++k) {
    write_job(workload, job_report(workload, jobs, workload.at_row(k)), rows);
    flush_if_full(rows, file);
  }
  file.write(rows.buffer());
}

void write_timeline_csv(const Timeline& timeline, AtomicFile& file) {
  file.write(
      "time_s,gpus_total,gpus_busy,gpus_down,jobs_waiting,jobs_running,gpus_wanted,power_w\n");
  CsvRow rows;
  for (const Timeline::Step& step : timeline.steps()) {
    rows.seconds(step.from);
    for (const GpuTime::Wide sum : {step.gpus_total, step.gpus_busy, step.gpus_down,
                                    step.jobs_waiting, step.jobs_running, step.gpus_wanted})
      rows.number(mean_over(sum, timeline.step()));
    rows.empty().end();  // power_w: no power model so far
    flush_if_full(rows, file);
  }
  file.write(rows.buffer());
}

AttemptsFile::AttemptsFile(const Workload& workload, AtomicFile& file)
    : workload_{workload}, file_{file}, row_{std::make_unique<CsvRow>()} {
  file_.write("job_id,start_s,end_s,why_ended,gpus,allocation\n");
}

AttemptsFile::~AttemptsFile() = default;

void AttemptsFile::ended(const Stretch& stretch) {
  CsvRow& row = *row_;
  row.clear();
  row.text(workload_.id_text(stretch.job)).seconds(stretch.start).seconds(stretch.end);
  row.text(stretch.why).number(stretch.gpus).text(allocation_text(stretch.slices)).end();
  file_.write(row.buffer());
}

/// A zstd stream into an AtomicFile.
class EventsFile::Compressed {
 public:
  explicit Compressed(AtomicFile& file) {
    out_.push(boost::iostreams::zstd_compressor{});
    out_.push(Device{&file});
    out_.exceptions(std::ios::badbit);
  }
  void write(std::string_view text) {
    out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  void finish() { out_.reset(); }

 private:
  struct Device {
    using char_type = char;
    using category = boost::iostreams::sink_tag;
    AtomicFile* file;
    std::streamsize write(const char* text, std::streamsize size) {
      file->write({text, static_cast<std::size_t>(size)});
      return size;
    }
  };
  boost::iostreams::filtering_ostream out_;
};

EventsFile::EventsFile(const Workload& workload, AtomicFile& file)
    : workload_{workload}, out_{std::make_unique<Compressed>(file)} {}
EventsFile::~EventsFile() = default;

void EventsFile::history(const HistoryEntry& entry) {
  // The id goes through the library: it may hold anything. The rest is ours.
  const std::string id = nlohmann::json(workload_.id_text(entry.job))
                             .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  line_ =
      fmt::format(R"({{"time_s":{},"event":"{}","job_id":{},"gpus":{})",
                  seconds_text(entry.time.time_since_epoch()), name(entry.verb), id, entry.gpus);
  if (!entry.slices.empty())
    line_ += fmt::format(R"(,"allocation":"{}")", allocation_text(entry.slices));
  line_ += "}\n";
  out_->write(line_);
}

void EventsFile::finish() {
  out_->finish();
}

}  // namespace orrery
