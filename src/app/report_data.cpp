#include "app/report_data.hpp"

#include "api/json_file.hpp"
#include "trace/csv_reader.hpp"
#include "trace/text_input.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <unordered_map>

namespace orrery::app {
namespace {

namespace fs = std::filesystem;

/// More points than a screen has columns add nothing to a curve.
constexpr std::size_t kCurvePoints = 2000;

/// One of our own CSV files, row by row, its columns by name.
class ResultCsv {
 public:
  explicit ResultCsv(const fs::path& file)
      : input_{file.string(), limits_}, reader_{input_, limits_} {
    if (!reader_.next()) throw InputError(fmt::format("{}:1:1: expected a header", input_.name()));
    for (const std::string_view name : reader_.fields()) columns_.emplace_back(name);
  }
  bool next() {
    if (!reader_.next()) return false;
    if (reader_.fields().size() != columns_.size())
      throw InputError(fmt::format("{}:{}:1: expected {} fields, got {}", input_.name(),
                                   reader_.line(), columns_.size(), reader_.fields().size()));
    return true;
  }
  std::size_t column(const std::string& name) const {
    const auto found = std::ranges::find(columns_, name);
    if (found == columns_.end())
      throw InputError(fmt::format("{}:1:1: expected a column {}", input_.name(), name));
    return static_cast<std::size_t>(found - columns_.begin());
  }
  std::string_view text(std::size_t column) const { return reader_.fields()[column]; }
  double number(std::size_t column) const {
    const std::string_view field = text(column);
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size())
      fail(column, fmt::format("expected a number, got {}", quote(field)));
    return value;
  }
  [[noreturn]] void fail(std::size_t column, const std::string& what) const {
    throw InputError(
        fmt::format("{}:{}:{}: {}", input_.name(), reader_.line(), reader_.column(column), what));
  }

 private:
  ReadLimits limits_;
  TextInput input_;
  CsvReader reader_;
  std::vector<std::string> columns_;
};

/// What jobs.csv tells of each job, by its row.
struct JobTimes {
  std::vector<bool> finished;
  std::vector<double> jct, wait;
};

JobTimes read_jobs(const fs::path& folder) {
  ResultCsv csv{folder / "jobs.csv"};
  const std::size_t status = csv.column("status"), jct = csv.column("jct_s"),
                    wait = csv.column("wait_s");
  JobTimes jobs;
  while (csv.next()) {
    const bool finished = csv.text(status) == "finished";
    jobs.finished.push_back(finished);
    jobs.jct.push_back(finished ? csv.number(jct) : 0);
    jobs.wait.push_back(finished ? csv.number(wait) : 0);
  }
  return jobs;
}

/// The cumulative distribution of some values, exact at each of its points.
Json curve(std::vector<double> values) {
  std::ranges::sort(values);
  Json x = Json::array(), y = Json::array();
  const std::size_t n = values.size(), every = std::max<std::size_t>(1, n / kCurvePoints);
  for (std::size_t i = 0; i < n; ++i) {
    const bool last_of_its_value = i + 1 == n || values[i + 1] != values[i];
    if (!last_of_its_value || (i % every != 0 && i + 1 != n && every > 1)) continue;
    x.push_back(values[i]);
    y.push_back(static_cast<double>(i + 1) / static_cast<double>(n));
  }
  return {{"x", std::move(x)}, {"y", std::move(y)}};
}

Json curve_among(const std::vector<double>& values, const std::vector<bool>& among) {
  std::vector<double> chosen;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (among[i]) chosen.push_back(values[i]);
  return curve(std::move(chosen));
}

Json read_timeline(const fs::path& folder) {
  if (!fs::exists(folder / "timeline.csv")) return nullptr;
  ResultCsv csv{folder / "timeline.csv"};
  Json columns = Json::object();
  std::vector<std::pair<std::string, std::size_t>> wanted;
  for (const char* name : {"time_s", "gpus_total", "gpus_busy", "jobs_waiting", "jobs_running"}) {
    wanted.emplace_back(name, csv.column(name));
    columns[name] = Json::array();
  }
  while (csv.next())
    for (const auto& [name, column] : wanted) columns[name].push_back(csv.number(column));
  return columns;
}

/// Stretches of holding GPUs as rectangles: lanes are GPUs, node by node.
class Gantt {
 public:
  explicit Gantt(const fs::path& folder) : csv_{folder / "attempts.csv"} {
    for (const char* list : {"start_s", "end_s", "gpus", "job", "ended", "lane", "lanes"})
      json_[list] = Json::array();
  }

