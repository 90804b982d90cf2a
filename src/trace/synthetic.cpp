// Integers only, and distributions as tables of quantiles: the text is the same on every machine.
#include "orrery/trace/synthetic.hpp"

#include "orrery/base/error.hpp"
#include "orrery/base/random.hpp"
#include "orrery/base/time.hpp"

#include <boost/random/uniform_int_distribution.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <queue>
#include <vector>

namespace orrery {
namespace {

using Seconds = std::int64_t;

constexpr Seconds kHour = 3600;

std::int64_t draw(RandomStream& from, std::int64_t low, std::int64_t high) {
  return boost::random::uniform_int_distribution<std::int64_t>{low, high}(from);
}

/// A run time by its quantiles: `seconds[i]` at kLevels[i] thousandths, straight lines between.
constexpr std::array<int, 10> kLevels{0, 50, 100, 250, 500, 750, 900, 950, 990, 1000};
using Quantiles = std::array<Seconds, kLevels.size()>;

Seconds run_time(const Quantiles& seconds, RandomStream& from) {
  const std::int64_t level = draw(from, 0, 999'999);  // millionths
  std::size_t i = 1;
  while (std::int64_t{kLevels[i]} * 1000 <= level) ++i;
  const std::int64_t low = std::int64_t{kLevels[i - 1]} * 1000,
                     high = std::int64_t{kLevels[i]} * 1000;
  return seconds[i - 1] + (seconds[i] - seconds[i - 1]) * (level - low) / (high - low);
}

/// Gangs of one size: their share of the jobs in hundred-thousandths, and how long they run.
struct SizeClass {
  int gpus;
  int share;
  Quantiles seconds;
};

/// What a cluster's trace looks like.
struct Model {
  std::vector<SizeClass> sizes;
  std::array<int, 3> status;  ///< completed, killed, failed, in thousandths
  std::int64_t epoch;         ///< seconds since 1970 of a Monday, 00:00
  int users, vcs;
};

constexpr std::int64_t kMillion = 1'000'000;

// Philly. Shares of sizes and the quantiles of each size follow the 111,549 jobs with GPUs and a
// span; the upper tail is cut at ten days, which brings the mean near the 18,006 s (median 874 s)
// that Acme's authors count (Hu et al., NSDI 2024), with 60.4 % passed, 9.0 % killed, 30.5 %
// failed.
const Model& philly_model() {
  static const Model model{
      {{1, 86650, {1, 25, 45, 100, 780, 3300, 12500, 38000, 205000, 780000}},
       {2, 2260, {1, 8, 13, 20, 30, 9000, 120000, 200000, 400000, 864000}},
       {4, 4920, {5, 50, 95, 900, 8000, 45000, 180000, 300000, 500000, 864000}},
       {8, 5120, {5, 45, 85, 1500, 11000, 55000, 200000, 330000, 550000, 864000}},
       {16, 780, {5, 25, 51, 1000, 11000, 50000, 160000, 250000, 400000, 600000}},
       {24, 50, {20, 150, 265, 2000, 14000, 60000, 160000, 200000, 300000, 400000}},
       {32, 220, {5, 20, 41, 400, 3500, 20000, 60000, 90000, 150000, 200000}}},
      {604, 90, 306},
      1506297600,  // 2017-09-25
      120,
      11};
  return model;
}

// Helios, Venus. Shares of sizes, the quantiles of each size and the cut at 48 hours follow its
// 125,303 jobs with GPUs: median 204 s, mean 9,088 s, mean 6.74 GPUs; 52.6 % completed, 27.2 %
// cancelled, 20.2 % failed (Hu et al., SC 2021, and its published summary).
const Model& helios_model() {
  static const Model model{{{1, 51840, {1, 6, 17, 66, 172, 800, 8444, 32000, 105000, 172800}},
                            {2, 5550, {1, 8, 17, 80, 211, 8000, 72000, 125000, 172800, 172800}},
                            {4, 7400, {1, 7, 14, 60, 173, 2500, 33676, 90000, 172800, 172800}},
                            {6, 360, {2, 30, 71, 130, 234, 4000, 49751, 120000, 172800, 172800}},
                            {7, 200, {2, 12, 27, 120, 339, 6000, 53539, 120000, 172800, 172800}},
                            {8, 24730, {1, 10, 26, 80, 190, 1300, 25000, 62000, 150000, 172800}},
                            {16, 4160, {1, 8, 20, 120, 400, 8000, 62649, 110000, 172800, 172800}},
                            {24, 900, {1, 4, 11, 80, 231, 1200, 8892, 50000, 130000, 172800}},
                            {32, 2700, {1, 5, 11, 70, 206, 9000, 77514, 140000, 172800, 172800}},
                            {40, 290, {1, 3, 7, 60, 221, 1500, 6684, 90000, 160000, 172800}},
                            {48, 250, {1, 6, 15, 70, 212, 900, 3252, 40000, 120000, 172800}},
                            {56, 180, {1, 3, 7, 70, 200, 1500, 8671, 90000, 160000, 172800}},
                            {64, 600, {1, 8, 20, 100, 372, 5000, 50801, 120000, 172800, 172800}},
                            {80, 220, {1, 3, 6, 60, 231, 900, 3686, 12000, 30000, 60000}},
                            {128, 500, {1, 2, 4, 5, 5, 60, 292, 20000, 100000, 172800}},
                            {160, 220, {1, 3, 5, 10, 68, 500, 2658, 60000, 172800, 172800}}},
                           {526, 272, 202},
                           1598832000,  // 2020-08-31
                           90,
                           12};
  return model;
}

/// Arrivals by hour of the day and day of the week: quiet nights, quieter weekends.
constexpr std::array<int, 24> kHours{4, 3,  2,  2,  2,  2,  3, 4, 6, 9, 11, 11,
                                     9, 10, 11, 11, 11, 10, 9, 9, 9, 8, 7,  5};
constexpr std::array<int, 7> kDays{10, 11, 11, 11, 10, 6, 5};

struct Job {
  Seconds submit = 0, start = 0, run = 0;  ///< seconds from the epoch
  int gpus = 0;
  int status = 0;  ///< place in Model::status
  std::int64_t user = 0, vc = 0;
};

/// Users and VCs of unequal size: the k-th is k + 1 times rarer than the first.
std::int64_t draw_harmonic(std::int64_t count, RandomStream& from) {
  std::int64_t total = 0;
  for (std::int64_t k = 0; k < count; ++k) total += kMillion / (k + 1);
  std::int64_t left = draw(from, 0, total - 1);
  for (std::int64_t k = 0; k < count; ++k)
    if ((left -= kMillion / (k + 1)) < 0) return k;
  return count - 1;
}

/// Times of submission by the weekly wave, sorted: people submit one job at a time or several.
std::vector<Seconds> submissions(std::size_t jobs, Seconds span, RandomStream& from) {
  std::vector<std::int64_t> up_to{0};  // weight of the hours before each
  for (Seconds hour = 0; hour * kHour < span; ++hour)
    up_to.push_back(up_to.back() + std::int64_t{kHours[static_cast<std::size_t>(hour % 24)]} *
                                       kDays[static_cast<std::size_t>(hour / 24 % 7)]);
  std::vector<Seconds> times;
  times.reserve(jobs);
  while (times.size() < jobs) {
    const std::int64_t at = draw(from, 0, up_to.back() - 1);
    const auto hour = std::upper_bound(up_to.begin(), up_to.end(), at) - up_to.begin() - 1;
    const Seconds time = std::min(span, hour * kHour + draw(from, 0, kHour - 1));
    const std::int64_t kind = draw(from, 0, 99);
    const std::int64_t batch = kind < 75 ? 1 : kind < 93 ? draw(from, 2, 4) : draw(from, 5, 20);
    for (std::int64_t i = 0; i < batch && times.size() < jobs; ++i)
      times.push_back(std::min(span, time + i / 5));  // several in one second
  }
  std::sort(times.begin(), times.end());
  return times;
}

/// When each job started in the "real" cluster: first come, first served on a pool a quarter larger
/// than the one that the load is stated for.
void record_starts(std::vector<Job>& jobs, int gpus) {
  std::priority_queue<std::pair<Seconds, int>, std::vector<std::pair<Seconds, int>>, std::greater<>>
      ends;
  std::int64_t free = std::int64_t{gpus} + gpus / 4;
  Seconds now = 0;
  for (Job& job : jobs) {
    now = std::max(now, job.submit);
    while (!ends.empty() && (ends.top().first <= now || free < job.gpus)) {
      now = std::max(now, ends.top().first);
      free += ends.top().second;
      ends.pop();
    }
    job.start = now;
    free -= job.gpus;
    ends.emplace(now + job.run, job.gpus);
  }
}

std::vector<Job> make_jobs(const SyntheticOptions& options, const Model& model) {
  const RngStreams streams{options.seed};
  RandomStream sizes = streams.stream("synthetic sizes"), runs = streams.stream("synthetic runs"),
               people = streams.stream("synthetic people"), ends = streams.stream("synthetic ends"),
               times = streams.stream("synthetic arrivals");
  std::int64_t shares = 0;
  for (const SizeClass& size : model.sizes) shares += size.gpus <= options.gpus ? size.share : 0;
  std::vector<Job> jobs(options.jobs);
  double asked = 0;  // GPU-seconds
  for (Job& job : jobs) {
    std::int64_t left = draw(sizes, 0, shares - 1);
    for (const SizeClass& size : model.sizes) {
      if (size.gpus > options.gpus || (left -= size.share) >= 0) continue;
      job.gpus = size.gpus;
      job.run = run_time(size.seconds, runs);
      break;
    }
    const std::int64_t end = draw(ends, 0, 999);
    job.status = end < model.status[0] ? 0 : end < model.status[0] + model.status[1] ? 1 : 2;
    job.user = draw_harmonic(model.users, people);
    job.vc = job.user % model.vcs;  // a user stays in one VC
    asked += static_cast<double>(job.gpus) * static_cast<double>(job.run);
  }
  const double span = asked / (options.load * options.gpus);
  if (!(span < 1e12)) throw UsageError("--load: the trace would span more than 30,000 years");
  const auto when =
      submissions(jobs.size(), std::max<Seconds>(1, static_cast<Seconds>(span)), times);
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].submit = when[i];
  record_starts(jobs, options.gpus);
  return jobs;
}

std::string calendar(const Model& model, Seconds time) {
  return calendar_text((model.epoch + time) * kMillion);
}

/// "3f9ac2": the same for the same number, without meaning.
std::string hashed(std::string_view kind, std::int64_t number) {
  return fmt::format("{:06x}", hash_text(kind, static_cast<std::uint64_t>(number)) & 0xffffffU);
}

// Philly: one JSON array, a job a line.

class PhillyText {
 public:
  explicit PhillyText(const SyntheticOptions& options)
      : options_{options},
        model_{philly_model()},
        more_{RngStreams{options.seed}.stream("synthetic philly")} {}

