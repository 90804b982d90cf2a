#include "api/json_file.hpp"

#include "trace/text_input.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace orrery {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr int kDeepest = 64;

std::string read_text(TextInput& input) {
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (const std::size_t size = input.read(block.data(), block.size()))
    text.append(block.data(), size);
  return text;
}

/// "line:column" of a byte offset, both from 1.
std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1);
  return fmt::format("{}:{}", line, std::max<std::size_t>(column, 1));
}

/// Refuses what the parser itself takes: deep nesting and a key given twice.
class Guard {
 public:
  explicit Guard(const std::string& file) : file_{file} {}
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth >= kDeepest)
      throw InputError(fmt::format("{}: nested more than {} deep", file_, kDeepest));
    const auto level = static_cast<std::size_t>(depth);
    keys_.resize(std::max(keys_.size(), level + 2));
    if (event == Json::parse_event_t::object_start) keys_[level + 1].clear();
    if (event == Json::parse_event_t::key && !keys_[level].insert(parsed.get<std::string>()).second)
      throw InputError(fmt::format("{}: the key {} is given twice in one object", file_,
                                   quote(parsed.get<std::string>())));
    return true;
  }

 private:
  const std::string& file_;
  std::vector<std::set<std::string>> keys_;  // by depth
};

/// "nodes[0].gpus" of the steps "<root>", "[nodes]", "[0]", "[gpus]" of a validation error.
std::string key_path(const std::vector<std::string>& steps) {
  std::string path;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const std::string step = steps[i].size() > 2 ? steps[i].substr(1, steps[i].size() - 2) : "";
    const bool index = !step.empty() && std::all_of(step.begin(), step.end(),
                                                    [](char c) { return c >= '0' && c <= '9'; });
    if (index) {
      path += "[" + step + "]";
    } else {
      path += (path.empty() ? "" : ".") + printable(step, 60);
    }
  }
  return path;
}

/// The value and the part of the schema that a validation error speaks of.
std::pair<const Json*, const Json*> follow(const std::vector<std::string>& steps, const Json& value,
                                           const Json& schema) {
  const Json *at = &value, *rule = &schema;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const std::string step = steps[i].substr(1, steps[i].size() - 2);
    if (at->is_array()) {
      at = &at->at(std::stoul(step));
      if (rule->contains("items")) rule = &rule->at("items");
    } else if (at->is_object() && at->contains(step)) {
      at = &at->at(step);
      if (rule->contains("properties") && rule->at("properties").contains(step)) {
        rule = &rule->at("properties").at(step);
      } else if (rule->contains("additionalProperties") &&
                 rule->at("additionalProperties").is_object()) {
        rule = &rule->at("additionalProperties");
      }
    }
  }
  return {at, rule};
}

/// What is missing from or unknown in an object that the schema does not take.
std::string keys_fault(const Json& value, const Json& rule) {
  if (!value.is_object() || !rule.contains("properties")) return {};
  std::vector<std::string> known;
  for (const auto& [key, unused] : rule.at("properties").items()) known.push_back(key);
  if (rule.contains("required"))
    for (const auto& key : rule.at("required"))
      if (!value.contains(key.get<std::string>()))
        return fmt::format("the key '{}' is missing", key.get<std::string>());
  if (rule.value("additionalProperties", Json(true)) != Json(false)) return {};
  for (const auto& [key, unused] : value.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      return fmt::format("unknown key {}{}", quote(key), did_you_mean(key, known));
  return {};
}

}  // namespace

JsonFile read_json_file(const std::string& path) {
  ReadLimits limits;
  limits.most_bytes = kMostBytes;
  TextInput input{path, limits};
  const std::string text = read_text(input);
  try {
    return {Json::parse(text, Guard{input.name()}), input.sha256()};
  } catch (const Json::parse_error& error) {
    std::string_view why = error.what();
    if (const auto colon = why.find(": "); colon != std::string_view::npos)
      why.remove_prefix(colon + 2);
    throw InputError(fmt::format("{}:{}: no JSON: {}", input.name(), place_of(text, error.byte),
                                 printable(why)));
  }
}

void check_against_schema(const Json& value, std::string_view schema, const std::string& file) {
  const Json rules = Json::parse(schema_text(schema));
  valijson::Schema compiled;
  valijson::SchemaParser{}.populateSchema(valijson::adapters::NlohmannJsonAdapter{rules}, compiled);
  valijson::ValidationResults results;
  if (valijson::Validator{}.validate(compiled, valijson::adapters::NlohmannJsonAdapter{value},
                                     &results))
    return;
  // A fault is told once, where it is: not again for each object around it.
  std::vector<std::vector<std::string>> places;
  for (const auto& error : results) places.push_back(error.context);
  ErrorList faults{file};
  std::set<std::string> told;
  for (const auto& place : places) {
    const bool inner = std::none_of(places.begin(), places.end(), [&](const auto& other) {
      return other.size() > place.size() && std::equal(place.begin(), place.end(), other.begin());
    });
    if (!inner || !told.insert(key_path(place)).second) continue;
    const auto [at, rule] = follow(place, value, rules);
    const std::string keys = keys_fault(*at, *rule);
    const std::string where = key_path(place);
    const std::string what =
        keys.empty()
            ? fmt::format("expected {}, got {}", rule->value("description", "another value"),
                          printable(at->dump(-1, ' ', false, Json::error_handler_t::replace), 60))
            : keys;
    faults.add(0, 0, where.empty() ? what : where + ": " + what);
  }
  faults.throw_if_any();
}

}  // namespace orrery
