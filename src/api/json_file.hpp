// JSON files that people write: read behind limits, checked against a published schema, with
// messages that name the key.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace orrery {

struct JsonFile {
  nlohmann::json value;
  std::string sha256;  ///< of the file as it lies on disk
};

/// Throws EnvironmentError when the file cannot be read; InputError for a text that is no JSON
/// ("file:line:column: ..."), is nested too deeply or names a key twice in one object.
JsonFile read_json_file(const std::string& path);

/// The schemas of docs/schema, as built in: "cluster", "manifest", "settings", "scenario".
std::string_view schema_text(std::string_view name);

/// Throws InputError with every fault, up to a limit: "file: nodes[0].gpus: expected the GPUs of
/// one node, 1 to 64, got 100".
void check_against_schema(const nlohmann::json& value, std::string_view schema,
                          const std::string& file);

}  // namespace orrery
