// orrery diff: where two runs part. Both are carried out again, side by side.
#include "app/commands.hpp"
#include "app/manifest.hpp"
#include "app/prepare.hpp"
#include "app/result_difference.hpp"
#include "report/json_parts.hpp"

#include "orrery/base/error.hpp"
#include "orrery/inspect/divergence.hpp"
#include "orrery/report/job_files.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace orrery::app {
namespace {

/// One of the two runs, ready to be carried out. It stays where it was made.
class Replay {
 public:
  Replay(const Manifest& manifest, const Console& console)
      : prepared_{prepare(manifest.settings, console)}, tape{prepared_.trace.workload} {
    recorder_.add(tape, HistoryTape::kWants);
    recorder_.add(fingerprint, Recorder::kHistory);
    const RunOptions& options = prepared_.options;
    run.emplace(workload(), prepared_.topology,
                policy_choice(manifest.settings.policies.front(), options), options.sim, recorder_);
  }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  const Workload& workload() const { return prepared_.trace.workload; }

 private:
  Prepared prepared_;  // before what refers to it
  Recorder recorder_;

 public:
  HistoryTape tape;
  Fingerprint fingerprint;
  std::optional<Simulator> run;
};

constexpr std::array<const char*, 2> kNames{"A", "B"};

/// A setting that the two manifests give different values.
struct OtherSetting {
  std::string key, first, second;
};

std::vector<OtherSetting> other_settings(const Manifest& first, const Manifest& second) {
  constexpr std::array<std::string_view, 6> kOfFiles{"out",    "force",       "json",
                                                     "verify", "snapshot_at", "report"};
  const auto text = [](const nlohmann::json& settings, const std::string& key) -> std::string {
    const auto value = settings.find(key);
    if (value == settings.end()) return "nothing";
    return value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  nlohmann::json keys = first.json["settings"];
  keys.update(second.json["settings"]);
  std::vector<OtherSetting> others;
  for (const auto& [key, unused] : keys.items()) {
    OtherSetting one{key, text(first.json["settings"], key), text(second.json["settings"], key)};
    if (one.first != one.second && std::ranges::find(kOfFiles, key) == kOfFiles.end())
      others.push_back(std::move(one));
  }
  return others;
}

std::string entries_text(std::uint64_t entries) {
  return counted(entries, "entry", "entries");
}

std::string entry_text(const std::optional<KeptEntry>& entry) {
  if (!entry) return "nothing more: its history is over";
  const std::string where = allocation_text(entry->slices);
  return fmt::format("{} s  {} job {}, {}{}", seconds_text(entry->time.time_since_epoch()),
                     name(entry->verb), printable(entry->job_id),
                     counted(entry->gpus, "GPU", "GPUs"), where.empty() ? "" : " on " + where);
}

Json entry_json(const std::optional<KeptEntry>& entry) {
  if (!entry) return nullptr;
  return {{"time_us", micros(entry->time)},
          {"verb", name(entry->verb)},
          {"job_id", entry->job_id},
          {"gpus", entry->gpus},
          {"allocation", allocation_text(entry->slices)}};
}

/// What a run says of a job where it stopped.
std::string standing_text(const Replay& side, const std::string& id) {
  const std::vector<std::size_t> rows = rows_of(side.workload(), id);
  if (rows.size() != 1) return "no job of this id, or several";
  const JobId job = side.workload().at_row(rows.front() - 1);
  const Standing standing = side.run->standing(job);
  switch (standing.phase) {
    case Standing::Phase::unseen:
      return "is not submitted yet";
    case Standing::Phase::holding:
      return "holds GPUs";
    case Standing::Phase::gone:
      return "has ended";
    case Standing::Phase::waiting:
      break;
  }
  const Obstacles obstacles = side.run->obstacles(job);
  std::string text =
      fmt::format("waits ({}); {} free, {} before it", name(standing.cause),
                  counted(static_cast<std::uint64_t>(obstacles.free_gpus), "GPU", "GPUs"),
                  counted(obstacles.ahead.size(), "job", "jobs"));
  if (!obstacles.ahead.empty())
    text += ", first " + printable(side.workload().id_text(obstacles.ahead.front().job));
  return text;
}

/// Every job that the two do something else with, and how it stands in both.
struct JobStanding {
  std::string job;
  std::array<std::string, 2> in;
};

std::vector<JobStanding> standings(const std::array<const Replay*, 2>& sides,
                                   const Divergence& found) {
  std::vector<JobStanding> all;
  for (const auto* entry : {&found.first, &found.second})
    if (*entry && (all.empty() || all.front().job != (*entry)->job_id))
      all.push_back({(*entry)->job_id,
                     {standing_text(*sides[0], (*entry)->job_id),
                      standing_text(*sides[1], (*entry)->job_id)}});
  return all;
}

std::string text_of(const DivergenceSearch& search, const std::array<const Replay*, 2>& sides,
                    const std::vector<OtherSetting>& others) {
  const Divergence& found = *search.found;
  std::string text = fmt::format("the runs part at entry {} of their histories: {}\n",
                                 grouped(search.in_common + 1), found.field);
  text += "A  " + entry_text(found.first) + "\nB  " + entry_text(found.second) + "\n";
  text += fmt::format("\n{} in common{}\n", entries_text(search.in_common),
                      found.last_in_common.empty() ? "" : ", the last:");
  for (const KeptEntry& entry : found.last_in_common) text += "   " + entry_text(entry) + "\n";
  constexpr std::size_t kShown = 8;
  for (std::size_t s = 0; s < 2; ++s) {
    const auto& instant = s == 0 ? found.instant_of_first : found.instant_of_second;
    text += fmt::format("\nfrom there on in this instant, {}:{}\n", kNames[s],
                        instant.empty() ? " nothing" : "");
    for (std::size_t i = 0; i < std::min(instant.size(), kShown); ++i)
      text += "   " + entry_text(instant[i]) + "\n";
    if (instant.size() > kShown)
      text += fmt::format("   {} more\n", grouped(instant.size() - kShown));
  }
  for (const JobStanding& one : standings(sides, found)) {
    text += fmt::format("\njob {} after it\n", printable(one.job));
    for (std::size_t s = 0; s < 2; ++s)
      text += fmt::format("{}  at {} s: {}\n", kNames[s],
                          seconds_text(sides[s]->run->now().time_since_epoch()), one.in[s]);
  }
  if (!others.empty()) text += "\nsettings that differ\n";
  for (const OtherSetting& other : others)
    text += fmt::format("   {}: A {}, B {}\n", other.key, printable(other.first, 80),
                        printable(other.second, 80));
  return text;
}

Json entries_json(const std::vector<KeptEntry>& entries) {
  Json list = Json::array();
  for (const KeptEntry& entry : entries) list.push_back(entry_json(entry));
  return list;
}

Json json_of(const DivergenceSearch& search, const std::array<const Replay*, 2>& sides,
             const std::vector<OtherSetting>& others) {
  Json settings = Json::array();
  for (const OtherSetting& other : others)
    settings.push_back({{"key", other.key}, {"a", other.first}, {"b", other.second}});
  Json json{{"same", !search.found},
            {"entries_in_common", search.in_common},
            {"other_settings", std::move(settings)}};
  if (!search.found) {
    json["fingerprint"] = fingerprint_text(sides[0]->fingerprint.value());
    return json;
  }
  const Divergence& found = *search.found;
  json["field"] = found.field;
  json["a"] = entry_json(found.first);
  json["b"] = entry_json(found.second);
  json["last_in_common"] = entries_json(found.last_in_common);
  json["instant_of_a"] = entries_json(found.instant_of_first);
  json["instant_of_b"] = entries_json(found.instant_of_second);
  Json jobs = Json::array();
  for (const JobStanding& one : standings(sides, found))
    jobs.push_back({{"job_id", one.job}, {"a", one.in[0]}, {"b", one.in[1]}});
  json["after_it"] = std::move(jobs);
  return json;
}

/// A run that comes out otherwise than recorded says nothing about the record.
void check_fingerprint(const char* name, const Manifest& manifest, const Replay& side,
                       const Console& console) {
  const std::string now = fingerprint_text(side.fingerprint.value());
  if (manifest.fingerprint.empty() || manifest.fingerprint == now) return;
  console.notice(fmt::format(
      "{} was recorded by version {} with fingerprint {}; run again it has {}: --files compares "
      "what was recorded",
      name, printable(manifest.version), printable(manifest.fingerprint), now));
}

int diff_runs(const Manifest& first, const Manifest& second, bool json, const Console& console) {
  check_inputs(first);
  check_inputs(second);
  Replay a{first, console};
  Replay b{second, Console{true, ProgressMode::none}};
  const std::array<const Replay*, 2> sides{&a, &b};
  DivergenceSearch search;
  {
    const StopSignals stop;
    Progress progress{console, a.workload()};
    std::uint64_t instants = 0;
    search = find_divergence({&*a.run, &a.tape}, {&*b.run, &b.tape},
                             [&] { return ++instants % 4096 != 0 || progress(*a.run); });
  }
  if (search.stopped) return kSignal + StopSignals::received();
  const std::vector<OtherSetting> others = other_settings(first, second);
  if (json) {
    write_text("-", json_text(json_of(search, sides, others)));
  } else if (search.found) {
    write_text("-", text_of(search, sides, others));
  } else {
    write_text("-", fmt::format("the same: {}, fingerprint {}\n", entries_text(search.in_common),
                                fingerprint_text(a.fingerprint.value())));
  }
  if (search.found) return kSaysNo;
  check_fingerprint("A", first, a, console);
  check_fingerprint("B", second, b, console);
  return kDone;
}

int diff_files(const Manifest& first, const Manifest& second, bool json) {
  std::vector<std::string> compared;
  std::optional<FileDifference> difference;
  for (const std::string& name : result_files(first.folder())) {
    if (!std::filesystem::exists(second.folder() / name)) continue;
    compared.push_back(name);
    difference = first_difference(name, first.folder() / name, second.folder() / name);
    if (difference) break;
  }
  if (json) {
    write_text(
        "-", json_text({{"same", !difference},
                        {"files", compared},
                        {"difference", difference ? difference->json("a", "b") : Json(nullptr)}}));
  } else if (difference) {
    write_text("-", fmt::format("{}: A {}, B {}\n", difference->place(), quote(difference->first),
                                quote(difference->second)));
  } else {
    write_text("-", fmt::format("the same: {}\n", fmt::join(compared, ", ")));
  }
  return difference ? kSaysNo : kDone;
}

}  // namespace

int diff(const DiffOptions& options, const Console& console) {
  const Manifest first = read_manifest(options.first), second = read_manifest(options.second);
  return options.files ? diff_files(first, second, options.json)
                       : diff_runs(first, second, options.json, console);
}

}  // namespace orrery::app
