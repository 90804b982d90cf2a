#include "app/settings.hpp"

#include "api/json_file.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace orrery::app {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

Duration duration_of(const std::string& text) {
  const auto value = parse_duration(text);
  if (!value || *value < Duration::zero() || *value > kLongestTime)
    throw UsageError(fmt::format(
        "{} is no duration: a number with us, ms, s, m, h or d, such as 6m", quote(text)));
  return *value;
}

Duration positive_duration_of(const std::string& text) {
  const Duration value = duration_of(text);
  if (value == Duration::zero()) throw UsageError("the duration must be longer than 0");
  return value;
}

std::uint64_t whole_of(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UsageError(fmt::format("{} is no whole number from 0 on", quote(text)));
  return value;
}

double positive_number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || value > 1e9)
    throw UsageError(fmt::format("{} is no number above 0", quote(text)));
  return value;
}

/// 1 to `most`.
std::uint64_t count_of(const std::string& text, std::uint64_t most) {
  const std::uint64_t count = whole_of(text);
  if (count < 1 || count > most) throw UsageError(fmt::format("expected 1 to {}", most));
  return count;
}

/// "a,b" and "c" are a, b and c.
Texts parts_of(const Texts& texts) {
  Texts parts;
  for (const std::string& text : texts)
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      parts.push_back(text.substr(at, comma - at));
      at = comma + 1;
    }
  return parts;
}

std::string word_of(const std::string& text, const Texts& known) {
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  throw UsageError(fmt::format("{} is none of {}{}", quote(text), fmt::join(known, ", "),
                               did_you_mean(text, known)));
}

/// "submit=arrive_ts,gpus=n": our columns, and what the file calls them.
void add_columns(const Texts& texts, std::map<std::string, std::string>& map) {
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw UsageError(fmt::format("{} is not of the form submit=their_column", quote(text)));
    if (!map.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw UsageError(fmt::format("{} is mapped twice", quote(text.substr(0, equals))));
  }
}

TakeoverSetting takeover_of(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size())
    throw UsageError(fmt::format("{} is not of the form T=SPEC, such as 2d=srtf", quote(text)));
  return {.at = parse_time_bound(std::string_view{text}.substr(0, equals)),
          .policy = text.substr(equals + 1)};
}

template <class Value, class Text>
Json text_or_null(const std::optional<Value>& value, Text text) {
  return value ? Json(text(*value)) : Json(nullptr);
}

// The kinds of entries.

using Member = std::string Settings::*;
SettingEntry text_entry(std::string_view name, std::string_view group, std::string_view value,
                        std::string_view help, Member member, std::string_view only = {}) {
  return {name,
          group,
          value,
          help,
          false,
          only,
          [member](Settings& s, const Texts& t) { s.*member = t.back(); },
          [member](const Settings& s) { return s.*member; }};
}

SettingEntry flag_entry(std::string_view name, std::string_view group, std::string_view help,
                        bool Settings::*member, std::string_view only = {}) {
  return {name,
          group,
          "",
          help,
          false,
          only,
          [member](Settings& s, const Texts& t) {
            s.*member = word_of(t.back(), {"true", "false"}) == "true";
          },
          [member](const Settings& s) { return s.*member; }};
}

/// Strictness is one thing with two flags.
SettingEntry strictness_entry(std::string_view name, std::string_view help, Strictness value) {
  return {name,
          "Input",
          "",
          help,
          false,
          "",
          [=](Settings& s, const Texts& t) {
            if (word_of(t.back(), {"true", "false"}) == "false") return;
            if (s.load.strictness != Strictness::normal && s.load.strictness != value)
              throw UsageError("--strict and --lenient exclude each other");
            s.load.strictness = value;
          },
          [=](const Settings& s) { return s.load.strictness == value; }};
}