  std::string text() {
    std::string text = "[";
    for (const Job& job : make_jobs(options_, model_)) {
      add(job_object(job), text);
      // 117,325 jobs in the log, 111,549 that can be replayed: one in twenty never ran or still
      // runs.
      if (draw(more_, 0, 19) == 0) add(unusable(job), text);
    }
    return text + "\n]\n";
  }

 private:
  using Json = nlohmann::ordered_json;

  void add(const Json& job, std::string& text) {
    text += text.size() == 1 ? "\n" : ",\n";
    text += job.dump();
  }

  Json base(const Job& job, int status) {
    constexpr std::array<const char*, 3> kStatus{"Pass", "Killed", "Failed"};
    return {{"status", kStatus[static_cast<std::size_t>(status)]},
            {"vc", hashed("vc", job.vc)},
            {"jobid", fmt::format("application_{}_{:04}", model_.epoch * 1000 + 472019, ++number_)},
            {"attempts", Json::array()},
            {"submitted_time", calendar(model_, job.submit)},
            {"user", hashed("user", job.user)}};
  }

  /// Servers of eight GPUs, whole ones first.
  Json detail(int gpus) {
    Json list = Json::array();
    for (int left = gpus; left > 0; left -= 8) {
      Json names = Json::array();
      const int here = std::min(left, 8);
      const auto first = draw(more_, 0, 8 - here);
      for (int i = 0; i < here; ++i) names.push_back(fmt::format("gpu{}", first + i));
      list.push_back({{"ip", fmt::format("m{}", draw(more_, 1, std::max(1, options_.gpus / 8)))},
                      {"gpus", std::move(names)}});
    }
    return list;
  }

