#include "app/prepare.hpp"

#include "trace/csv_reader.hpp"
#include "trace/fields.hpp"

#include "orrery/api/version.hpp"
#include "orrery/base/error.hpp"
#include "orrery/trace/synthetic.hpp"
#include "orrery/workload/truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace orrery::app {
namespace {

std::string counts_text(const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  std::string text;
  for (const auto& [reason, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(count), reason);
  return text;
}

/// Static VCs need both sides to name them; else the cluster is one pool.
VcMode vc_mode(const Settings& settings, const Topology& topology, const Workload& workload,
               const Console& console) {
  if (settings.vc_mode == VcMode::shared || topology.vcs().empty()) return VcMode::shared;
  if (workload.vcs().size() > 1 || workload.size() == 0) return VcMode::fixed;
  console.notice(fmt::format("{} has {} VCs, but the trace names none: one pool of {} GPUs",
                             printable(topology.name()), topology.vcs().size(),
                             grouped(static_cast<std::uint64_t>(topology.total_gpus()))));
  return VcMode::shared;
}

void tell_about_trace(const LoadReport& report, const Console& console) {
  for (const std::string& notice : report.notices) console.notice(notice);
  if (!report.left_out.empty())
    console.notice(
        fmt::format("left out of {} jobs: {}", grouped(report.read), counts_text(report.left_out)));
}

/// A policy that plans by walltimes on a trace that has none does not plan at all.
void tell_about_knowledge(const Settings& settings, const Workload& workload,
                          const Console& console) {
  using Kind = DurationKnowledge::Kind;
  if (workload.has_walltimes()) return;
  for (const std::string& policy : policies_of(settings)) {
    const PolicyEntry& entry = policy_entry(parse_spec(policy).name);
    const bool by_walltime =
        settings.durations.kind == Kind::walltime ||
        (settings.durations.kind == Kind::by_policy && entry.knows == Knows::walltime);
    if (entry.knows != Knows::nothing && entry.knows != Knows::recorded && by_walltime)
      console.notice(fmt::format(
          "{} goes by walltimes, and the trace has none: every run time is unknown to it "
          "(--durations oracle tells it the true ones)",
          entry.name));
  }
}

constexpr std::string_view kMadeUp = "like:";

/// Recorded starts belong to the recorded arrivals, and to no others.
void check_replay(const Settings& settings, const Workload& workload) {
  const std::vector<std::string> policies = policies_of(settings);
  if (std::ranges::none_of(policies, [](const std::string& policy) {
        return policy_entry(parse_spec(policy).name).knows == Knows::recorded;
      }))
    return;
  const bool other_load =
      settings.load.load != 1 ||
      std::ranges::any_of(settings.loads, [](double load) { return load != 1; });
  if (other_load || is_made_up(settings.trace))
    throw UsageError(fmt::format(
        "policy replay starts jobs when the trace says that they started, which means nothing with "
        "other arrivals: it excludes {}",
        other_load ? "--load and --loads" : "made-up traces"));
  if (!workload.truth().has_recorded_starts())
    throw UsageError("policy replay: this trace records no starts");
}

/// A made-up trace is a function of its SPEC and the seed; without gpus=N its load is that of the
/// cluster it runs on.
LoadedTrace make_up_trace(const Settings& settings, const Topology& topology) {
  const Spec spec = parse_spec(std::string_view{settings.trace}.substr(kMadeUp.size()));
  const Options options = spec.options();
  const auto jobs = options.integer("jobs", 3000),
             gpus = options.integer("gpus", topology.total_gpus());
  SyntheticOptions made{.like = spec.name,
                        .jobs = 0,
                        .seed = settings.seed,
                        .gpus = 0,
                        .load = options.number("load", 0.9)};
  options.check_all_used();
  // Out of range becomes 0, which the generator refuses.
  made.jobs = static_cast<std::uint64_t>(std::max<std::int64_t>(jobs, 0));
  made.gpus = static_cast<int>(gpus > 1'000'000 ? 0 : gpus);
  return load_trace_text(generate_trace(made), settings.trace, settings.load);
}

}  // namespace

std::vector<std::string> policies_of(const Settings& settings) {
  std::vector<std::string> policies = settings.policies;
  for (const TakeoverSetting& next : settings.takeovers) policies.push_back(next.policy);
  return policies;
}

std::string policy_text(const Settings& settings) {
  std::string text = settings.policies.front();
  for (const TakeoverSetting& next : settings.takeovers)
    text += fmt::format(", from {} on {}", next.at.text, next.policy);
  return text;
}

bool is_made_up(std::string_view trace) {
  return trace.starts_with(kMadeUp);
}

Topology load_topology(const Settings& settings) {
  Topology topology = load_cluster(settings.cluster);
  if (!settings.vc_sizes.empty()) topology.set_vcs(read_vc_sizes(settings.vc_sizes));
  return topology;
}

RunOptions run_options(const Settings& settings, const Topology& topology, const LoadedTrace& trace,
                       const Console& console) {
  RunOptions options;
  options.sim.seed = settings.seed;
  options.sim.vc_mode = vc_mode(settings, topology, trace.workload, console);
  options.sim.durations = settings.durations;
  options.sim.round = settings.round;
  options.sim.preempt_cost = settings.preempt_cost;
  options.sim.enforce_walltime = settings.enforce_walltime;
  options.placement = settings.placement;
  options.verify = settings.verify;
  const auto instant = [&](const TimeBound& bound) {
    return instant_of(bound, trace.workload, trace.report.zoned);
  };
  if (settings.until) options.sim.until = instant(*settings.until);
  for (const TakeoverSetting& next : settings.takeovers) {
    const Spec spec = parse_spec(next.policy);
    options.sim.takeovers.push_back(
        {.at = instant(next.at), .policy = &policy_entry(spec.name), .options = spec.options()});
  }
  if (settings.load.from) options.from = instant(*settings.load.from);
  if (!settings.measure.empty())
    options.measure = parse_measure(settings.measure, trace.workload, trace.report.zoned);
  return options;
}

Prepared prepare(const Settings& settings, const Console& console) {
  // The quick questions first: nobody wants to wait for a trace to learn of a typing slip.
  Topology topology = load_topology(settings);
  for (const std::string& policy : policies_of(settings)) policy_entry(parse_spec(policy).name);
  make_placement(parse_spec(settings.placement, "seed"), settings.seed);
  LoadedTrace trace = is_made_up(settings.trace) ? make_up_trace(settings, topology)
                                                 : load_trace(settings.trace, settings.load);
  tell_about_trace(trace.report, console);
  if (!topology.assumption().empty())
    console.notice(fmt::format("{}: {}", topology.name(), topology.assumption()));
  RunOptions options = run_options(settings, topology, trace, console);
  RunTitle title{.version = std::string{version()},
                 .trace = settings.trace == "-" ? "standard input"
                          : is_made_up(settings.trace)
                              ? settings.trace
                              : std::filesystem::path{settings.trace}.filename().string(),
                 .format = trace.report.format,
                 .cluster = topology.name(),
                 .policy = {},
                 .placement = settings.placement,
                 .seed = settings.seed};
  check_replay(settings, trace.workload);
  tell_about_knowledge(settings, trace.workload, console);
  return {std::move(trace), std::move(topology), std::move(options), std::move(title)};
}

std::vector<std::size_t> rows_of(const Workload& workload, std::string_view id) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < workload.size(); ++k)
    if (workload.id_text(workload.at_row(k)) == id) rows.push_back(k + 1);
  return rows;
}

