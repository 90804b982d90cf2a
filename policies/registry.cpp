// The one table of policies: names, summaries, papers and factories. Explicit, so that it can be
// read.
#include "orrery/policy/registry.hpp"

#include "policies.hpp"

#include "orrery/base/error.hpp"

#include <algorithm>
#include <array>

namespace orrery {
namespace {

constexpr std::string_view kTextbook = "textbook";
constexpr std::string_view kStops = "stops the walk";
constexpr std::string_view kSkipped = "is skipped";
constexpr std::string_view kTiresiasPaper =
    "Gu et al., Tiresias: A GPU Cluster Manager for Distributed Deep Learning, NSDI 2019";
constexpr std::string_view kQuantum =
    "quantum=6m  the order is looked at again at multiples of it, while somebody waits";
constexpr std::string_view kHeldLimits =
    "limits=3250s/7200s  time held at which a level is left\n"
    "grain=1us  a level is left at the first multiple of it at or past the limit";
constexpr std::string_view kServiceLimits =
    "limits=3250s/7200s  GPU-seconds held at which a level is left\n"
    "grain=1us  a level is left at the first multiple of it, in time held, at or past the limit";

constexpr std::array kPolicies{
    PolicyEntry{"fifo", "first come, first served, strictly", "submit, id", kStops, "", kTextbook,
                "exact", Knows::nothing, make_fifo},
    PolicyEntry{"fifo-skip", "first come, first served; what does not fit is passed over",
                "submit, id", kSkipped, "", kTextbook, "exact", Knows::nothing, make_fifo_skip},
    PolicyEntry{"sjf", "shortest job first", "run time, submit, id", kStops, "", kTextbook, "exact",
                Knows::oracle, make_sjf},
    PolicyEntry{"sjf-skip", "shortest job first; what does not fit is passed over",
                "run time, submit, id", kSkipped, "", kTextbook, "exact", Knows::oracle,
                make_sjf_skip},
    PolicyEntry{"svsf", "smallest service (run time x GPUs) first", "run time x GPUs, submit, id",
                kStops, "", kTextbook, "exact", Knows::oracle, make_svsf},
    PolicyEntry{"svsf-skip", "smallest service first; what does not fit is passed over",
                "run time x GPUs, submit, id", kSkipped, "", kTextbook, "exact", Knows::oracle,
                make_svsf_skip},
    PolicyEntry{"srtf", "shortest remaining time first, preemptive", "remaining time, submit, id",
                kSkipped, "", kTextbook, "exact", Knows::oracle, make_srtf},
    PolicyEntry{"srsf", "shortest remaining service (time x GPUs) first, preemptive",
                "remaining time x GPUs, submit, id", kSkipped, "", kTiresiasPaper, "exact",
                Knows::oracle, make_srsf},
    PolicyEntry{"las", "least attained time first, preemptive", "time held, submit, id", kSkipped,
                kQuantum, kTextbook, "exact", Knows::nothing, make_las},
    PolicyEntry{"las2d", "least attained service (time x GPUs) first, preemptive",
                "time held x GPUs, submit, id", kSkipped, kQuantum, kTiresiasPaper,
                "the continuous form of section 3.2", Knows::nothing, make_las2d},
    PolicyEntry{"mlfq", "feedback queues by time held, preemptive", "level, submit, id", kSkipped,
                kHeldLimits, kTextbook, "exact", Knows::nothing, make_mlfq},
    PolicyEntry{"mlfq2d", "feedback queues by GPU time held, preemptive", "level, submit, id",
                kSkipped, kServiceLimits, kTiresiasPaper,
                "discretised 2D-LAS with first come, first served inside a queue", Knows::nothing,
                make_mlfq2d},
    PolicyEntry{"tiresias", "discretised two-dimensional least attained service",
                "queue, running first, submit, id", kSkipped, kServiceLimits, kTiresiasPaper,
                "inside a queue running jobs go first, as in the authors' simulator, where the "
                "paper orders by first start; "
                "the promote knob is off",
                Knows::nothing, make_tiresias},
    PolicyEntry{"easy", "first come, first served with EASY backfilling", "submit, id",
                "gets a reservation that later jobs must not delay", "",
                "Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995; Mu'alem and Feitelson, IEEE "
                "TPDS 12(6), 2001",
                "exact; reservations are made anew in every pass", Knows::walltime, make_easy},
    PolicyEntry{"replay", "each job when the trace says that it started, to check a simulation",
                "recorded start, id", kSkipped, "", kTextbook,
                "a job without a recorded start counts as started at its submit", Knows::recorded,
                make_replay}};

}  // namespace

namespace {

/// Rows keep their places: runs hold on to them.
constexpr std::size_t kMostPolicies = 1000;

std::vector<PolicyEntry>& table() {
  static std::vector<PolicyEntry> rows = [] {
    std::vector<PolicyEntry> own;
    own.reserve(kMostPolicies);
    own.assign(kPolicies.begin(), kPolicies.end());
    return own;
  }();
  return rows;
}

/// Lower-case words with dashes: it is typed, printed and part of folder names.
bool is_name(std::string_view name) {
  const auto is_right = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && name.size() <= 40 && name.front() != '-' &&
         std::ranges::all_of(name, is_right);
}

}  // namespace

std::span<const PolicyEntry> policy_table() {
  return table();
}

void add_policies(std::span<const PolicyEntry> rows) {
  for (PolicyEntry row : rows) {
    if (!is_name(row.name))
      throw UsageError(quote(row.name) + " is no name for a policy: lower-case letters, digits, -");
    if (std::ranges::find(table(), row.name, &PolicyEntry::name) != table().end())
      throw UsageError("there is a policy " + quote(row.name) + " already");
    if (row.make == nullptr) throw UsageError("policy " + quote(row.name) + " has no make()");
    if (table().size() == kMostPolicies) throw UsageError("there are too many policies");
    row.foreign = true;
    table().push_back(row);
  }
}

const PolicyEntry& policy_entry(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &PolicyEntry::name);
  if (found != table().end()) return *found;
  std::vector<std::string> known;
  for (const PolicyEntry& entry : table()) known.emplace_back(entry.name);
  throw UsageError("unknown policy " + quote(name) + did_you_mean(name, known));
}

}  // namespace orrery