  Json attempt(const std::string& start, const std::string& end, int gpus) {
    return {{"start_time", start}, {"end_time", end}, {"detail", detail(gpus)}};
  }

  Json job_object(const Job& job) {
    Json object = base(job, job.status);
    // A failed job may have been tried up to three times; the whole span is its run.
    Seconds from = job.start;
    const Seconds end = job.start + job.run;
    const std::int64_t tries = job.status == 2 && job.run > 600 ? draw(more_, 1, 3) : 1;
    for (std::int64_t left = tries; left > 1; --left) {
      const Seconds until = from + draw(more_, 30, (end - from) / (left + 1));
      object["attempts"].push_back(
          attempt(calendar(model_, from), calendar(model_, until), job.gpus));
      from = until + draw(more_, 5, 25);
    }
    object["attempts"].push_back(
        attempt(calendar(model_, std::min(from, end)), calendar(model_, end), job.gpus));
    return object;
  }

  Json unusable(const Job& job) {
    const std::int64_t kind = draw(more_, 0, 99);
    Json object = base(job, 1);
    const std::string start = calendar(model_, job.start);
    if (kind >= 85) object["attempts"].push_back(attempt("None", start, job.gpus));
    if (kind >= 60 && kind < 85) object["attempts"].push_back(attempt(start, "None", job.gpus));
    return object;
  }