std::vector<SettingEntry> input_entries() {
  return {
      text_entry("trace", "Input", "FILE",
                 "the trace; - is standard input; like:philly:jobs=N,load=X,gpus=N makes one up",
                 &Settings::trace),
      text_entry("cluster", "Input", "CLUSTER",
                 "a JSON file, a preset (orrery cluster list), or a shorthand such as 64x8",
                 &Settings::cluster),
      {"policy", "Input", "SPEC", "a policy with its options, such as las2d:quantum=10m", true, "",
       [](Settings& s, const Texts& t) { s.policies = t; },
       [](const Settings& s) { return s.policies; }},
      {"format", "Input", "NAME", "the trace's format: auto, philly, helios, csv", false, "",
       [](Settings& s, const Texts& t) { s.load.format = t.back(); },
       [](const Settings& s) { return s.load.format; }},
      {"map", "Input", "OURS=THEIRS", "a csv column by another name, such as submit=arrive_ts",
       true, "",
       [](Settings& s, const Texts& t) {
         s.load.map.clear();
         add_columns(t, s.load.map);
       },
       [](const Settings& s) {
         Json list = Json::array();
         for (const auto& [ours, theirs] : s.load.map) list.push_back(ours + "=" + theirs);
         return list;
       }},
      {"from", "Input", "T", "only jobs submitted at T or later: seconds, 2h, 2017-10-07", false,
       "", [](Settings& s, const Texts& t) { s.load.from = parse_time_bound(t.back()); },
       [](const Settings& s) {
         return text_or_null(s.load.from, [](const TimeBound& b) { return b.text; });
       }},
      {"to", "Input", "T", "only jobs submitted before T", false, "",
       [](Settings& s, const Texts& t) { s.load.to = parse_time_bound(t.back()); },
       [](const Settings& s) {
         return text_or_null(s.load.to, [](const TimeBound& b) { return b.text; });
       }},
      {"limit", "Input", "N", "only the first N jobs", false, "",
       [](Settings& s, const Texts& t) { s.load.limit = whole_of(t.back()); },
       [](const Settings& s) { return text_or_null(s.load.limit, [](auto n) { return n; }); }},
      {"vc", "Input", "NAME", "only jobs of this VC", true, "",
       [](Settings& s, const Texts& t) { s.load.vcs = t; },
       [](const Settings& s) { return s.load.vcs; }},
      {"status", "Input", "LIST", "only jobs that ended so: completed,killed,failed,unknown", true,
       "",
       [](Settings& s, const Texts& t) {
         s.load.statuses.clear();
         for (const std::string& text : parts_of(t))
           s.load.statuses.push_back(word_of(text, {"completed", "killed", "failed", "unknown"}));
       },
       [](const Settings& s) { return s.load.statuses; }},
      {"load", "Input", "X", "divides the gaps between arrivals by X", false, "",
       [](Settings& s, const Texts& t) { s.load.load = positive_number_of(t.back()); },
       [](const Settings& s) { return s.load.load; }},
      {"run-time", "Input", "RULE",
       "philly: span (first start to last end) or attempts (their sum)", false, "",
       [](Settings& s, const Texts& t) {
         s.load.run_time = word_of(t.back(), {"span", "attempts"}) == "span"
                               ? RunTimeRule::span
                               : RunTimeRule::attempts;
       },
       [](const Settings& s) {
         return s.load.run_time == RunTimeRule::span ? "span" : "attempts";
       }},
      strictness_entry("strict", "a row left out is an error", Strictness::strict),
      strictness_entry("lenient", "malformed rows are left out and counted", Strictness::lenient),
  };
}

