// orrery(1), from the command tree.
#include "app/command_docs.hpp"

#include "orrery/api/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace orrery::app {
namespace {

/// Text as it may stand in a line of mdoc: no escapes, no macro at its beginning or after a blank.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string{c};
  if (!safe.empty() && (safe.front() == '.' || safe.front() == '\'')) safe.insert(0, "\\&");
  return safe;
}

/// The same as one argument of a macro.
std::string argument(const std::string& text) {
  std::string safe = plain(text);
  for (std::size_t at = 0; (at = safe.find('"', at)) != std::string::npos; at += 2)
    safe.insert(at, "\"");
  return "\"" + safe + "\"";
}

/// A sentence in lines of at most 80 bytes.
std::string lines(const std::string& text) {
  std::istringstream words{text};
  std::string folded, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + plain(word).size() > 78) {
      folded += line + "\n";
      line.clear();
    }
    // Only the first word of a line could be taken for a macro.
    line += line.empty() ? plain(word) : " " + plain("x" + word).substr(1);
  }
  return folded + line + "\n";
}

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return lines(text + ".");
}

std::string option_item(const OptionDocs& option) {
  std::string text = ".It ";
  if (!option.brief.empty()) text += "Fl " + option.brief.substr(1) + " , ";
  text += "Fl " + plain(option.name.substr(1));
  if (!option.value.empty()) text += " Ar " + argument(option.value);
  return text + "\n" + lines(option.help);
}

std::string synopsis(const CommandDocs& command) {
  std::string text = ".Nm orrery\n.Cm " + command.path.substr(sizeof "orrery") + "\n";
  if (command.options.size() > 1) text += ".Op Ar options\n";
  for (const OptionDocs& one : command.arguments)
    text += (one.required ? ".Ar " : ".Op Ar ") + argument(one.name) + "\n";
  return text;
}

bool is_leaf(const CommandDocs& command) {
  return command.commands.empty();
}

bool is_common(const OptionDocs& option) {
  return option.name == "--help" || option.name == "--help-all";
}

std::string section(const CommandDocs& command) {
  std::string text = fmt::format(".Ss {}\n{}", plain(command.path), sentence(command.help));
  if (command.arguments.empty() && std::ranges::all_of(command.options, is_common)) return text;
  text += ".Bl -tag -width Ds\n";
  for (const OptionDocs& one : command.arguments)
    text += fmt::format(".It Ar {}\n{}", argument(one.name), lines(one.help));
  for (const OptionDocs& one : command.options)
    if (!is_common(one)) text += option_item(one);
  return text + ".El\n";
}

constexpr std::string_view kEnd = R"(.Sh EXIT STATUS
.Bl -tag -width Ds
.It 0
Done.
.It 1
The result says no: a check failed, two runs differ, a policy breaks its
contract.
.It 2
Usage or settings.
.It 3
Input data; the message names file, line, column, the value and what was
expected.
.It 4
The environment: a disk that is full, a permission that is missing.
.It 5
A fault of Orrery or of a policy; the message says whose.
.It 130 , 143
Interrupted.
.El
.Sh EXAMPLES
Two policies on one trace, as a table and as a page:
.Dl orrery compare \-\-trace jobs.csv \-\-cluster 64x8 \-\-policy fifo \-\-policy srtf \-\-out both \-\-report both.html
.Pp
Why a job of the first of them waited:
.Dl orrery explain 4711 \-\-result both/runs/01\-fifo
.Sh SEE ALSO
The pages of the folder docs, and
.Lk https://json\-schema.org "the schemas"
of docs/schema.
)";

}  // namespace

std::string manual_page(const std::vector<CommandDocs>& commands) {
  std::string text = fmt::format(
      ".\\\" Orrery {}\n.Dd November 30, 2026\n.Dt ORRERY 1\n.Os\n.Sh NAME\n.Nm orrery\n"
      ".Nd discrete-event simulator of GPU-cluster scheduling\n.Sh SYNOPSIS\n",
      version());
  for (const CommandDocs& command : commands)
    if (is_leaf(command)) text += synopsis(command);
  text +=
      ".Sh DESCRIPTION\n.Nm\nreplays traces of GPU clusters under scheduling policies, compares\n"
      "policies with each other, and explains, reproduces and reports what came\nout.\nA run is a "
      "function of its trace, settings, seed and version.\n.Pp\nEvery command has\n"
      ".Fl \\-help .\n.Sh COMMANDS\n";
  for (const CommandDocs& command : commands)
    if (is_leaf(command)) text += section(command);
  return text + std::string{kEnd};
}

}  // namespace orrery::app
