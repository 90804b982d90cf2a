// From a Helios log on disk to a result folder, against code that knows nothing else.
#pragma once

#include "benchmarks/measure.hpp"

namespace orrery::bench {

/// load_trace() of 3.1 M rows against counting their newlines.
Verdict read_helios_csv(double limit);

/// Log to jobs.csv under fifo: load, run, write; against a hand parser, the floor and a hand writer
/// of as many columns.
Verdict helios_to_result(double limit);

}  // namespace orrery::bench
