// Pieces of our JSON files.
#pragma once

#include "orrery/metrics/summary.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orrery {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json counts_json(const std::vector<std::pair<std::string, std::uint64_t>>& counts);
Json summary_object(const Summary& summary);
/// Text with broken UTF-8 replaced, a final newline behind it.
std::string json_text(const Json& json);

}  // namespace orrery