  const SyntheticOptions& options_;
  const Model& model_;
  RandomStream more_;
  std::int64_t number_ = 0;
};

// Helios: cluster_log.csv, jobs with GPUs and without.

class HeliosText {
 public:
  explicit HeliosText(const SyntheticOptions& options)
      : options_{options},
        model_{helios_model()},
        more_{RngStreams{options.seed}.stream("synthetic helios")} {}

  std::string text() {
    std::string text =
        "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
        "queue\n";
    for (const Job& job : make_jobs(options_, model_)) {
      text += row(job, static_cast<int>(draw(more_, 4, 8)) * job.gpus);
      // Venus: 121,405 jobs without GPUs beside 125,303 with them.
      if (draw(more_, 0, 1252) >= 1214) continue;
      // Drawn before the call: in which order arguments are made differs between compilers.
      const auto cpus = static_cast<int>(draw(more_, 1, 32));
      text += row(cpu_job(job), cpus);
    }
    return text;
  }

 private:
  /// Without GPUs: short, hardly ever waiting (mean 1,650 s, median 2 s in Venus).
  Job cpu_job(Job job) {
    constexpr Quantiles kSeconds{0, 1, 1, 1, 2, 40, 1200, 6000, 30000, 172800};
    job.gpus = 0;
    job.run = run_time(kSeconds, more_);
    job.start = job.submit;
    job.status = draw(more_, 0, 999) < 860 ? 0 : 1;
    return job;
  }

  std::string state(const Job& job) {
    if (job.status == 0) return "COMPLETED";
    if (job.status == 1) return "CANCELLED";
    const std::int64_t kind = draw(more_, 0, 99);
    return kind < 90 ? "FAILED" : kind < 97 ? "TIMEOUT" : "NODE_FAIL";
  }

  std::string row(const Job& job, int cpus) {
    number_ += draw(more_, 1, 9);  // a Slurm number, shared with other clusters
    return fmt::format("{},u{},vc{},{},{},{},{},{},{},{},{},{}\n", number_,
                       hashed("u", job.user).substr(0, 4), hashed("v", job.vc).substr(0, 3),
                       job.gpus, cpus, std::max(1, (job.gpus + 7) / 8), state(job),
                       calendar(model_, job.submit), calendar(model_, job.start),
                       calendar(model_, job.start + job.run), job.run, job.start - job.submit);
  }

  const SyntheticOptions& options_;
  const Model& model_;
  RandomStream more_;
  std::int64_t number_ = 500000;
};

}  // namespace

std::string generate_trace(const SyntheticOptions& options) {
  if (options.jobs < 1 || options.jobs > 20'000'000)
    throw UsageError(fmt::format("--jobs must be between 1 and 20000000, got {}", options.jobs));
  if (options.gpus < 1 || options.gpus > 1'000'000)
    throw UsageError(fmt::format("--gpus must be between 1 and 1000000, got {}", options.gpus));
  if (!(options.load >= 0.001) || options.load > 1000)
    throw UsageError(fmt::format("--load must be between 0.001 and 1000, got {}", options.load));
  if (options.like == "philly") return PhillyText{options}.text();
  if (options.like == "helios") return HeliosText{options}.text();
  throw UsageError(fmt::format("--like: {} is none of philly, helios{}", quote(options.like),
                               did_you_mean(options.like, {"philly", "helios"})));
}

}  // namespace orrery
