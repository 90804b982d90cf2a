#include "app/self_test.hpp"

#include "app/grid.hpp"
#include "report/json_parts.hpp"

#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace orrery::app {
namespace {

/// The first half of the runs against the second, as if of two policies.
std::vector<TraceRuns> as_two_policies(const std::vector<TraceRuns>& traces, std::size_t seeds) {
  std::vector<TraceRuns> halves;
  if (traces.size() > 1) {  // made-up traces, one a seed
    for (std::size_t k = 0; k < seeds; ++k) {
      halves.push_back(traces[k]);
      halves.back().policies.push_back(traces[k + seeds].policies.front());
      halves.back().bounds = {};  // the two are of different jobs
    }
    return halves;
  }
  const PolicyRuns& runs = traces.front().policies.front();
  TraceRuns& both = halves.emplace_back(traces.front());
  both.policies.assign(2, {});
  for (std::size_t k = 0; k < runs.runs.size(); ++k) {
    both.policies[k / seeds].runs.push_back(runs.runs[k]);
    both.policies[k / seeds].jct_us.push_back(runs.jct_us[k]);
  }
  return halves;
}

struct Outcome {
  std::uint64_t tests = 0, alarms = 0, same = 0, without_interval = 0;
};

std::string text_of(const std::string& policy, const Outcome& outcome) {
  const std::uint64_t told = outcome.tests - outcome.without_interval;
  std::string text = fmt::format("{} against itself, {} tests under other seeds\n",
                                 printable(policy), grouped(outcome.tests));
  if (outcome.same > 0)
    text += fmt::format("no seed mattered in {} of them: every job had one JCT\n",
                        grouped(outcome.same));
  if (outcome.without_interval > 0)
    text += fmt::format("{} had too few jobs or traces for an interval\n",
                        grouped(outcome.without_interval));
  if (told == 0) return text;
  const Interval share = share_interval(outcome.alarms, told);
  return text + fmt::format(
                    "a difference was seen in {} of {}: {:.1f} % ({:.1f} to {:.1f}), and "
                    "{:.0f} % are expected\n",
                    grouped(outcome.alarms), grouped(told),
                    100 * static_cast<double>(outcome.alarms) / static_cast<double>(told),
                    share.low * 100, share.high * 100, (1 - kConfidence) * 100);
}

Json json_of(const std::string& policy, const Outcome& outcome) {
  const std::uint64_t told = outcome.tests - outcome.without_interval;
  Json json{{"policy", policy},
            {"tests", outcome.tests},
            {"without_interval", outcome.without_interval},
            {"same", outcome.same},
            {"alarms", outcome.alarms},
            {"alarm_rate", nullptr},
            {"alarm_rate_interval", nullptr},
            {"expected", 1 - kConfidence}};
  if (told == 0) return json;
  const Interval share = share_interval(outcome.alarms, told);
  json["alarm_rate"] = static_cast<double>(outcome.alarms) / static_cast<double>(told);
  json["alarm_rate_interval"] = {share.low, share.high};
  return json;
}

}  // namespace

int self_test(const Settings& settings, const Arguments& argv, const Console& console) {
  const std::string& policy = settings.policies.front();
  const std::vector<std::string> both{policy, policy};
  Outcome outcome;
  for (; outcome.tests < settings.self_test; ++outcome.tests) {
    Settings one = settings;
    one.seeds = 2 * settings.seeds;
    one.seed = settings.seed + outcome.tests * one.seeds;
    const GridResult grid =
        run_grid(one, argv, outcome.tests == 0 ? console : Console{true, ProgressMode::none});
    if (grid.stopped) return kSignal + StopSignals::received();
    const LoadComparison told =
        compare_runs(both, as_two_policies(grid.loads.front(), settings.seeds), one.seed);
    const CompareRow& second = told.rows.back();
    outcome.same += second.same ? 1 : 0;
    outcome.without_interval += second.change_interval ? 0 : 1;
    outcome.alarms += second.is_distinguishable() ? 1 : 0;
  }
  write_text("-", settings.json ? json_text(json_of(policy, outcome)) : text_of(policy, outcome));
  return kDone;
}

}  // namespace orrery::app
