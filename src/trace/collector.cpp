#include "trace/collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace orrery {

JobRow row_of(const Workload& workload, JobId job) {
  return {.id = workload.id_text(job),
          .arrival = workload.arrival(job),
          .run_time = workload.truth().run_time(job),
          .gang_size = workload.gang_size(job),
          .walltime = workload.walltime(job),
          .vc = workload.vcs()[workload.vc(job)],
          .user = workload.users()[workload.user(job)],
          .name = workload.job_names()[workload.name(job)],
          .model = workload.models()[workload.model(job)],
          .status = workload.truth().status(job),
          .recorded_start = workload.truth().recorded_start(job)};
}

void Collector::count(std::string_view reason, std::uint64_t jobs) {
  const auto same =
      std::ranges::find(report_.left_out, reason, &std::pair<std::string, std::uint64_t>::first);
  if (same == report_.left_out.end()) {
    report_.left_out.emplace_back(reason, jobs);
  } else {
    same->second += jobs;
  }
}

void Collector::leave_out(std::string_view reason, std::size_t line, std::size_t column) {
  if (options_.strictness == Strictness::strict) {
    errors_.add(line, column, fmt::format("{}; --strict replays every row", reason));
  } else if (!row_failed_) {  // else the row is counted as malformed already
    count(reason, 1);
  }
}

void Collector::fault(std::size_t line, std::size_t column, std::string_view message) {
  if (options_.strictness != Strictness::lenient) {
    errors_.add(line, column, message);
  } else if (!row_failed_) {
    count("malformed", 1);
  }
  row_failed_ = true;
}

void Collector::add(const JobRow& row) {
  sorted_ = sorted_ && row.arrival >= last_arrival_;
  last_arrival_ = row.arrival;
  first_arrival_ = std::min(first_arrival_, row.arrival);
  builder_.add(row);
}

LoadedTrace Collector::finish(std::string format, std::string run_time_meaning) {
  errors_.throw_if_any();
  report_.format = std::move(format);
  report_.run_time_meaning = std::move(run_time_meaning);
  if (!sorted_)
    notice("rows are not in order of submit time; jobs are sorted by submit time, id and row");
  if (calendar_ && builder_.size() > 0) {
    builder_.shift_origin(first_arrival_.time_since_epoch());
    builder_.set_calendar_origin(micros(first_arrival_));
  }
  Workload workload = builder_.build();
  if (attempts_) merge_attempts(workload);
  report_repeated_ids(workload);
  if (selects()) workload = select(std::move(workload));
  report_.replayed = workload.size();
  report_.zoned = zoned_;
  return {.workload = std::move(workload), .report = std::move(report_)};
}

/// In canonical order the attempts of a job stand side by side.
void Collector::merge_attempts(Workload& workload) {
  const auto same_job = [&](std::size_t a, std::size_t b) {
    return workload.arrival(JobId{a}) == workload.arrival(JobId{b}) &&
           workload.id_text(JobId{a}) == workload.id_text(JobId{b});
  };
  std::vector<std::uint32_t> attempt_of(workload.size());  // first attempt of each row's job
  std::uint64_t merged = 0;
  std::string example;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const bool again = i > 0 && same_job(i - 1, i);
    attempt_of[i] = again ? attempt_of[i - 1] : static_cast<std::uint32_t>(i);
    if (again && example.empty()) example = workload.id_text(JobId{i});
    merged += again ? 1 : 0;
  }
  if (merged == 0) return;
  struct Job {
    SimTime start, end;
    int gang_size = 1;  // of the attempt that started first
    Duration attempts{};
    TraceStatus status = TraceStatus::unknown;
  };
  std::unordered_map<std::uint32_t, Job> jobs;  // looked up, never iterated
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const JobRow row = row_of(workload, JobId{i});
    const SimTime start = row.recorded_start.value_or(row.arrival);
    const auto [job, first] = jobs.try_emplace(
        attempt_of[i],
        Job{.start = start, .end = start + row.run_time, .gang_size = row.gang_size});
    if (start < job->second.start) {
      job->second.start = start;
      job->second.gang_size = row.gang_size;
    }
    if (first || start + row.run_time >= job->second.end) job->second.status = row.status;
    job->second.end = std::max(job->second.end, start + row.run_time);
    job->second.attempts =
        std::min(job->second.attempts + row.run_time, kLongestTime + Duration{1});
    if (options_.run_time == RunTimeRule::attempts && job->second.attempts > kLongestTime)
      throw InputError(
          fmt::format("job {}: its attempts add up to more than 9,100 years", quote(row.id)));
  }
  WorkloadBuilder builder;
  for (std::size_t k = 0; k < workload.size(); ++k) {
    const JobId job = workload.at_row(k);
    if (attempt_of[job.index()] != job.index()) continue;
    const Job& whole = jobs.at(static_cast<std::uint32_t>(job.index()));
    JobRow row = row_of(workload, job);
    row.run_time =
        options_.run_time == RunTimeRule::span ? whole.end - whole.start : whole.attempts;
    row.gang_size = whole.gang_size;
    row.recorded_start = whole.start;
    row.status = whole.status;
    builder.add(row);
  }
  if (workload.calendar_origin()) builder.set_calendar_origin(*workload.calendar_origin());
  workload = builder.build();
  report_.read -= merged;
  notice(fmt::format(
      "{} rows repeat the id and submit time of another (first: {}): attempts of one job", merged,
      quote(example)));
}

