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
    State(TextInput& text, const ReadLimits& limits)
        : input{&text}, longest{limits.longest_line}, buffer(1 << 16) {
      fill();
    }
    void fill() {
      size = input->read(buffer.data(), buffer.size());
      at = 0;
      // The parser keeps a whole text in memory before it hands it over: stop it in time.
      since_value += size;
      if (since_value > longest + 2 * buffer.size())
        throw InputError(fmt::format("{}:{}:{}: a text longer than the limit of {} bytes",
                                     input->name(), line, column, longest));
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
    std::size_t longest;
    std::vector<char> buffer;
    std::size_t at = 0, size = 0, line = 1, column = 1;
    std::size_t since_value = 0;  ///< bytes read since the last value was complete
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

/// Where in the log the parser stands; `other` is whatever the format does not speak of.
enum class Place : std::uint8_t { top, jobs, job, attempts, attempt, servers, server, gpus, other };

/// Puts the events of the SAX parser together into jobs: array > job > attempts > attempt > detail
/// > server > gpus.
class JobHandler final : public nlohmann::json_sax<Json> {
 public:
  using Finished = std::function<void(const Job&)>;
  JobHandler(const ReadLimits& limits, Characters::State& text, Finished finished)
      : limits_{limits}, text_{&text}, finished_{std::move(finished)} {}

  bool null() override { return value({}); }
  bool boolean(bool is) override { return value(is ? "true" : "false"); }
  bool number_integer(number_integer_t number) override { return value(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& text) override { return value(text); }
  bool string(string_t& text) override { return value(text); }
  bool binary(binary_t&) override { return value({}); }

  bool start_object(std::size_t) override {
    if (!descend(place_of_object())) return false;
    keys_.emplace_back();
    if (place() == Place::job) {
      job_ = Job{};
      job_.line = text_->line;
    } else if (place() == Place::attempt) {
      job_.attempts.emplace_back();
    } else if (place() == Place::server) {
      machine_.clear();
      machine_gpus_ = 0;
    }
    return true;
  }
  bool key(string_t& name) override {
    text_->since_value = 0;
    if (!keys_.back().insert(name).second)
      return fail(fmt::format("the key {} stands twice in one object", quote(name)));
    key_ = name;
    return true;
  }
  bool end_object() override {
    text_->since_value = 0;
    keys_.pop_back();
    if (place() == Place::job) finished_(job_);
    if (place() == Place::server && machine_gpus_ > 0) {
      int& highest = machines_.try_emplace(machine_, 0).first->second;
      highest = std::max(highest, machine_gpus_);
    }
    places_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return descend(place_of_array()); }
  bool end_array() override {
    text_->since_value = 0;
    places_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    // "[json...101] parse error at line 1, column 2: syntax error while ...; last read: '...'": the
    // place is told anyway, and the text read may hold anything.
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
    if (what.starts_with("parse error at ")) what.remove_prefix(what.find(": ") + 2);
    return fail("this is not JSON: " + printable(what));
  }

  const std::string& failure() const { return failure_; }
  const Machines& machines() const { return machines_; }

 private:
  Place place() const { return places_.empty() ? Place::top : places_.back(); }
  /// What an object or an array is that begins here.
  Place place_of_object() const {
    switch (place()) {
      case Place::jobs:
        return Place::job;
      case Place::attempts:
        return Place::attempt;
      case Place::servers:
        return Place::server;
      default:
        return Place::other;
    }
  }
  Place place_of_array() const {
    if (place() == Place::top) return Place::jobs;
    if (place() == Place::job && key_ == "attempts") return Place::attempts;
    if (place() == Place::attempt && key_ == "detail") return Place::servers;
    if (place() == Place::server && key_ == "gpus") return Place::gpus;
    return Place::other;
  }
  bool descend(Place to) {
    text_->since_value = 0;
    if (places_.size() >= limits_.deepest_json)
      return fail(fmt::format("nested deeper than the limit of {}", limits_.deepest_json));
    if (place() == Place::top && to != Place::jobs)
      return fail("the log must be an array of jobs, not one object");
    if (!fits(to == Place::other)) return false;
    key_.clear();
    places_.push_back(to);
    return true;
  }
  /// False, with the reason, when something else stands where the format has its own arrays and
  /// objects.
  bool fits(bool other) {
    if (!other) return true;
    switch (place()) {
      case Place::top:
      case Place::jobs:
        return fail("the log must be an array of jobs, each an object");
      case Place::job:
        return key_ != "attempts" || fail("'attempts' must be an array of objects");
      case Place::attempts:
        return fail("'attempts' must be an array of objects");
      case Place::attempt:
        return key_ != "detail" || fail("'detail' must be an array of objects");
      case Place::servers:
        return fail("'detail' must be an array of objects");
      case Place::server:
        return key_ != "gpus" || fail("'gpus' must be an array of texts");
      case Place::gpus:
        return fail("'gpus' must be an array of texts");
      case Place::other:
        break;
    }
    return true;
  }
  bool fail(std::string message) {
    failure_ = std::move(message);
    return false;
  }
  bool value(std::string text) {
    text_->since_value = 0;
    if (text.size() > limits_.longest_line)
      return fail(fmt::format("a text longer than the limit of {} bytes", limits_.longest_line));
    const bool named =
        place() == Place::job || place() == Place::attempt || place() == Place::server;
    // A name's null stands for an empty array; in an array it is no job, server or GPU.
    if (place() == Place::gpus ? !fits(text.empty()) : !fits(!named || !text.empty())) return false;
    if (place() == Place::gpus) {
      ++job_.attempts.back().gpus;
      note_gpu(text);
      return true;
    }
    const std::string key = std::exchange(key_, {});
    if (place() == Place::job) {
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
    } else if (place() == Place::attempt) {
      if (key == "start_time")
        job_.attempts.back().start = std::move(text);
      else if (key == "end_time")
        job_.attempts.back().end = std::move(text);
    } else if (place() == Place::server && key == "ip") {
      machine_ = std::move(text);
    }
    return true;
  }
  /// "gpu7" was in use on the machine, whose name may come later.
  void note_gpu(std::string_view text) {
    if (!text.starts_with("gpu")) return;
    const auto index = parse_whole(text.substr(3));
    if (!index || *index < 0 || *index > 1023) return;
    machine_gpus_ = std::max(machine_gpus_, static_cast<int>(*index) + 1);
  }

  ReadLimits limits_;
  Characters::State* text_;
  Finished finished_;
  std::string key_, failure_, machine_;
  int machine_gpus_ = 0;  // highest index used in the server at hand, plus one
  std::vector<Place> places_;
  std::vector<std::set<std::string>> keys_;
  Job job_;
  Machines machines_;
};

class PhillyLoader {
 public:
  PhillyLoader(TextInput& input, const LoadOptions& options)
      : input_{&input},
        options_{&options},
        collector_{input.name(), options},
        text_{input, options.limits} {
    if (!options.map.empty())
      throw UsageError("--map: the Philly job log is JSON and has no columns");
    collector_.rows_are_attempts();
  }

  LoadedTrace load(const std::string& path) {
    JobHandler handler{options_->limits, text_, [this](const Job& job) { take(job); }};
    if (!Json::sax_parse(Characters{text_}, Characters{}, &handler)) {
      ErrorList errors{input_->name()};
      errors.add(text_.line, text_.column, handler.failure());
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
    const int gpus = job.attempts.front().gpus;
    if (gpus == 0) return leave_out(job, "no GPUs in the first attempt");
    if (gpus > WorkloadBuilder::kLargestGang)
      collector_.fault(job.line, 0,
                       fmt::format("job {}: an attempt must have at most {} GPUs, got {}",
                                   quote(job.id), WorkloadBuilder::kLargestGang, gpus));
    SimTime first = kNever;
    std::optional<SimTime> end;  // of the last attempt, whatever the others say
    Duration sum{};
    for (const Attempt& attempt : job.attempts) {
      const auto from = time(job, "start_time", attempt.start);
      const auto to = time(job, "end_time", attempt.end);
      end = to;
      if (from) first = std::min(first, *from);
      if (from && to && *to < *from)
        collector_.fault(
            job.line, 0,
            fmt::format("job {}: an attempt must end at or after its start, got {} to {}",
                        quote(job.id), quote(attempt.start), quote(attempt.end)));
      if (from && to) sum = std::min(sum + (*to - *from), kLongestTime + Duration{1});
    }
    if (options_->run_time == RunTimeRule::attempts && sum > kLongestTime)
      collector_.fault(
          job.line, 0,
          fmt::format("job {}: its attempts add up to more than 9,100 years", quote(job.id)));
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
                    .gang_size = gpus,
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
    if (zoned_.value_or(read->zoned) != read->zoned) {
      collector_.fault(job.line, 0,
                       fmt::format("job {}: {} must name {} time zone, as the times before, got {}",
                                   quote(job.id), field, *zoned_ ? "a" : "no", quote(text)));
      return std::nullopt;
    }
    zoned_ = read->zoned;
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
  Characters::State text_;
  CalendarParser calendar_;
  std::optional<bool> zoned_;  // by the first time read
};

}  // namespace

LoadedTrace load_philly_json(TextInput& input, const LoadOptions& options,
                             const std::string& path) {
  return PhillyLoader{input, options}.load(path);
}

}  // namespace orrery
