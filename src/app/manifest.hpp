// Reads what a run was made of: the manifest of a result folder, or a snapshot. Nothing in it is
// believed before it has been checked.
#pragma once

#include "app/settings.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::app {

/// A file that a run read.
struct RecordedInput {
  std::string role;    ///< trace, cluster, vc_sizes, plugin
  std::string path;    ///< as the run was told
  std::string sha256;  ///< lower-case hex; empty: standard input
};

struct Manifest {
  enum class Kind : std::uint8_t { run, snapshot };
  std::filesystem::path file;
  nlohmann::json json;  ///< the whole of it
  Settings settings;
  std::vector<RecordedInput> inputs;
  std::string version;      ///< of the program that wrote it
  std::string fingerprint;  ///< empty in a snapshot

  std::string name() const;  ///< its file, safe for a message
  /// The folder of the result.
  std::filesystem::path folder() const { return file.parent_path(); }
};

/// `path` is the file, or the folder of a result. Throws EnvironmentError, or InputError for what
/// is no manifest of that kind.
Manifest read_manifest(const std::string& path, Manifest::Kind kind = Manifest::Kind::run);

/// The trace lies elsewhere now: takes `path` in place of the recorded one, unless it is empty.
void use_trace(Manifest& manifest, const std::string& path);

/// Throws InputError when an input is missing or is not, by its SHA-256, what the run read, and
/// UsageError when it was standard input and use_trace() named no file.
void check_inputs(const Manifest& manifest);

}  // namespace orrery::app
