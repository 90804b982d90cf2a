#include "benchmarks/helios.hpp"

#include "benchmarks/floor.hpp"

#include "orrery/api/simulate.hpp"
#include "orrery/base/time.hpp"
#include "orrery/report/job_files.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/trace/loader.hpp"
#include "orrery/trace/synthetic.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace orrery::bench {
namespace {

constexpr int kNodes = 802;
constexpr std::size_t kBlock = std::size_t{1} << 20;

/// A log of about 3.1 M rows, half of them CPU jobs, gone with this object. Gangs that the floor
/// does not know (6 and 7 GPUs) are left out.
class Log {
 public:
  Log()
      : folder_{std::filesystem::temp_directory_path() /
                ("orrery-benchmark-" + std::to_string(getpid()))} {
    std::filesystem::create_directories(folder_);
    const std::string all = generate_trace(
        {.like = "helios", .jobs = 1'580'000, .seed = 1, .gpus = kNodes * 8, .load = 0.85});
    std::ofstream file{path(), std::ios::binary};
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = all.find('\n', at) + 1;
      const std::string_view row{all.data() + at, end - at};
      std::size_t comma = 0;
      for (int i = 0; i < 3; ++i) comma = row.find(',', comma) + 1;
      const std::string_view gpus = row.substr(comma, row.find(',', comma) - comma);
      if (gpus != "6" && gpus != "7") file << row;
      at = end;
    }
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "cluster_log.csv").string(); }
  std::string result() const { return (folder_ / "result").string(); }

 private:
  std::filesystem::path folder_;
};

template <class Take>
void read_blocks(const std::string& path, Take take) {
  const int file = open(path.c_str(), O_RDONLY);
  std::vector<char> block(kBlock);
  for (ssize_t size = 0; (size = read(file, block.data(), kBlock)) > 0;)
    take(block.data(), static_cast<std::size_t>(size));
  close(file);
}