  /// Nothing where GPUs were only counted.
  Json read(int nodes) {
    const std::size_t id = csv_.column("job_id"), allocation = csv_.column("allocation");
    while (csv_.next())
      if (!csv_.text(allocation).empty())
        add(number_of(ids_, csv_.text(id)), csv_.text(allocation));
    if (rectangles_.empty()) return nullptr;
    int per_node = 0;
    for (const Rectangle& one : rectangles_) per_node = std::max(per_node, one.first + one.count);
    for (const Rectangle& one : rectangles_) {
      nodes = std::max(nodes, one.node + 1);
      json_["lane"].push_back(std::int64_t{one.node} * per_node + one.first);
      json_["lanes"].push_back(one.count);
    }
    json_["nodes"] = nodes;
    json_["gpus_per_node"] = per_node;
    json_["ids"] = in_order(ids_);
    json_["why"] = in_order(why_);
    return std::move(json_);
  }

 private:
  struct Rectangle {
    int node = 0, first = 0, count = 0;
  };
  using Numbers = std::unordered_map<std::string, std::size_t>;

  static std::size_t number_of(Numbers& numbers, std::string_view text) {
    return numbers.emplace(std::string{text}, numbers.size()).first->second;
  }
  static Json in_order(const Numbers& numbers) {
    std::vector<std::string> texts(numbers.size());
    for (const auto& [text, number] : numbers) texts[number] = text;
    return texts;
  }

  /// "25:5-5;0:3-4": GPUs 5 of node 25, 3 and 4 of node 0.
  void add(std::size_t job, std::string_view allocation) {
    const std::string_view whole = allocation;
    while (!allocation.empty()) {
      const std::string_view part = allocation.substr(0, allocation.find(';'));
      allocation.remove_prefix(std::min(part.size() + 1, allocation.size()));
      const Rectangle one = rectangle(part, whole);
      rectangles_.push_back(one);
      json_["start_s"].push_back(csv_.number(csv_.column("start_s")));
      json_["end_s"].push_back(csv_.number(csv_.column("end_s")));
      json_["gpus"].push_back(csv_.number(csv_.column("gpus")));
      json_["job"].push_back(job);
      json_["ended"].push_back(number_of(why_, csv_.text(csv_.column("why_ended"))));
    }
  }

  Rectangle rectangle(std::string_view part, std::string_view whole) const {
    Rectangle one;
    int last = 0;
    const char* at = part.data();
    const char* const end = at + part.size();
    const auto take = [&](int& value, char stop) {
      const auto [next, error] = std::from_chars(at, end, value);
      const bool right = error == std::errc{} && value >= 0 && value < 1'000'000 &&
                         (stop == '\0' ? next == end : next != end && *next == stop);
      if (!right)
        csv_.fail(csv_.column("allocation"),
                  fmt::format("expected node:gpu-gpu;..., got {}", quote(whole)));
      at = next + 1;
    };
    take(one.node, ':');
    take(one.first, '-');
    take(last, '\0');
    one.count = last - one.first + 1;
    return one;
  }

