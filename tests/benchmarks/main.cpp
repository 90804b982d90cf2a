// orrery_benchmarks [NAME...]: runs the named benchmarks (all of them without a name), prints a
// line for each and fails when one is above its limit. orrery_benchmarks --engine POLICY only runs
// the engine, on 30,000 jobs.
#include "benchmarks/helios.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/replay.hpp"
#include "benchmarks/scale.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

namespace orrery::bench {
namespace {

struct Benchmark {
  std::string_view name;
  Verdict (*run)();
};

constexpr std::size_t kHeliosJobs = 3'363'139, kHeliosNodes = 802;

constexpr std::array kBenchmarks{
    Benchmark{"replay_fifo", [] { return replay("fifo", kHeliosJobs, kHeliosNodes, 2); }},
    Benchmark{"replay_sjf", [] { return replay("sjf", kHeliosJobs, kHeliosNodes, 2); }},
    Benchmark{"replay_srtf", [] { return replay("srtf", kHeliosJobs, kHeliosNodes, 2); }},
    Benchmark{"scale_10m", [] { return scale_10m(2.5); }},
    Benchmark{"backlog_fifo", [] { return backlog("fifo", 1.5); }},
    Benchmark{"backlog_skip", [] { return backlog("sjf-skip", 1.5); }},
    Benchmark{"backlog_srtf", [] { return backlog("srtf", 1.5); }},
    Benchmark{"backlog_easy", [] { return backlog("easy", 1.5); }},
    Benchmark{"read_helios_csv", [] { return read_helios_csv(18); }},
    Benchmark{"helios_to_result", [] { return helios_to_result(2); }},
    Benchmark{"start_up", [] { return start_up(); }}};

bool run(const Benchmark& benchmark) {
  const Verdict verdict = benchmark.run();
  std::printf("%-16.*s %s  ratio %.2f, limit %.2f  %s%s\n", static_cast<int>(benchmark.name.size()),
              benchmark.name.data(), verdict.passed() ? "pass" : "FAIL", verdict.ratio,
              verdict.limit, verdict.detail.c_str(), verdict.same ? "" : "; THE RESULTS DIFFER");
  std::fflush(stdout);
  return verdict.passed();
}

}  // namespace
}  // namespace orrery::bench

int main(int argc, char** argv) {
  using namespace orrery::bench;
  try {
    if (argc == 3 && std::string_view{argv[1]} == "--engine") {  // for counting its instructions
      run_engine(argv[2], 30'000, 200);
      return 0;
    }
    const std::vector<std::string_view> names(argv + 1, argv + argc);
    bool passed = true;
    for (const std::string_view name : names) {
      const auto* const found = std::ranges::find(kBenchmarks, name, &Benchmark::name);
      if (found == kBenchmarks.end()) {
        std::fprintf(stderr, "no benchmark %.*s\n", static_cast<int>(name.size()), name.data());
        return 2;
      }
      passed = run(*found) && passed;
    }
    if (names.empty())
      for (const Benchmark& benchmark : kBenchmarks) passed = run(benchmark) && passed;
    return passed ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