void Collector::report_repeated_ids(const Workload& workload) {
  bool ascending = true;
  for (std::size_t i = 1; i < workload.size() && ascending; ++i)
    ascending = id_before(workload.id_text(JobId{i - 1}), workload.id_text(JobId{i}));
  if (ascending) return;
  std::unordered_map<std::string_view, std::uint32_t> seen;  // looked up, never iterated
  seen.reserve(workload.size());
  std::uint64_t repeated = 0;
  std::string_view example;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    if (++seen[workload.id_text(JobId{i})] != 2) continue;
    if (repeated++ == 0) example = workload.id_text(JobId{i});
  }
  if (repeated > 0)
    notice(fmt::format("{} ids name more than one job (first: {}): they are kept as separate jobs",
                       repeated, quote(example)));
}

bool Collector::selects() const {
  return options_.from || options_.to || options_.limit || !options_.vcs.empty() ||
         !options_.statuses.empty() || options_.load != 1;
}

Workload Collector::select(Workload all) {
  if (!(options_.load > 0))
    throw UsageError(fmt::format("--load must be more than 0, got {}", options_.load));
  const auto bound = [&](const std::optional<TimeBound>& text) {
    return text ? std::optional{instant_of(*text, all, zoned_)} : std::nullopt;
  };
  const auto from = bound(options_.from), to = bound(options_.to);
  const auto wanted = [](const std::vector<std::string>& list, std::string_view value) {
    return list.empty() || std::ranges::find(list, value) != list.end();
  };
  const auto status_word = [](TraceStatus status) -> std::string_view {
    switch (status) {
      case TraceStatus::completed:
        return "completed";
      case TraceStatus::killed:
        return "killed";
      case TraceStatus::failed:
        return "failed";
      case TraceStatus::unknown:
        break;
    }
    return "unknown";
  };
  std::vector<bool> keep(all.size());
  std::uint64_t kept = 0, outside = 0, other_vc = 0, other_status = 0, past_limit = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {  // canonical order, which --limit counts in
    const JobId job{i};
    if ((from && all.arrival(job) < *from) || (to && all.arrival(job) >= *to)) {
      ++outside;
    } else if (!wanted(options_.vcs, all.vcs()[all.vc(job)])) {
      ++other_vc;
    } else if (!wanted(options_.statuses, status_word(all.truth().status(job)))) {
      ++other_status;
    } else if (options_.limit && kept == *options_.limit) {
      ++past_limit;
    } else {
      keep[i] = true;
      ++kept;
    }
  }
  if (outside > 0) count("outside --from and --to", outside);
  if (other_vc > 0) count("not in a chosen VC", other_vc);
  if (other_status > 0) count("not of a chosen status", other_status);
  if (past_limit > 0) count("past --limit", past_limit);
  if (kept == 0 && all.size() > 0) {
    const SimTime last = all.arrival(JobId{all.size() - 1});
    notice(all.calendar_origin()
               ? fmt::format("no job is selected; the trace has submits from {} to {}",
                             calendar_text(*all.calendar_origin()),
                             calendar_text(*all.calendar_origin() + micros(last)))
               : fmt::format("no job is selected; the trace has submits from {} s to {} s",
                             seconds_text(all.arrival(JobId{0U}).time_since_epoch()),
                             seconds_text(last.time_since_epoch())));
  }
  SimTime first = kNever;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (keep[i]) first = std::min(first, all.arrival(JobId{i}));
  WorkloadBuilder builder;
  builder.reserve(kept);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const JobId job = all.at_row(k);
    if (!keep[job.index()]) continue;
    JobRow row = row_of(all, job);
    if (options_.load !=
        1) {  // the gaps are divided; what the real cluster did says nothing of the new arrivals
      const double gap = static_cast<double>(micros(row.arrival - first)) / options_.load;
      if (!(gap < static_cast<double>(micros(kLongestTime - (first - SimTime{})))))
        throw UsageError(
            fmt::format("--load {} stretches the trace past the longest time", options_.load));
      row.arrival = first + Duration{static_cast<std::int64_t>(gap + 0.5)};
      row.recorded_start.reset();
    }
    builder.add(row);
  }
  if (all.calendar_origin()) builder.set_calendar_origin(*all.calendar_origin());
  return builder.build();
}

}  // namespace orrery
