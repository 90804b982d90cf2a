#include "app/manifest.hpp"

#include "api/json_file.hpp"
#include "app/prepare.hpp"
#include "trace/text_input.hpp"

#include "orrery/api/plugin.hpp"
#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::app {
namespace {

std::filesystem::path manifest_file(const std::string& path, Manifest::Kind kind) {
  if (!std::filesystem::is_directory(path)) return path;
  const bool snapshot = kind == Manifest::Kind::snapshot;
  std::filesystem::path file =
      std::filesystem::path{path} / (snapshot ? "snapshot.json" : "manifest.json");
  if (!std::filesystem::exists(file))
    throw InputError(fmt::format(
        "{} has no {}", quote(path, 200),
        snapshot ? "snapshot.json (orrery run --out DIR --snapshot-at T makes one)"
                 : "manifest.json: it is no result folder (orrery run --out DIR makes one)"));
  return file;
}

void check_kind(const Manifest& manifest, Manifest::Kind kind) {
  const std::string is = manifest.json.value("kind", "run"), name = manifest.name();
  if (is == "comparison")
    throw InputError(
        fmt::format("{} is the manifest of a comparison: name one of its runs, a folder below {}",
                    name, quote((manifest.folder() / "runs").string(), 200)));
  const bool snapshot = is == "snapshot";
  if (snapshot && kind == Manifest::Kind::run)
    throw InputError(fmt::format("{} is a snapshot: orrery run --resume goes on from it", name));
  if (kind == Manifest::Kind::snapshot && (!snapshot || !manifest.json.contains("snapshot")))
    throw InputError(
        fmt::format("{} is no snapshot (orrery run --out DIR --snapshot-at T makes one)", name));
}

/// Code is named by hand: what a manifest says of a plugin is compared, never loaded.
void check_plugin(const RecordedInput& input, const std::string& what) {
  const auto& loaded = loaded_plugins();
  if (std::ranges::find(loaded, input.sha256, &LoadedPlugin::sha256) == loaded.end())
    throw UsageError(fmt::format("{} was {} with SHA-256 {}: --plugin FILE names it", what,
                                 quote(input.path, 200), printable(input.sha256)));
}

void check_input(const Manifest& manifest, const RecordedInput& input) {
  const std::string what = fmt::format("the {} of {}", input.role, manifest.name());
  if (input.role == "plugin") return check_plugin(input, what);
  if (is_made_up(input.path)) return;  // its SPEC and the seed are all of it
  if (input.path == "-")
    throw UsageError(what + " was standard input: --trace FILE names a copy of it");
  if (!std::filesystem::is_regular_file(input.path))
    throw InputError(fmt::format(
        "{}: {} is not there; paths are those of the recorded run, relative to this folder{}", what,
        quote(input.path, 200), input.role == "trace" ? " (--trace FILE names another)" : ""));
  if (input.sha256.empty()) return;  // a copy of standard input: nothing is known of it
  if (const std::string now = file_sha256(input.path); now != input.sha256)
    throw InputError(fmt::format("{}: {} is not the file that was read: its SHA-256 was {}, now {}",
                                 what, quote(input.path, 200), printable(input.sha256), now));
}

}  // namespace

std::string Manifest::name() const {
  return printable(file.string());
}

Manifest read_manifest(const std::string& path, Manifest::Kind kind) {
  Manifest manifest;
  manifest.file = manifest_file(path, kind);
  manifest.json = read_json_file(manifest.file.string()).value;
  const std::string name = manifest.name();
  check_against_schema(manifest.json, "manifest", name);
  check_kind(manifest, kind);
  const nlohmann::json& settings = manifest.json["settings"];
  check_against_schema(settings, "settings", name + ": settings");
  ErrorList faults{name + ": settings"};
  apply_object(settings, manifest.settings, faults);
  faults.throw_if_any();
  if (manifest.settings.policies.size() != 1)
    throw InputError(fmt::format("{}: settings: policy: expected one policy, got {}", name,
                                 manifest.settings.policies.size()));
  for (const auto& input : manifest.json["inputs"])
    manifest.inputs.push_back({.role = printable(input["role"].get<std::string>()),
                               .path = input["path"].get<std::string>(),
                               .sha256 = input["sha256"].get<std::string>()});
  manifest.version = manifest.json["version"].get<std::string>();
  manifest.fingerprint = manifest.json.value("fingerprint", "");
  return manifest;
}

void use_trace(Manifest& manifest, const std::string& path) {
  if (path.empty()) return;
  manifest.settings.trace = path;
  for (RecordedInput& input : manifest.inputs)
    if (input.role == "trace") input.path = path;
}

void check_inputs(const Manifest& manifest) {
  for (const RecordedInput& input : manifest.inputs) check_input(manifest, input);
}

}  // namespace orrery::app
