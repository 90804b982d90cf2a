// A snapshot: what a run was made of, an instant of it, and two numbers that tell its past.
#pragma once

#include "app/prepare.hpp"
#include "report/json_parts.hpp"

#include "orrery/engine/recorder.hpp"

#include <optional>
#include <string>

namespace orrery::app {

/// The instant that --snapshot-at or a snapshot names, in this run. Throws UsageError where the run
/// ends before it.
SimTime snapshot_instant(const TimeBound& at, const Prepared& prepared);

/// Counts and hashes what happens before an instant.
class Past final : public Sink {
 public:
  /// Against `recorded`, when given, it is compared as soon as it is over.
  Past(SimTime until, const std::optional<Snapshot>& recorded)
      : until_{until}, recorded_{recorded} {}
  /// Throws InputError for a past that is not the recorded one.
  void history(const HistoryEntry& entry) override;
  /// After the end of the run; throws the same.
  void finish();
  Json json(const TimeBound& at) const;

 private:
  SimTime until_;
  std::optional<Snapshot> recorded_;
  std::uint64_t entries_ = 0;
  Fingerprint hash_;
  bool over_ = false;
};

/// The settings of a run that goes on from a snapshot (a file, or the result folder it lies in):
/// those of the snapshot with `given` in their place, where that is allowed; another policy takes
/// over at the snapshot's instant. Throws UsageError, InputError or EnvironmentError.
Settings resumed_settings(const std::string& path, const SettingTexts& given);

}  // namespace orrery::app