  ResultCsv csv_;
  Json json_ = Json::object();
  Numbers ids_, why_;
  std::vector<Rectangle> rectangles_;
};

Json ordered(const fs::path& file) {
  return Json(read_json_file(file.string()).value);
}

/// The runs of a folder with their labels: of a comparison those it lists, else itself.
std::vector<std::pair<std::string, fs::path>> runs_of(const fs::path& folder,
                                                      const Json& manifest) {
  if (manifest.value("kind", "run") != "comparison")
    return {{manifest.at("settings").at("policy").at(0).get<std::string>(), folder}};
  std::vector<std::pair<std::string, fs::path>> runs;
  for (const Json& run : manifest.at("runs")) {
    // Names come from a file: only a folder right below runs/ is meant.
    const fs::path name = fs::path{run.at("folder").get<std::string>()}.filename();
    std::string label = run.at("policy").get<std::string>();
    const auto same = std::ranges::count(runs, label, &std::pair<std::string, fs::path>::first);
    if (same > 0) label += fmt::format(" ({})", same + 1);
    runs.emplace_back(std::move(label), folder / "runs" / name);
  }
  return runs;
}

/// A run alone in the shape of a comparison.
Json comparison_of_one(const std::string& label, const Json& summary) {
  const Json& jct = summary.at("jct_s");
  const Json& wait = summary.at("wait_s");
  return {{"loads", Json::array({{{"load", 1.0},
                                  {"jobs_compared", jct.at("n")},
                                  {"jobs_left_out", 0},
                                  {"bounds", nullptr}}})},
          {"rows", Json::array({{{"policy", label},
                                 {"load", 1.0},
                                 {"jct_mean_s", jct.at("mean")},
                                 {"jct_p50_s", jct.at("p50")},
                                 {"jct_p99_s", jct.at("p99")},
                                 {"wait_mean_s", wait.at("mean")},
                                 {"wait_p99_s", wait.at("p99")},
                                 {"utilization", summary.at("utilization")},
                                 {"preemptions", summary.at("preemptions")},
                                 {"makespan_s", summary.at("makespan_s")},
                                 {"summary", summary}}})}};
}

Json about(const Json& manifest) {
  const Json& settings = manifest.at("settings");
  const Json& cluster = manifest.at("cluster");
  return {{"Trace", fs::path{settings.at("trace").get<std::string>()}.filename().string()},
          {"Format", manifest.at("trace").at("format")},
          {"Cluster", fmt::format("{}: {} nodes, {} GPUs", cluster.at("name").get<std::string>(),
                                  cluster.at("nodes").get<std::int64_t>(),
                                  cluster.at("gpus").get<std::int64_t>())},
          {"Placement", settings.at("placement")},
          {"Seed", settings.at("seed")},
          {"Orrery", manifest.at("version")}};
}

Json notices(const Json& manifest, const Json& summary) {
  Json list = manifest.at("trace").at("notices");
  std::vector<std::string> left_out;
  for (const auto& [reason, count] : summary.at("jobs").at("left_out").items())
    left_out.push_back(fmt::format("{} {}", count.get<std::uint64_t>(), reason));
  if (!left_out.empty())
    list.push_back(fmt::format("Left out of {} jobs: {}.",
                               summary.at("jobs").at("read").get<std::uint64_t>(),
                               fmt::join(left_out, ", ")));
  if (const auto assumed = manifest.at("cluster").at("assumption").get<std::string>();
      !assumed.empty())
    list.push_back(assumed);
  return list;
}

/// The runs with their curves, over the jobs that all of them finished.
Json read_runs(const std::vector<std::pair<std::string, fs::path>>& folders, int nodes) {
  std::vector<JobTimes> jobs;
  for (const auto& [label, folder] : folders) jobs.push_back(read_jobs(folder));
  std::vector<bool> among = jobs.front().finished;
  for (std::size_t r = 0; r < jobs.size(); ++r) {
    if (jobs[r].finished.size() != among.size())
      throw InputError(fmt::format("{} has {} jobs, {} has {}: not one comparison",
                                   quote(folders[r].second.string(), 200), jobs[r].finished.size(),
                                   quote(folders.front().second.string(), 200), among.size()));
    for (std::size_t i = 0; i < among.size(); ++i) among[i] = among[i] && jobs[r].finished[i];
  }
  Json runs = Json::array();
  for (std::size_t r = 0; r < folders.size(); ++r) {
    const fs::path& folder = folders[r].second;
    Json run{{"label", folders[r].first},
             {"summary", ordered(folder / "summary.json")},
             {"jct", curve_among(jobs[r].jct, among)},
             {"wait", curve_among(jobs[r].wait, among)},
             {"jobs", std::ranges::count(among, true)},
             {"timeline", read_timeline(folder)},
             {"gantt", nullptr}};
    if (fs::exists(folder / "attempts.csv")) run["gantt"] = Gantt{folder}.read(nodes);
    runs.push_back(std::move(run));
  }
  return runs;
}

ReportData read_folder(const fs::path& folder) {
  const Json manifest = ordered(folder / "manifest.json");
  check_against_schema(nlohmann::json(manifest), "manifest",
                       printable((folder / "manifest.json").string()));
  const auto folders = runs_of(folder, manifest);
  Json runs = read_runs(folders, manifest.at("cluster").at("nodes").get<int>());
  const bool compares = manifest.value("kind", "run") == "comparison";
  Json comparison = compares ? ordered(folder / "comparison.json")
                             : comparison_of_one(folders.front().first, runs[0].at("summary"));
  for (std::size_t r = 0; r < folders.size(); ++r)
    if (compares) comparison.at("rows").at(r)["policy"] = folders[r].first;
  const auto measured = comparison.at("loads").at(0).at("jobs_compared").get<std::int64_t>();
  const auto shown = runs[0].at("jobs").get<std::int64_t>();
  Json facts = about(manifest);
  ReportData report{
      .title = fmt::format("{} on {}", facts.at("Trace").get<std::string>(),
                           manifest.at("cluster").at("name").get<std::string>()),
      .data = {{"about", std::move(facts)},
               {"notices", notices(manifest, runs[0].at("summary"))},
               {"cdf_note", measured == shown
                                ? ""
                                : fmt::format(", and {} more that the tables do not measure",
                                              shown - measured)}}};
  report.data["comparison"] = std::move(comparison);
  report.data["runs"] = std::move(runs);
  report.data["settings"] = manifest["settings"];
  return report;
}

}  // namespace

ReportData read_report(const std::string& folder) {
  if (!fs::exists(fs::path{folder} / "manifest.json"))
    throw InputError(fmt::format(
        "{} has no manifest.json: it is no result folder (orrery run or compare with --out DIR "
        "makes one)",
        quote(folder, 200)));
  try {
    return read_folder(folder);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: a file of this result is not as Orrery writes it: {}",
                                 quote(folder, 200), printable(error.what(), 200)));
  }
}

}  // namespace orrery::app
