// Trace files to Workloads: load_trace reads a format by name (or finds it out) and says what it
// left out and why.
#pragma once

#include "orrery/base/time.hpp"
#include "orrery/workload/workload.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A bound of a submit window: seconds from the trace's origin, or a calendar instant.
struct TimeBound {
  bool calendar = false;
  std::int64_t micros = 0;  ///< since the origin, or since 1970-01-01 00:00:00
  bool zoned = false;       ///< the text named a zone; micros is then UTC
  std::string text;         ///< as typed
};
/// "86400", "2h", "2017-10-01", "2017-10-01 12:00:00", "2017-10-01T12:00:00Z", "...+08:00". Throws
/// UsageError; eight bare digits are refused.
TimeBound parse_time_bound(std::string_view text);
/// The bound in the time of a trace, whose times name a zone or do not. Throws UsageError for a
/// date where the trace has no calendar, and for a zone on one side only.
SimTime instant_of(const TimeBound& bound, const Workload& workload, bool zoned);

enum class RunTimeRule : std::uint8_t {
  span,     ///< first start to last end
  attempts  ///< sum of the complete attempts
};
enum class Strictness : std::uint8_t { normal, strict, lenient };

/// What protects a reader from a file of unknown origin. Each is named in the message when it is
/// passed.
struct ReadLimits {
  std::uint64_t most_bytes = std::uint64_t{64} << 30;  ///< after decompression
  std::uint64_t most_ratio = 200;                      ///< decompressed to compressed, above 64 MiB
  std::size_t longest_line = std::size_t{1} << 20;
  std::size_t most_fields = 1024;
  std::size_t deepest_json = 64;
  std::size_t longest_id = 1024;
};

struct LoadOptions {
  std::string format = "auto";
  std::map<std::string, std::string>
      map;                            ///< csv: our name -> their column ("submit" -> "arrive_ts")
  std::optional<TimeBound> from, to;  ///< select by submit: from <= submit < to
  std::optional<std::uint64_t>
      limit;  ///< the first so many jobs in canonical order, after the other selections
  std::vector<std::string> vcs;       ///< only these
  std::vector<std::string> statuses;  ///< only these trace statuses
  RunTimeRule run_time = RunTimeRule::span;
  Strictness strictness = Strictness::normal;
  double load = 1;  ///< gaps between arrivals are divided by it
  ReadLimits limits;
};

struct LoadReport {
  std::string format;  ///< the one used
  std::string path;
  std::uint64_t read = 0;  ///< jobs in the file (rows, or distinct jobs where attempts are rows)
  std::vector<std::pair<std::string, std::uint64_t>>
      left_out;  ///< by reason, in order of first use; sums with replayed to read
  std::vector<std::string>
      notices;  ///< ignored columns, duplicate ids, zero walltimes, resorted rows, ...
  std::string run_time_meaning;  ///< "span: first start to last end"
  std::string sha256;  ///< of the file as it lies on disk, lower-case hex; empty for stdin
  std::uint64_t replayed = 0;
  bool zoned = false;  ///< the trace's times name their zone
};

struct LoadedTrace {
  Workload workload;
  LoadReport report;
};

/// Throws InputError (malformed data), UsageError (unknown format or column map) or
/// EnvironmentError (cannot read).
LoadedTrace load_trace(const std::string& path, const LoadOptions& options);
/// The same over text in memory; `name` stands for the file in messages.
LoadedTrace load_trace_text(std::string_view text, const std::string& name,
                            const LoadOptions& options);

struct TraceFormat {
  std::string_view name, summary, run_time;
};
const std::vector<TraceFormat>& trace_formats();

}  // namespace orrery