std::vector<SettingEntry> run_entries() {
  return {
      text_entry("placement", "Run", "SPEC",
                 "consolidated (default), count, first-fit, best-fit, spread, random",
                 &Settings::placement),
      {"round", "Run", "D", "ask the policy only at multiples of D", false, "",
       [](Settings& s, const Texts& t) { s.round = positive_duration_of(t.back()); },
       [](const Settings& s) { return text_or_null(s.round, duration_text); }},
      {"until", "Run", "T", "stop at T: what waits or runs then is unfinished", false, "",
       [](Settings& s, const Texts& t) { s.until = parse_time_bound(t.back()); },
       [](const Settings& s) {
         return text_or_null(s.until, [](const TimeBound& b) { return b.text; });
       }},
      text_entry("measure", "Run", "A..B",
                 "statistics only over jobs submitted in [A, B): times, or ranks as #1000..#2000",
                 &Settings::measure),
      {"seed", "Run", "N", "of everything random", false, "",
       [](Settings& s, const Texts& t) { s.seed = whole_of(t.back()); },
       [](const Settings& s) { return s.seed; }},
      {"durations", "Run", "WHAT",
       "what policies are told: oracle, walltime, noisy:sigma=S, history (default: by policy)",
       false, "", [](Settings& s, const Texts& t) { s.durations = parse_durations(t.back()); },
       [](const Settings& s) { return durations_text(s.durations); }},
      flag_entry("enforce-walltime", "Run", "jobs that are not done at their walltime end",
                 &Settings::enforce_walltime),
      {"vc-mode", "Run", "MODE", "static: each VC its own nodes; shared: one pool", false, "",
       [](Settings& s, const Texts& t) {
         s.vc_mode =
             word_of(t.back(), {"static", "shared"}) == "static" ? VcMode::fixed : VcMode::shared;
       },
       [](const Settings& s) { return s.vc_mode == VcMode::fixed ? "static" : "shared"; }},
      text_entry("vc-sizes", "Run", "FILE", "csv of vc,gpus: the VCs in place of the cluster's own",
                 &Settings::vc_sizes),
      {"preempt-cost", "Run", "D", "GPUs held without progress at each restart and migration",
       false, "", [](Settings& s, const Texts& t) { s.preempt_cost = duration_of(t.back()); },
       [](const Settings& s) { return duration_text(s.preempt_cost); }},
      {"takeover", "Run", "T=SPEC", "from T on another policy decides, such as 2d=srtf", true,
       "run",
       [](Settings& s, const Texts& t) {
         s.takeovers.clear();
         for (const std::string& text : t) s.takeovers.push_back(takeover_of(text));
       },
       [](const Settings& s) {
         Json list = Json::array();
         for (const TakeoverSetting& next : s.takeovers)
           list.push_back(next.at.text + "=" + next.policy);
         return list;
       }},
      flag_entry("verify", "Run", "run the independent checker beside the engine",
                 &Settings::verify),
  };
}

constexpr std::string_view kFolders = "run,compare";

std::vector<SettingEntry> output_entries() {
  return {
      text_entry("out", "Output", "DIR", "the result folder (without it no file is written)",
                 &Settings::out, kFolders),
      flag_entry("force", "Output", "write to a folder that is not empty", &Settings::force,
                 kFolders),
      flag_entry("events", "Output", "events.jsonl.zst: every event", &Settings::events, kFolders),
      flag_entry("attempts", "Output", "attempts.csv: every stretch of holding GPUs",
                 &Settings::attempts, kFolders),
      flag_entry("perfetto", "Output", "trace.perfetto.json, for ui.perfetto.dev",
                 &Settings::perfetto, kFolders),
      flag_entry("batsim", "Output", "batsim_jobs.csv: Batsim's columns, for Evalys",
                 &Settings::batsim, kFolders),
      flag_entry("paje", "Output", "trace.paje, for ViTE", &Settings::paje, kFolders),
      {"timeline", "Output", "STEP", "timeline.csv: the cluster in steps, such as 10m", false,
       kFolders, [](Settings& s, const Texts& t) { s.timeline = positive_duration_of(t.back()); },
       [](const Settings& s) { return text_or_null(s.timeline, duration_text); }},
      text_entry("report", "Output", "FILE", "the result as one HTML page, too", &Settings::report,
                 kFolders),
      {"snapshot-at", "Output", "T", "snapshot.json: what --resume goes on from at T", false, "run",
       [](Settings& s, const Texts& t) { s.snapshot_at = parse_time_bound(t.back()); },
       [](const Settings& s) {
         return text_or_null(s.snapshot_at, [](const TimeBound& b) { return b.text; });
       }},
      flag_entry("json", "Output", "print JSON in place of the table", &Settings::json),
      flag_entry("demo", "Output", "replay a small built-in example", &Settings::demo, "run"),
  };
}

