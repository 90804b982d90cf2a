// Every schedule of the oracle collection that must be equal job by job: reference programs and
// peer simulators, zero differences. The independent checker goes
// over each run.
#include "support/scenario.hpp"
#include "support/shared.hpp"
#include "trace/csv_reader.hpp"

#include "orrery/trace/loader.hpp"
#include "orrery/verify/checker.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>

namespace orrery::test {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> read_table(const std::filesystem::path& path) {
  const ReadLimits limits;
  TextInput input{path.string(), limits};
  CsvReader reader{input, limits};
  std::vector<Row> rows;
  if (!reader.next()) return rows;
  const std::vector<std::string> header{reader.fields().begin(), reader.fields().end()};
  while (reader.next()) {
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = reader.fields()[i];
  }
  return rows;
}

struct Oracles : testing::Test {
  const Workload& workload(const std::filesystem::path& root, const std::string& name) {
    auto& loaded = workloads_[name];
    if (!loaded)
      loaded = std::make_unique<LoadedTrace>(
          load_trace((root / "inputs" / (name + ".csv.gz")).string(), {}));
    return loaded->workload;
  }
  std::map<std::string, std::unique_ptr<LoadedTrace>> workloads_;
};

struct Outcomes final : Sink {
  void outcome(const JobOutcome& one) override { by_job.insert_or_assign(one.job, one); }
  std::map<JobId, JobOutcome> by_job;
};

/// Differences between the oracle's jobs and ours in the columns named.
std::size_t differences(const Workload& workload, const Outcomes& ours,
                        const std::vector<Row>& theirs, const std::string& columns,
                        std::string& first) {
  std::map<std::string_view, JobId> by_id;
  for (std::size_t i = 0; i < workload.size(); ++i)
    by_id.emplace(workload.id_text(JobId{i}), JobId{i});
  std::size_t found = 0;
  for (const Row& row : theirs) {
    const JobOutcome& mine = ours.by_job.at(by_id.at(row.at("job_id")));
    bool same = mine.first_start.time_since_epoch() == parse_seconds(row.at("start_s")) &&
                mine.end.time_since_epoch() == parse_seconds(row.at("end_s"));
    if (columns.find("preemptions") != std::string::npos)
      same = same && std::to_string(mine.preemptions) == row.at("preemptions");
    if (row.contains("migrations"))
      same = same && std::to_string(mine.migrations) == row.at("migrations");
    if (same) continue;
    if (found++ == 0) {
      first = "job " + row.at("job_id") + ": start " + row.at("start_s") + " end " +
              row.at("end_s") + ", got start " + seconds_text(mine.first_start.time_since_epoch()) +
              " end " + seconds_text(mine.end.time_since_epoch()) + " preemptions " +
              std::to_string(mine.preemptions) + " migrations " + std::to_string(mine.migrations);
    }
  }
  return found;
}

TEST_F(Oracles, EveryExactFolderIsEqualJobByJob) {
  ORRERY_SHARED(root, "oracles");
  std::size_t folders = 0, jobs = 0;
  for (const Row& row : read_table(root / "EXPECT.csv")) {
    if (row.at("verdict") != "exact") continue;
    const Workload& work = workload(root, row.at("workload"));
    SimOptions options;
    if (row.at("options") == "--durations oracle")
      options.durations.kind = DurationKnowledge::Kind::oracle;
    Recorder recorder;
    Outcomes outcomes;
    recorder.add(outcomes, Recorder::kOutcomes);
    const Topology topology = parse_cluster_shorthand(row.at("cluster")).value();
    const PolicyChoice chosen = choice(row.at("policy"), row.at("placement"));
    Checker checker{work, topology,
                    checked_run(chosen, parse_spec(row.at("placement"), "seed"), options)};
    recorder.add(checker, Checker::kWants);
    Simulator simulator{work, topology, chosen, options, recorder};
    simulator.run();
    ASSERT_NO_THROW(checker.finish(simulator.totals())) << row.at("folder");
    const std::vector<Row> theirs = read_table(root / row.at("folder") / "jobs.csv.gz");
    std::string first;
    EXPECT_EQ(theirs.size(), work.size()) << row.at("folder");
    EXPECT_EQ(differences(work, outcomes, theirs, row.at("columns"), first), 0U)
        << row.at("folder") << ": " << first;
    ++folders;
    jobs += theirs.size();
  }
  EXPECT_GE(folders, 100U);
  std::printf("%zu folders, %zu jobs compared\n", folders, jobs);
}

}  // namespace
}  // namespace orrery::test
