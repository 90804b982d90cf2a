// Philly, the original cluster_job_log (Microsoft, ATC 2019): one JSON array of jobs with their
// scheduling attempts, read as a stream.
#include "trace/csv_reader.hpp"
#include "trace/fields.hpp"
#include "trace/formats.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace orrery {
namespace {

using Json = nlohmann::json;

/// The input as characters, counting lines on the way.
class Characters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  struct State {
    explicit State(TextInput& text) : input{&text}, buffer(1 << 16) { fill(); }
    void fill() {
      size = input->read(buffer.data(), buffer.size());
      at = 0;
    }
    void advance() {
      if (buffer[at] == '\n') {
        ++line;
        column = 0;
      }
      ++column;
      if (++at == size) fill();
    }
    TextInput* input;
    std::vector<char> buffer;
    std::size_t at = 0, size = 0, line = 1, column = 1;
  };

  Characters() = default;
  explicit Characters(State& state) : state_{&state} {}
  reference operator*() const { return state_->buffer[state_->at]; }
  Characters& operator++() {
    state_->advance();
    return *this;
  }
  Characters operator++(int) {
    Characters before{*this};
    state_->advance();
    return before;
  }
  bool operator==(const Characters& other) const { return at_end() == other.at_end(); }
  bool operator!=(const Characters& other) const { return !(*this == other); }

 private:
  bool at_end() const { return state_ == nullptr || state_->at == state_->size; }
  State* state_ = nullptr;
};

struct Attempt {
  std::string start, end;
  int gpus = 0;
};

struct Job {
  std::string id, vc, user, status, submitted;
  std::vector<Attempt> attempts;
  std::size_t line = 0;
};

/// Highest GPU index used on each machine, against the machine list beside the log.
using Machines = std::map<std::string, int>;

constexpr std::string_view kInJob = "[{";
constexpr std::string_view kInAttempts = "[{attempts[";
constexpr std::string_view kInAttempt = "[{attempts[{";
constexpr std::string_view kInServer = "[{attempts[{detail[{";
constexpr std::string_view kInGpus = "[{attempts[{detail[{gpus[";

/// Puts the events of the SAX parser together into jobs: array > job > attempts > attempt > detail
/// > server > gpus.
class JobHandler final : public nlohmann::json_sax<Json> {
 public:
  using Finished = std::function<void(const Job&)>;
  JobHandler(const ReadLimits& limits, const Characters::State& place, Finished finished)
      : limits_{limits}, place_{&place}, finished_{std::move(finished)} {}

  bool null() override { return value({}); }
  bool boolean(bool) override { return value({}); }
  bool number_integer(number_integer_t number) override { return value(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& text) override { return value(text); }
  bool string(string_t& text) override { return value(text); }
  bool binary(binary_t&) override { return value({}); }

  bool start_object(std::size_t) override {
    if (path_.empty()) return fail("the log must be an array of jobs, not one object");
    if (!descend('{')) return false;
    keys_.emplace_back();
    if (path_ == kInJob) {
      job_ = Job{};
      job_.line = place_->line;
    } else if (path_ == kInAttempt) {
      job_.attempts.emplace_back();
    }
    return true;
  }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second)
      return fail(fmt::format("the key {} stands twice in one object", quote(name)));
    key_ = name;
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    if (path_ == kInJob) finished_(job_);
    return ascend();
  }
  bool start_array(std::size_t) override { return descend('['); }
  bool end_array() override { return ascend(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    const std::string what = error.what();
    const auto colon = what.rfind(": ");
    return fail("this is not JSON: " +
                (colon == std::string::npos ? what : what.substr(colon + 2)));
  }

  const std::string& failure() const { return failure_; }
  const Machines& machines() const { return machines_; }

 private:
  /// The path to the value at hand: the keys of the open objects, each followed by "{" or "[".
  bool descend(char bracket) {
    if (starts_.size() >= limits_.deepest_json)
      return fail(fmt::format("nested deeper than the limit of {}", limits_.deepest_json));
    starts_.push_back(path_.size());
    path_ += std::exchange(key_, {});
    path_ += bracket;
    return true;
  }
  bool ascend() {
    path_.resize(starts_.back());
    starts_.pop_back();
    return true;
  }
  bool fail(std::string message) {
    failure_ = std::move(message);
    return false;
  }
  bool value(std::string text) {
    if (text.size() > limits_.longest_line)
      return fail(fmt::format("a text longer than the limit of {} bytes", limits_.longest_line));
    const std::string key = std::exchange(key_, {});
    if (path_ == kInJob) {
      if (key == "jobid")
        job_.id = std::move(text);
      else if (key == "vc")
        job_.vc = std::move(text);
      else if (key == "user")
        job_.user = std::move(text);
      else if (key == "status")
        job_.status = std::move(text);
      else if (key == "submitted_time")
        job_.submitted = std::move(text);
    } else if (path_ == kInAttempt) {
      if (key == "start_time")
        job_.attempts.back().start = std::move(text);
      else if (key == "end_time")
        job_.attempts.back().end = std::move(text);
    } else if (path_ == kInServer && key == "ip") {
      machine_ = std::move(text);
    } else if (path_ == kInGpus) {
      ++job_.attempts.back().gpus;
      note_gpu(text);
    }
    return true;
  }
  /// "gpu7" was in use on the machine.
  void note_gpu(std::string_view text) {
    if (!text.starts_with("gpu")) return;
    const auto index = parse_whole(text.substr(3));
    if (!index || *index < 0 || *index > 1023) return;
    int& highest = machines_.try_emplace(machine_, 0).first->second;
    highest = std::max(highest, static_cast<int>(*index) + 1);
  }

  ReadLimits limits_;
  const Characters::State* place_;
  Finished finished_;
  std::string path_, key_, failure_, machine_;
  std::vector<std::size_t> starts_;
  std::vector<std::set<std::string>> keys_;
  Job job_;
  Machines machines_;
};

