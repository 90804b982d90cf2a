#include "app/snapshot.hpp"

#include "app/manifest.hpp"

#include "orrery/base/error.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace orrery::app {
namespace {

/// What may be told anew: what comes after the instant, and what is made of the run.
bool may_change(const SettingEntry& entry) {
  constexpr std::array<std::string_view, 5> names{"trace", "policy", "until", "measure", "verify"};
  return entry.group == "Output" || std::ranges::find(names, entry.name) != names.end();
}

void refuse_other_settings(const SettingTexts& given) {
  for (const SettingEntry& entry : setting_table())
    if (given.contains(entry.name) && !may_change(entry))
      throw UsageError(
          fmt::format("--{} does not go with --resume: the past of a snapshot was made with its "
                      "own settings",
                      entry.name));
}

/// What the first run was told of its output is not what this one is told.
void forget_output(Settings& settings) {
  settings.out.clear();
  settings.force = settings.events = settings.attempts = settings.json = settings.demo = false;
  settings.perfetto = settings.batsim = settings.paje = false;
  settings.timeline.reset();
  settings.snapshot_at.reset();
  settings.report.clear();
}

}  // namespace

SimTime snapshot_instant(const TimeBound& at, const Prepared& prepared) {
  const SimTime instant = instant_of(at, prepared.trace.workload, prepared.trace.report.zoned);
  if (const auto& until = prepared.options.sim.until; until && *until < instant)
    throw UsageError(fmt::format("the run ends at {} s, before the snapshot's instant of {} s",
                                 seconds_text(until->time_since_epoch()),
                                 seconds_text(instant.time_since_epoch())));
  return instant;
}

void Past::history(const HistoryEntry& entry) {
  if (entry.time >= until_) {
    if (!over_) finish();
    return;
  }
  ++entries_;
  hash_.history(entry);
}

void Past::finish() {
  if (std::exchange(over_, true) || !recorded_) return;
  const std::string now = fingerprint_text(hash_.value());
  if (entries_ == recorded_->entries && now == recorded_->fingerprint) return;
  throw InputError(fmt::format(
      "{}: this is not the run's past: recorded were {} with fingerprint {}, now it has {} with {} "
      "(the snapshot is of version {})",
      recorded_->file, counted(recorded_->entries, "entry", "entries"),
      printable(recorded_->fingerprint), grouped(entries_), now, recorded_->version));
}

Json Past::json(const TimeBound& at) const {
  return {{"at", at.text},
          {"at_us", micros(until_)},
          {"entries", entries_},
          {"fingerprint", fingerprint_text(hash_.value())}};
}

Settings resumed_settings(const std::string& path, const SettingTexts& given) {
  refuse_other_settings(given);
  Manifest manifest = read_manifest(path, Manifest::Kind::snapshot);
  if (const auto trace = given.find("trace"); trace != given.end())
    use_trace(manifest, trace->second.back());
  check_inputs(manifest);
  Settings settings = manifest.settings;
  forget_output(settings);
  const nlohmann::json& snapshot = manifest.json["snapshot"];
  settings.resumed = Snapshot{.file = manifest.name(),
                              .version = printable(manifest.version),
                              .at = parse_time_bound(snapshot["at"].get<std::string>()),
                              .entries = snapshot["entries"].get<std::uint64_t>(),
                              .fingerprint = snapshot["fingerprint"].get<std::string>()};
  // A run that stopped there goes on to its end.
  if (settings.until && settings.until->text == settings.resumed->at.text) settings.until.reset();
  const std::string first = settings.policies.front();
  apply(given, settings);
  if (settings.policies.size() > 1)
    throw UsageError("run takes one --policy; orrery compare takes several");
  // The policy in force at that instant goes on unless another is named.
  const std::string& last = settings.takeovers.empty() ? first : settings.takeovers.back().policy;
  if (given.contains("policy") && settings.policies.front() != last)
    settings.takeovers.push_back({settings.resumed->at, settings.policies.front()});
  settings.policies = {first};
  return settings;
}

}  // namespace orrery::app
