// The command tree as data, and what is made of it: completions for shells and the manual page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace orrery::app {

struct OptionDocs {
  std::string name;   ///< "--policy"; of an argument its name, "FILE"
  std::string brief;  ///< "-o", or nothing
  std::string value;  ///< what the help calls its value; empty: a flag
  std::string help, group;
  std::vector<std::string> words;  ///< values to choose from; empty: anything, such as a file
  bool required = false;
};

struct CommandDocs {
  std::string path, help;           ///< "orrery policy show"
  std::vector<OptionDocs> options;  ///< with --help
  std::vector<OptionDocs> arguments;
  std::vector<std::string> commands;  ///< names of those below it
};

/// Every command, each before those below it.
std::vector<CommandDocs> docs_of(const CLI::App& root);

/// A completion script for "bash", "zsh" or "fish". Throws UsageError for another shell.
std::string completion_script(const std::vector<CommandDocs>& commands, const std::string& shell);
/// orrery(1) in mdoc.
std::string manual_page(const std::vector<CommandDocs>& commands);

}  // namespace orrery::app