std::vector<SettingEntry> compare_entries() {
  return {
      {"seeds", "Compare", "N", "each policy under N seeds, from --seed on", false, "compare",
       [](Settings& s, const Texts& t) { s.seeds = count_of(t.back(), 10'000); },
       [](const Settings& s) { return s.seeds; }},
      {"loads", "Compare", "X,Y", "a table for each load: --load X, --load Y, ...", true, "compare",
       [](Settings& s, const Texts& t) {
         s.loads.clear();
         for (const std::string& text : parts_of(t)) s.loads.push_back(positive_number_of(text));
       },
       [](const Settings& s) { return s.loads; }},
      {"threads", "Compare", "N", "runs at the same time (default: one a core)", false, "compare",
       [](Settings& s, const Texts& t) {
         s.threads = static_cast<unsigned>(count_of(t.back(), 1024));
       },
       [](const Settings& s) { return s.threads > 0 ? Json(s.threads) : Json(nullptr); }},
      {"self-test", "Compare", "N",
       "compare the first policy with itself N times, under other seeds: how often a difference is "
       "seen",
       false, "compare",
       [](Settings& s, const Texts& t) { s.self_test = count_of(t.back(), 100'000); },
       [](const Settings& s) { return s.self_test > 0 ? Json(s.self_test) : Json(nullptr); }},
      text_entry("csv", "Output", "FILE", "the table as CSV, too; - is standard output",
                 &Settings::csv, "compare"),
      text_entry("markdown", "Output", "FILE", "the table as Markdown, too", &Settings::markdown,
                 "compare"),
      text_entry("latex", "Output", "FILE", "the table as LaTeX (booktabs), too", &Settings::latex,
                 "compare"),
  };
}

/// A value of a settings file as the texts that the command line would give.
Texts texts_of(const nlohmann::json& value) {
  if (!value.is_array()) return {value.is_string() ? value.get<std::string>() : value.dump()};
  Texts texts;
  for (const auto& part : value)
    texts.push_back(part.is_string() ? part.get<std::string>() : part.dump());
  return texts;
}

}  // namespace

std::string SettingEntry::key() const {
  std::string key{name};
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

bool SettingEntry::is_of(std::string_view command) const {
  if (only.empty()) return true;
  const auto at = only.find(command);
  return at != std::string_view::npos && (at == 0 || only[at - 1] == ',') &&
         (at + command.size() == only.size() || only[at + command.size()] == ',');
}

const std::vector<SettingEntry>& setting_table() {
  static const std::vector<SettingEntry> table = [] {
    std::vector<SettingEntry> all = input_entries();
    for (auto& entry : run_entries()) all.push_back(std::move(entry));
    for (auto& entry : output_entries()) all.push_back(std::move(entry));
    for (auto& entry : compare_entries()) all.push_back(std::move(entry));
    return all;
  }();
  return table;
}

void apply(const SettingTexts& texts, Settings& settings) {
  for (const SettingEntry& entry : setting_table()) {
    const auto given = texts.find(entry.name);
    if (given == texts.end()) continue;
    try {
      entry.set(settings, given->second);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--{}: {}", entry.name, error.what()));
    }
  }
}

void apply_object(const nlohmann::json& object, Settings& settings, ErrorList& faults) {
  for (const SettingEntry& entry : setting_table()) {
    const auto given = object.find(entry.key());
    if (given == object.end() || given->is_null()) continue;
    try {
      entry.set(settings, texts_of(*given));
    } catch (const UsageError& error) {
      faults.add(0, 0, fmt::format("{}: {}", entry.key(), error.what()));
    }
  }
}

void apply_file(const std::string& path, Settings& settings) {
  const nlohmann::json file = read_json_file(path).value;
  check_against_schema(file, "settings", printable(path));
  ErrorList faults{printable(path)};
  apply_object(file, settings, faults);
  faults.throw_if_any();
}

Json settings_json(const Settings& settings, std::string_view command) {
  Json object = Json::object();
  for (const SettingEntry& entry : setting_table())
    if (entry.is_of(command)) object[entry.key()] = entry.get(settings);
  return object;
}

DurationKnowledge parse_durations(std::string_view text) {
  using Kind = DurationKnowledge::Kind;
  const Spec spec = parse_spec(text, "sigma");
  const Options options = spec.options();
  const std::string name =
      word_of(spec.name, {"by-policy", "oracle", "walltime", "noisy", "history"});
  DurationKnowledge knowledge{.kind = name == "oracle"     ? Kind::oracle
                                      : name == "walltime" ? Kind::walltime
                                      : name == "noisy"    ? Kind::noisy
                                      : name == "history"  ? Kind::history
                                                           : Kind::by_policy};
  if (knowledge.kind == Kind::noisy) {
    knowledge.sigma = options.number("sigma", 1.0);
    if (!(knowledge.sigma >= 0) || knowledge.sigma > 10)
      throw UsageError("sigma must be between 0 and 10");
  }
  options.check_all_used();
  return knowledge;
}

std::string durations_text(const DurationKnowledge& durations) {
  using Kind = DurationKnowledge::Kind;
  switch (durations.kind) {
    case Kind::oracle:
      return "oracle";
    case Kind::walltime:
      return "walltime";
    case Kind::noisy:
      return fmt::format("noisy:sigma={}", durations.sigma);
    case Kind::history:
      return "history";
    case Kind::by_policy:
      break;
  }
  return "by-policy";
}

}  // namespace orrery::app
