// Completion scripts for shells, from the command tree.
#include "app/command_docs.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orrery::app {
namespace {

/// A text for a shell, in single quotes.
std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? "'\\''" : std::string{c};
  return safe + "'";
}

std::vector<std::string> names_of(const CommandDocs& command) {
  std::vector<std::string> names;
  for (const OptionDocs& option : command.options) names.push_back(option.name);
  return names;
}

std::vector<std::string> words_of_arguments(const CommandDocs& command) {
  std::vector<std::string> words = command.commands;
  for (const OptionDocs& argument : command.arguments)
    words.insert(words.end(), argument.words.begin(), argument.words.end());
  return words;
}

bool takes_files(const CommandDocs& command) {
  for (const OptionDocs& argument : command.arguments)
    if (argument.words.empty()) return true;
  return false;
}

/// "orrery policy show" as a pattern of a case, for every command below the root.
std::string paths_pattern(const std::vector<CommandDocs>& commands) {
  std::vector<std::string> paths;
  for (const CommandDocs& command : commands)
    if (command.path != "orrery") paths.push_back(quoted(command.path));
  return fmt::format("{}", fmt::join(paths, "|"));
}

/// What stands behind an option or among the arguments, as cases on the path of commands: shared by
/// bash and zsh, which differ in how words are offered.
std::string cases(const std::vector<CommandDocs>& commands) {
  std::string text;
  for (const CommandDocs& command : commands) {
    text += fmt::format("    {})\n", quoted(command.path));
    text += "      case $previous in\n";
    for (const OptionDocs& option : command.options) {
      if (option.value.empty()) continue;
      const std::string names =
          option.brief.empty() ? option.name : option.name + "|" + option.brief;
      text += option.words.empty()
                  ? fmt::format("        {}) files=1 ;;\n", names)
                  : fmt::format("        {}) words={} ;;\n", names,
                                quoted(fmt::format("{}", fmt::join(option.words, " "))));
    }
    text += fmt::format("        *) words={} options={} files={} ;;\n",
                        quoted(fmt::format("{}", fmt::join(words_of_arguments(command), " "))),
                        quoted(fmt::format("{}", fmt::join(names_of(command), " "))),
                        takes_files(command) ? 1 : 0);
    text += "      esac ;;\n";
  }
  return text;
}

std::string bash_script(const std::vector<CommandDocs>& commands) {
  return fmt::format(
      R"(# bash completion for orrery: source it, or put it into /etc/bash_completion.d.
_orrery() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local path=orrery word words= options= files=0
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $word" in
      {}) path="$path $word" ;;
    esac
  done
  case $path in
{}  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *)
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      if [ "$files" = 1 ]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$current"))
      fi ;;
  esac
}}
complete -F _orrery orrery
)",
      paths_pattern(commands), cases(commands));
}

std::string zsh_script(const std::vector<CommandDocs>& commands) {
  return fmt::format(R"(#compdef orrery
# zsh completion for orrery: put it as _orrery into a folder of $fpath.
_orrery() {{
  local previous=$words[CURRENT-1] path_=orrery word given=("${{(@)words[2,CURRENT-1]}}")
  local words_= options= files=0
  for word in $given; do
    case "$path_ $word" in
      {}) path_="$path_ $word" ;;
    esac
  done
  () {{
  local words=
  case $path_ in
{}  esac
  words_=$words
  }}
  if [[ $PREFIX == -* ]]; then
    compadd -- ${{=options}}
  else
    compadd -- ${{=words_}}
    (( files )) && _files
  fi
}}
_orrery "$@"
)",
                     paths_pattern(commands), cases(commands));
}

std::string fish_script(const std::vector<CommandDocs>& commands) {
  std::string text =
      R"(# fish completion for orrery: put it into ~/.config/fish/completions/orrery.fish.
function __orrery_at
  set -l path orrery
  for word in (commandline -opc)[2..]
    switch "$path $word"
)";
  text += "      case";
  for (const CommandDocs& command : commands)
    if (command.path != "orrery") text += " " + quoted(command.path);
  text += "\n        set path \"$path $word\"\n    end\n  end\n  test \"$path\" = \"$argv\"\nend\n";
  for (const CommandDocs& command : commands) {
    const std::string at = fmt::format("complete -c orrery -n \"__orrery_at {}\"", command.path);
    if (!takes_files(command)) text += at + " -f\n";
    if (const auto words = words_of_arguments(command); !words.empty())
      text += fmt::format("{} -a {}\n", at, quoted(fmt::format("{}", fmt::join(words, " "))));
    for (const OptionDocs& option : command.options) {
      text += fmt::format("{} -l {}", at, option.name.substr(2));
      if (!option.brief.empty()) text += " -s " + option.brief.substr(1);
      if (!option.value.empty()) text += option.words.empty() ? " -r -F" : " -x";
      if (!option.words.empty())
        text += " -a " + quoted(fmt::format("{}", fmt::join(option.words, " ")));
      text += " -d " + quoted(option.help) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const std::vector<CommandDocs>& commands, const std::string& shell) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  if (shell == "fish") return fish_script(commands);
  const std::vector<std::string> known{"bash", "zsh", "fish"};
  throw UsageError(
      fmt::format("{} is none of bash, zsh, fish{}", quote(shell), did_you_mean(shell, known)));
}

}  // namespace orrery::app
