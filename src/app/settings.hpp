// What `run` and `compare` are told: one table of settings for the command line, for settings files
// and for manifests.
#pragma once

#include "orrery/api/simulate.hpp"
#include "orrery/base/error.hpp"
#include "orrery/trace/loader.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::app {

/// "2d=srtf": from then on another policy.
struct TakeoverSetting {
  TimeBound at;
  std::string policy;
};

/// What a resumed run is checked against.
struct Snapshot {
  std::string file, version;  ///< safe for a message
  TimeBound at;
  std::uint64_t entries = 0;  ///< of the history before it
  std::string fingerprint;    ///< of these
};

struct Settings {
  // input
  std::string trace, cluster;
  std::vector<std::string> policies;
  LoadOptions load;
  // run
  std::string placement = "consolidated";
  std::optional<Duration> round;
  std::optional<TimeBound> until;
  std::string measure;
  std::uint64_t seed = 1;
  DurationKnowledge durations;
  bool enforce_walltime = false;
  VcMode vc_mode = VcMode::fixed;
  std::string vc_sizes;
  Duration preempt_cost{};
  std::vector<TakeoverSetting> takeovers;
  bool verify = false;
  // output
  std::string out;
  bool force = false, events = false, attempts = false, perfetto = false, batsim = false,
       paje = false, json = false, demo = false;
  std::optional<Duration> timeline;
  std::optional<TimeBound> snapshot_at;
  std::string report;
  std::optional<Snapshot> resumed;  ///< no setting of its own: what --resume has read
  // compare
  unsigned threads = 0;  ///< 0: one a core
  std::uint64_t seeds = 1;
  std::vector<double> loads;  ///< empty: that of `load`
  std::uint64_t self_test = 0;
  std::string csv, markdown, latex;
};

/// One setting. Texts from the command line and from files go through the same `set`.
struct SettingEntry {
  std::string_view name;   ///< "preempt-cost"; in files and manifests "preempt_cost"
  std::string_view group;  ///< heading in the help: Input, Run, Output
  std::string_view value;  ///< what the help calls its value; empty: a flag
  std::string_view help;
  bool many = false;      ///< may be given more than once
  std::string_view only;  ///< the commands that have it, "run,compare"; empty: all
  /// Throws UsageError, without the setting's name.
  std::function<void(Settings&, const std::vector<std::string>&)> set;
  std::function<nlohmann::ordered_json(const Settings&)> get;

  std::string key() const;  ///< its name in files
  bool is_of(std::string_view command) const;
};
const std::vector<SettingEntry>& setting_table();

/// Settings as texts, by the entry's name.
using SettingTexts = std::map<std::string_view, std::vector<std::string>>;
/// Applies them; throws UsageError "--name: ...".
void apply(const SettingTexts& texts, Settings& settings);
/// Applies a settings file (docs/schema/settings.schema.json). Throws InputError.
void apply_file(const std::string& path, Settings& settings);
/// Applies the settings among the keys of an object that has been checked against its schema; what
/// is wrong is added to `faults` by key.
void apply_object(const nlohmann::json& object, Settings& settings, ErrorList& faults);
/// Every setting after defaults, for --write-config and manifests.
nlohmann::ordered_json settings_json(const Settings& settings, std::string_view command);

/// "oracle", "walltime", "noisy:sigma=0.5", "history". Throws UsageError.
DurationKnowledge parse_durations(std::string_view text);
std::string durations_text(const DurationKnowledge& durations);

}  // namespace orrery::app
