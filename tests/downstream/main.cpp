// What `orrery run` does, as a library: the example of the README.
#include <orrery/api/simulate.hpp>
#include <orrery/trace/loader.hpp>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: downstream TRACE CLUSTER POLICY\n";
    return 2;
  }
  try {
    const orrery::LoadedTrace trace = orrery::load_trace(argv[1], {});
    const orrery::Topology cluster = orrery::load_cluster(argv[2]);
    const orrery::RunResult result = orrery::simulate(trace.workload, cluster, argv[3]);
    std::cout << result.summary.jobs.finished << " finished, mean JCT "
              << result.summary.jct_s.mean.value_or(0) << " s\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
