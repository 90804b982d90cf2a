// Published traces against what was counted in them by other programs (the table of check targets
// beside the data), and real rows that are awkward to read.
#include "support/shared.hpp"
#include "unit/trace/loaded.hpp"

#include "orrery/trace/info.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::test {
namespace {

LoadedTrace real(const std::filesystem::path& path, const LoadOptions& options = {}) {
  LoadedTrace trace = load_trace(path.string(), options);
  expect_balanced(trace.report);
  return trace;
}

/// The line of described() that begins with the id.
std::string job_of(const LoadedTrace& trace, const std::string& id) {
  const std::string jobs = "\n" + described(trace.workload);
  const auto at = jobs.find("\n" + id + " ");
  return at == std::string::npos ? "absent" : jobs.substr(at + 1, jobs.find('\n', at + 1) - at - 1);
}

std::size_t submits(const Workload& workload, SimTime from, SimTime to) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const SimTime submit = workload.arrival(JobId{i});
    if (submit >= from && submit < to) ++count;
  }
  return count;
}

// 111,549 jobs with GPUs and a span: mean 35,595 s, median 1,321 s, 1.742 GPUs, 3,622,169
// GPU-hours; ten of no length; arrivals count from 2017-08-14 23:27:00.
TEST(RealFiles, PhillyAsListedByRfold) {
  ORRERY_SHARED(path, "data/philly/rfold_philly_trace.csv.gz");
  const LoadedTrace trace = real(path);
  EXPECT_EQ(trace.report.format, "philly");
  EXPECT_EQ(trace.report.read, 111'549U);
  EXPECT_EQ(trace.report.replayed, 111'549U);
  const TraceInfo info = trace_info(trace.workload);
  EXPECT_EQ(std::lround(*info.run_s.mean), 35'595);
  EXPECT_EQ(*info.run_s.p50, 1'321);
  EXPECT_EQ(std::lround(*info.mean_gpus * 1000), 1'742);
  EXPECT_EQ(std::lround(info.gpu_hours), 3'622'169);
  std::size_t zero = 0;
  for (std::size_t i = 0; i < trace.workload.size(); ++i)
    if (trace.workload.truth().run_time(JobId{i}) == Duration::zero()) ++zero;
  EXPECT_EQ(zero, 10U);
  const auto month = [](int number) {  // its first instant, from the trace's origin
    const std::int64_t origin = days_from_civil(2017, 8, 14) * 86'400 + 23 * 3'600 + 27 * 60;
    const std::int64_t start =
        number > 12 ? days_from_civil(2018, 1, 1) : days_from_civil(2017, number, 1);
    return SimTime{Duration{(start * 86'400 - origin) * 1'000'000}};
  };
  const std::size_t counted[] = {19, 8'053, 58'920, 32'034, 12'523};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(submits(trace.workload, month(8 + i), month(9 + i)), counted[i]) << "month " << 8 + i;
}

// 82,247 jobs: mean 13,136 s, median 1,144 s, 978,078 GPU-hours; 41,226 in 6214e9; 15 VCs. 65 rows
// repeat another one exactly and are jobs of their own.
TEST(RealFiles, PhillyAsListedBySia) {
  ORRERY_SHARED(path, "data/philly/sia_philly.csv.gz");
  const LoadedTrace trace = real(path);
  EXPECT_EQ(trace.report.format, "philly");
  EXPECT_EQ(trace.report.replayed, 82'247U);
  const TraceInfo info = trace_info(trace.workload);
  EXPECT_EQ(std::lround(*info.run_s.mean), 13'136);
  EXPECT_EQ(*info.run_s.p50, 1'144);
  EXPECT_EQ(std::lround(info.gpu_hours), 978'078);
  EXPECT_EQ(info.vcs, 15U);
  EXPECT_EQ(info.by_vc.at("6214e9").jobs, 41'226U);
}

// 125,303 jobs with GPUs, cut at 48 h: mean 9,087.7 s, median 204 s, 6.7355 GPUs, 2,423,406.5
// GPU-hours, 2,379 at the cut; 125,214 from 1 April on, 24,171 from 1 to 26 September.
TEST(RealFiles, VenusAsItIs) {
  ORRERY_SHARED(path, "data/helios/venus_gpu_jobs_clamped48h.csv.gz");
  LoadOptions options;
  const LoadedTrace trace = real(path);
  EXPECT_EQ(trace.report.read, 125'303U);
  EXPECT_EQ(trace.report.replayed, 125'303U);
  const TraceInfo info = trace_info(trace.workload);
  EXPECT_EQ(std::lround(*info.run_s.mean * 10), 90'877);
  EXPECT_EQ(*info.run_s.p50, 204);
  EXPECT_EQ(std::lround(*info.mean_gpus * 10'000), 67'355);
  EXPECT_EQ(std::lround(info.gpu_hours * 10), 24'234'065);
  std::size_t at_the_cut = 0;
  for (std::size_t i = 0; i < trace.workload.size(); ++i)
    if (seconds(trace.workload.truth().run_time(JobId{i})) == 172'800) ++at_the_cut;
  EXPECT_EQ(at_the_cut, 2'379U);
  options.from = parse_time_bound("1195101");
  EXPECT_EQ(real(path, options).report.replayed, 125'214U);
  options.from = parse_time_bound("14414301s");
  options.to = parse_time_bound(std::to_string(14'414'301 + 26 * 86'400) + "s");
  EXPECT_EQ(real(path, options).report.replayed, 24'171U);
}

// Four jobs of the original log: two attempts seven seconds apart; no user and a machine that the
// list gives two GPUs; four attempts with unknown times; never placed.
TEST(RealFiles, PhillyLogInItsOwnLayout) {
  ORRERY_SHARED(path, "data/fixtures/philly/cluster_job_log");
  const LoadedTrace span = real(path);
  EXPECT_EQ(span.report.read, 4U);
  EXPECT_EQ(left_out(span.report), "1 no attempt (never ran)");
  EXPECT_TRUE(has_notice(span.report, "machine m51: the machine list says 2 GPUs, jobs used gpu7"));
  LoadOptions options;
  options.run_time = RunTimeRule::attempts;
  const LoadedTrace attempts = real(path, options);
  struct Expected {
    const char* id;
    int gpus;
    std::int64_t span, attempts, wait;
  };
  for (const Expected& job :
       {Expected{"14199", 8, 193'263, 193'256, 30}, Expected{"12703", 8, 225'554, 225'554, 23},
        Expected{"16565", 1, 469, 43, 187}}) {
    const auto find = [&](const Workload& workload) {
      for (std::size_t i = 0; i < workload.size(); ++i)
        if (workload.id_text(JobId{i}).ends_with(job.id)) return JobId{i};
      throw std::runtime_error(std::string{"absent: "} + job.id);
    };
    const JobId id = find(span.workload);
    const JobTruth& truth = span.workload.truth();
    EXPECT_EQ(span.workload.gang_size(id), job.gpus) << job.id;
    EXPECT_EQ(seconds(truth.run_time(id)), static_cast<double>(job.span)) << job.id;
    EXPECT_EQ(seconds(attempts.workload.truth().run_time(find(attempts.workload))),
              static_cast<double>(job.attempts))
        << job.id;
    EXPECT_EQ(seconds(*truth.recorded_start(id) - span.workload.arrival(id)),
              static_cast<double>(job.wait))
        << job.id;
  }
}

TEST(RealFiles, PhillyRowsThatAreAwkward) {
  ORRERY_SHARED(rfold, "data/fixtures/philly/rfold_philly_rows.csv");
  ORRERY_SHARED(sia, "data/fixtures/philly/sia_philly_rows.csv");
  const LoadedTrace listed = real(rfold);
  EXPECT_EQ(listed.report.replayed, 14U);
  EXPECT_TRUE(job_of(listed, "20036").ends_with(" 8 193263")) << job_of(listed, "20036");
  EXPECT_TRUE(job_of(listed, "18541").ends_with(" 8 225554")) << job_of(listed, "18541");
  const LoadedTrace rows = real(sia);
  EXPECT_EQ(rows.report.replayed, 18U);
  const TraceInfo info = trace_info(rows.workload);
  EXPECT_EQ(*info.run_s.max, 4'628'226);  // 53 days
  EXPECT_TRUE(info.by_size.contains(128));
  EXPECT_TRUE(info.by_size.contains(12));
}

TEST(RealFiles, HeliosRowsInTheirOwnLayout) {
  ORRERY_SHARED(path, "data/fixtures/helios/cluster_log.csv");
  const LoadedTrace trace = real(path);
  EXPECT_EQ(trace.report.format, "helios");
  EXPECT_EQ(trace.report.replayed, 3U);
  EXPECT_TRUE(has_notice(trace.report, "every recorded wait is zero"));
  EXPECT_EQ(*trace_info(trace.workload).run_s.max, 675'233);
}

TEST(RealFiles, VenusRowsThatAreAwkward) {
  ORRERY_SHARED(path, "data/fixtures/helios/venus_gpu_jobs_rows.csv");
  const LoadedTrace trace = real(path);
  EXPECT_EQ(trace.report.replayed, 14U);
  const TraceInfo info = trace_info(trace.workload);
  for (const int gpus : {7, 12, 160, 200}) EXPECT_TRUE(info.by_size.contains(gpus)) << gpus;
}

// Tables that are no job lists lie beside them; taken for one, they name the columns they lack.
TEST(RealFiles, OtherTablesAreRefusedInWords) {
  ORRERY_SHARED(data, "data");
  for (const char* file :
       {"helios/Venus_cluster_gpu_number.csv", "helios/earth_sequence/vc3sl.csv.gz",
        "philly/helios_philly_vc.csv", "fixtures/philly/cluster_gpu_util",
        "fixtures/philly/cluster_machine_list"}) {
    const std::string path = (data / file).string();
    EXPECT_EQ(error_of([&] { load_trace(path, {}); }),
              "input: " + path + ":1: no column 'submit'; name the one to use with --map " +
                  "submit=COLUMN\n" + path +
                  ":1: no column 'gpus'; name the one to use with --map gpus=COLUMN\n" + path +
                  ":1: no column 'duration'; name the one to use with --map duration=COLUMN");
  }
}

}  // namespace
}  // namespace orrery::test
