#include "app/command_docs.hpp"

#include "orrery/cluster/topology.hpp"
#include "orrery/policy/registry.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <map>

namespace orrery::app {
namespace {

using Words = std::vector<std::string>;

Words policy_names() {
  Words names;
  for (const PolicyEntry& entry : policy_table()) names.emplace_back(entry.name);
  return names;
}

/// What an option or argument of this name may be told, as far as that is a short list.
Words words_for(const std::string& path, const std::string& name) {
  static const std::map<std::string, Words> words{
      {"--policy", policy_names()},
      {"--placement", {"consolidated", "count", "first-fit", "best-fit", "spread", "random"}},
      {"--format", {"auto", "philly", "helios", "csv"}},
      {"--durations", {"by-policy", "oracle", "walltime", "noisy:sigma=", "history"}},
      {"--vc-mode", {"static", "shared"}},
      {"--run-time", {"span", "attempts"}},
      {"--status", {"completed", "killed", "failed", "unknown"}},
      {"--progress", {"auto", "plain", "none"}},
      {"--like", {"philly", "helios"}},
      {"SHELL", {"bash", "zsh", "fish"}}};
  if (path.starts_with("orrery policy") && (name == "NAME" || name == "SPEC"))
    return policy_names();
  const auto found = words.find(name);
  return found == words.end() ? Words{} : found->second;
}

OptionDocs docs_of(const CLI::Option& option, const std::string& path) {
  OptionDocs docs{.help = option.get_description(),
                  .group = option.get_group(),
                  .required = option.get_required()};
  const bool takes_value = option.get_expected_max() > 0;
  if (option.get_positional()) {
    docs.name = option.get_name(true);
  } else {
    docs.name = "--" + option.get_lnames().front();
    if (!option.get_snames().empty()) docs.brief = "-" + option.get_snames().front();
    if (takes_value)
      docs.value = option.get_option_text().empty() ? "VALUE" : option.get_option_text();
  }
  docs.words = words_for(path, docs.name);
  return docs;
}

void add(const CLI::App& command, const std::string& path, std::vector<CommandDocs>& all) {
  CommandDocs docs{.path = path, .help = command.get_description()};
  for (const CLI::Option* option : command.get_options())
    (option->get_positional() ? docs.arguments : docs.options).push_back(docs_of(*option, path));
  const auto below = command.get_subcommands(std::function<bool(const CLI::App*)>{});
  for (const CLI::App* one : below) docs.commands.push_back(one->get_name());
  all.push_back(std::move(docs));
  for (const CLI::App* one : below) add(*one, path + " " + one->get_name(), all);
}

}  // namespace

std::vector<CommandDocs> docs_of(const CLI::App& root) {
  std::vector<CommandDocs> all;
  add(root, "orrery", all);
  return all;
}

}  // namespace orrery::app