std::size_t count_newlines(const std::string& path) {
  std::size_t lines = 0;
  read_blocks(path, [&](const char* at, std::size_t size) {
    const char* const end = at + size;
    while ((at = static_cast<const char*>(
                std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
      ++lines;
      if (++at == end) break;
    }
  });
  return lines;
}

/// "2020-09-01 00:01:02" as seconds since 1970, of text that is known to be right.
class HandClock {
 public:
  std::int64_t operator()(const char* t) {
    if (std::memcmp(t, day_.data(), 10) != 0) {
      std::memcpy(day_.data(), t, 10);
      const int year = two(t) * 100 + two(t + 2);
      start_ = (days_from_civil(year, two(t + 5), 1) + two(t + 8) - 1) * 86'400;
    }
    return start_ + two(t + 11) * 3600 + two(t + 14) * 60 + two(t + 17);
  }

 private:
  static int two(const char* t) { return (t[0] - '0') * 10 + (t[1] - '0'); }
  std::array<char, 10> day_{};
  std::int64_t start_ = 0;
};

/// Jobs with GPUs of a log without faults, in its order, as the floor takes them; ids beside them.
struct HandRead {
  Synthetic jobs;
  std::vector<std::uint32_t> id;
};

HandRead hand_parse(const std::string& path) {
  HandRead read;
  read.jobs.nodes = kNodes;
  HandClock clock;
  std::string rest;
  std::int64_t origin = -1;
  bool header = true;
  const auto take_row = [&](const char* c) {
    if (std::exchange(header, false)) return;
    std::array<const char*, 12> field{};
    for (std::size_t i = 0; i < field.size(); ++i) {
      field[i] = c;
      while (*c != ',' && *c != '\n') ++c;
      ++c;
    }
    int gpus = 0;
    for (const char* g = field[3]; *g != ','; ++g) gpus = 10 * gpus + (*g - '0');
    if (gpus == 0) return;
    std::uint32_t id = 0;
    for (const char* g = field[0]; *g != ','; ++g)
      id = 10 * id + static_cast<std::uint32_t>(*g - '0');
    const std::int64_t submit = clock(field[7]), start = clock(field[8]), end = clock(field[9]);
    if (origin < 0) origin = submit;
    read.id.push_back(id);
    read.jobs.arrival.push_back((submit - origin) * 1'000'000);
    read.jobs.run_time.push_back((end - start) * 1'000'000);
    read.jobs.gpus.push_back(static_cast<std::uint8_t>(gpus));
  };
  read_blocks(path, [&](const char* at, std::size_t size) {
    const char* const end = at + size;
    while (const auto* newline = static_cast<const char*>(
               std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) {
      if (rest.empty()) {
        take_row(at);
      } else {
        rest.append(at, newline + 1);
        take_row(rest.c_str());
        rest.clear();
      }
      at = newline + 1;
    }
    rest.append(at, end);
  });
  return read;
}

void hand_write(const HandRead& read, const FloorRun& run, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  std::vector<char> block(kBlock + 1024);
  char* at = block.data();
  const auto number = [&](std::int64_t value) {
    at = std::to_chars(at, at + 24, value).ptr;
    *at++ = ',';
  };
  for (std::size_t i = 0; i < read.id.size(); ++i) {
    const std::int64_t submit = read.jobs.arrival[i] / 1'000'000, start = run.start[i] / 1'000'000,
                       end = run.end[i] / 1'000'000;
    number(read.id[i]);
    at = std::copy_n("u1a2b,vc3c4,,,", 14, at);
    number(read.jobs.gpus[i]);
    number(submit);
    number(start);
    number(end);
    at = std::copy_n("finished,completed,", 19, at);
    number(end - submit);
    number(start - submit);
    number(end - start);
    number(0);
    number((end - start) * read.jobs.gpus[i]);
    at = std::copy_n("0,0,0,", 6, at);
    const double slowdown = static_cast<double>(end - submit) /
                            static_cast<double>(std::max<std::int64_t>(1, end - start));
    at = std::to_chars(at, at + 32, slowdown).ptr;
    at = std::copy_n(",,1,0,0,0,0,0,", 14, at);
    number(start - submit);
    at = std::copy_n("0,0,0\n", 6, at);
    if (at - block.data() < static_cast<std::ptrdiff_t>(kBlock)) continue;
    if (write(file, block.data(), static_cast<std::size_t>(at - block.data())) < 0) std::abort();
    at = block.data();
  }
  if (write(file, block.data(), static_cast<std::size_t>(at - block.data())) < 0) std::abort();
  fsync(file);
  close(file);
}

}  // namespace

Verdict read_helios_csv(double limit) {
  const Log log;
  std::size_t lines = 0;
  std::uint64_t rows = 0;
  const Medians medians = alternate([&] { lines = count_newlines(log.path()); },
                                    [&] { rows = load_trace(log.path(), {}).report.read; });
  return {.ratio = medians.ratio(),
          .limit = limit,
          .detail = format_line(
              "newlines %.3f s, load_trace %.3f s: %.0f ns a row, SHA-256 included", medians.floor,
              medians.engine, medians.engine * 1e9 / static_cast<double>(rows)),
          .same = lines == rows + 1};
}

Verdict helios_to_result(double limit) {
  const Log log;
  double floor_jct = 0, engine_jct = 0;
  const Medians medians = alternate(
      [&] {
        const HandRead read = hand_parse(log.path());
        const FloorRun run = run_floor(FloorPolicy::fifo, read.jobs);
        hand_write(read, run, log.path() + ".floor");
        floor_jct = run.mean_jct_s;
      },
      [&] {
        const LoadedTrace trace = load_trace(log.path(), {});
        const Topology topology{"benchmark", {{.count = kNodes, .gpus = 8}}};
        const RunResult result = simulate(trace.workload, topology, "fifo");
        ResultFolder folder{log.result(), true};
        write_jobs_csv(trace.workload, result.jobs, folder.file("jobs.csv"));
        folder.commit();
        engine_jct = *result.summary.jct_s.mean;
      });
  return {.ratio = medians.ratio(),
          .limit = limit,
          .detail = format_line("floor %.3f s, Orrery %.3f s, mean JCT %.0f s", medians.floor,
                                medians.engine, engine_jct),
          .same = std::abs(floor_jct - engine_jct) < 0.001 * engine_jct};
}

}  // namespace orrery::bench