class PhillyLoader {
 public:
  PhillyLoader(TextInput& input, const LoadOptions& options)
      : input_{&input}, options_{&options}, collector_{input.name(), options}, place_{input} {}

  LoadedTrace load(const std::string& path) {
    JobHandler handler{options_->limits, place_, [this](const Job& job) { take(job); }};
    if (!Json::sax_parse(Characters{place_}, Characters{}, &handler)) {
      ErrorList errors{input_->name()};
      errors.add(place_.line, place_.column, handler.failure());
      errors.throw_if_any();
    }
    compare_machine_list(handler.machines(), path);
    return collector_.finish("philly", options_->run_time == RunTimeRule::span
                                           ? "span: first start to last end"
                                           : "sum of the complete attempts");
  }

 private:
  /// GPUs of the first attempt; first start to last end, whatever stands between; or the sum of the
  /// attempts with both times.
  void take(const Job& job) {
    collector_.count_read();
    if (job.id.empty() || job.id.size() > 1024)
      collector_.fault(job.line, 0, "a job must have a jobid of 1 to 1024 bytes");
    const auto submitted = time(job, "submitted_time", job.submitted);
    if (collector_.row_failed()) return;
    if (!submitted) return leave_out(job, "no submit time");
    if (job.attempts.empty()) return leave_out(job, "no attempt (never ran)");
    if (job.attempts.front().gpus == 0) return leave_out(job, "no GPUs in the first attempt");
    const auto start = time(job, "start_time", job.attempts.front().start);
    const auto end = time(job, "end_time", job.attempts.back().end);
    SimTime first = start.value_or(kNever);
    Duration sum{};
    for (const Attempt& attempt : job.attempts) {
      const auto from = time(job, "start_time", attempt.start);
      const auto to = time(job, "end_time", attempt.end);
      if (from) first = std::min(first, *from);
      if (from && to && *to < *from)
        collector_.fault(
            job.line, 0,
            fmt::format("job {}: an attempt must end at or after its start, got {} to {}",
                        quote(job.id), quote(attempt.start), quote(attempt.end)));
      if (from && to) sum += *to - *from;
    }
    if (collector_.row_failed()) return;
    if (first == kNever) return leave_out(job, "no start time");
    if (!end) return leave_out(job, "no end time (still running)");
    if (*end < first || first < *submitted) {
      collector_.fault(job.line, 0,
                       fmt::format("job {}: submit, first start and last end must be in this order",
                                   quote(job.id)));
      collector_.row_failed();
      return;
    }
    collector_.add({.id = job.id,
                    .arrival = *submitted,
                    .run_time = options_->run_time == RunTimeRule::span ? *end - first : sum,
                    .gang_size = job.attempts.front().gpus,
                    .walltime = {},
                    .vc = job.vc,
                    .user = job.user,
                    .name = {},
                    .model = {},
                    .status = parse_status(job.status),
                    .recorded_start = first});
  }

  void leave_out(const Job& job, std::string_view reason) {
    collector_.leave_out(reason, job.line, 0);
  }

  std::optional<SimTime> time(const Job& job, std::string_view field, std::string_view text) {
    if (is_missing(text)) return std::nullopt;
    const auto read = calendar_(text);
    if (!read || read->micros < 0) {
      collector_.fault(job.line, 0,
                       fmt::format("job {}: {} must be a time like 2017-10-07 01:00:10, got {}",
                                   quote(job.id), field, quote(text)));
      return std::nullopt;
    }
    collector_.set_calendar(read->zoned);
    return at(Duration{read->micros});
  }

  /// The published list is stale: what it says is compared with the GPUs seen in use, and never
  /// used to refuse a job.
  void compare_machine_list(const Machines& machines, const std::string& path) {
    constexpr std::size_t kMostNotices = 10;
    if (path == "-") return;
    std::filesystem::path list;
    for (const char* name : {"cluster_machine_list", "cluster_machine_list.csv"}) {
      const auto beside = std::filesystem::path{path}.parent_path() / name;
      std::error_code ignored;
      if (list.empty() && std::filesystem::is_regular_file(beside, ignored)) list = beside;
    }
    if (list.empty()) return;
    TextInput input{list.string(), options_->limits};
    CsvReader rows{input, options_->limits};
    std::size_t conflicts = 0;
    while (rows.next()) {
      if (rows.fields().size() < 2) continue;
      const auto seen = machines.find(std::string{rows.fields()[0]});
      const auto listed = parse_whole(rows.fields()[1]);
      if (seen == machines.end() || !listed || *listed >= seen->second ||
          ++conflicts > kMostNotices)
        continue;
      collector_.notice(
          fmt::format("machine {}: the machine list says {} GPUs, jobs used gpu{}; the jobs are "
                      "kept as they are",
                      printable(seen->first), *listed, seen->second - 1));
    }
    if (conflicts > kMostNotices)
      collector_.notice(fmt::format("{} more machines have fewer GPUs in the list than jobs used",
                                    conflicts - kMostNotices));
  }

  TextInput* input_;
  const LoadOptions* options_;
  Collector collector_;
  Characters::State place_;
  CalendarParser calendar_;
};

}  // namespace

LoadedTrace load_philly_json(TextInput& input, const LoadOptions& options,
                             const std::string& path) {
  return PhillyLoader{input, options}.load(path);
}

}  // namespace orrery