void add_counts(const LoadReport& report, Summary& summary) {
  summary.jobs.read = report.read;
  summary.jobs.left_out = report.left_out;
}

void tell_about(const Summary& summary, const Console& console) {
  const Summary::Jobs& jobs = summary.jobs;
  for (const auto& [limit, count] : jobs.rejections)
    console.notice(fmt::format("{} rejected: {}", counted(count, "job", "jobs"), limit));
  if (jobs.rejected > 0 && jobs.rejected == jobs.replayed)
    console.notice(
        "every job was rejected; if the VCs of trace and cluster are others, --vc-mode shared "
        "takes "
        "the cluster as one pool");
  if (summary.wait_s.n > 0 && jobs.waited * 20 < summary.wait_s.n)
    console.notice(fmt::format(
        "only {} of {} jobs waited (mean wait of all: {:.3f} s): this cluster is hardly "
        "contended, and policies differ little on most jobs",
        grouped(jobs.waited), grouped(summary.wait_s.n), *summary.wait_s.mean));
}

std::vector<VcShare> read_vc_sizes(const std::string& path) {
  const ReadLimits limits;
  TextInput input{path, limits};
  CsvReader reader{input, limits};
  ErrorList faults{input.name()};
  std::vector<VcShare> vcs;
  const auto is = [&](std::size_t field, std::string_view text) {
    return reader.fields().size() > field && reader.fields()[field] == text;
  };
  if (!reader.next() || !is(0, "vc") || !is(1, "gpus"))
    throw InputError(fmt::format("{}:1:1: expected the columns vc,gpus", input.name()));
  while (reader.next()) {
    const auto fields = reader.fields();
    const auto gpus = fields.size() == 2 ? parse_whole(fields[1]) : std::nullopt;
    if (fields.size() != 2) {
      faults.add(reader.line(), 1,
                 fmt::format("expected 2 fields, vc and gpus, got {}", fields.size()));
    } else if (!gpus || *gpus < 0 || *gpus > 64'000'000) {
      faults.add(
          reader.line(), reader.column(1),
          fmt::format("gpus: expected a number of GPUs from 0 on, got {}", quote(fields[1])));
    } else if (std::any_of(vcs.begin(), vcs.end(),
                           [&](const VcShare& vc) { return vc.name == fields[0]; })) {
      faults.add(reader.line(), reader.column(0),
                 fmt::format("vc: {} is there already", quote(fields[0])));
    } else {
      vcs.push_back({.name = std::string{fields[0]}, .gpus = static_cast<int>(*gpus)});
    }
  }
  faults.throw_if_any();
  return vcs;
}

MeasureWindow parse_measure(const std::string& text, const Workload& workload, bool zoned) {
  const auto dots = text.find("..");
  if (dots == std::string::npos)
    throw UsageError(fmt::format(
        "--measure: {} is no window: expected A..B, such as 1d..2d or #1000..#2000", quote(text)));
  const std::string from = text.substr(0, dots), to = text.substr(dots + 2);
  MeasureWindow window;
  window.ranks = from.starts_with('#') || to.starts_with('#');
  if (window.ranks) {
    const auto rank = [&](const std::string& side, std::size_t otherwise) {
      if (side.empty()) return otherwise;
      std::size_t value = 0;
      const auto [end, error] = std::from_chars(side.data() + 1, side.data() + side.size(), value);
      if (side[0] != '#' || error != std::errc{} || end != side.data() + side.size())
        throw UsageError(fmt::format("--measure: {} is no rank such as #1000", quote(side)));
      return value;
    };
    window.first_rank = rank(from, 0);
    window.last_rank = rank(to, workload.size());
    return window;
  }
  if (!from.empty()) window.from = instant_of(parse_time_bound(from), workload, zoned);
  if (!to.empty()) window.to = instant_of(parse_time_bound(to), workload, zoned);
  return window;
}

}  // namespace orrery::app
