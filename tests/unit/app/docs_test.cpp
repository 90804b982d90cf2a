// What README and docs show is what the program says today: every command in a block that begins
// with "$" is run, in order, and what is shown below it must come out.
#include "support/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace orrery::test {
namespace {

namespace fs = std::filesystem;

struct Shown {
  std::string command;
  std::vector<std::string> lines;  ///< below it; "...": the rest is left out
};

/// The commands of a page's code blocks.
std::vector<Shown> commands_of(const fs::path& page) {
  std::vector<Shown> all;
  std::istringstream in{read_whole(page)};
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) all.push_back({});  // what comes before a command in a block belongs to none
    } else if (inside && line.starts_with("$ ")) {
      all.push_back({.command = line.substr(2), .lines = {}});
    } else if (inside) {
      all.back().lines.push_back(line);
    }
  }
  std::erase_if(all, [](const Shown& shown) { return shown.command.empty(); });
  return all;
}

/// Without what a run measures of itself.
std::string without_costs(const std::string& line) {
  static const std::regex seconds{" +[0-9]+\\.[0-9]{2}$"};
  if (line.starts_with("engine"))
    return line.substr(0, line.find(" · ")) + " " + line.substr(line.find("fingerprint"));
  return std::regex_replace(line, seconds, "");
}

void expect_shown(const Shown& shown, const Said& said) {
  std::vector<std::string> lines;
  std::istringstream in{said.err + said.out};
  for (std::string line; std::getline(in, line);) lines.push_back(without_costs(line));
  for (std::size_t i = 0; i < shown.lines.size(); ++i) {
    if (shown.lines[i] == "...") return;
    ASSERT_LT(i, lines.size()) << shown.command;
    EXPECT_EQ(lines[i], without_costs(shown.lines[i])) << shown.command;
  }
  if (!shown.lines.empty()) {
    EXPECT_EQ(lines.size(), shown.lines.size()) << shown.command;
  }
}

struct Docs : testing::TestWithParam<std::string> {};
TEST_P(Docs, EveryCommandRunsAndSaysWhatIsShown) {
  const Scratch scratch;
  fs::create_directory_symlink(ORRERY_SOURCE_DIR "/traces", scratch.path() / "traces");
  for (const Shown& shown : commands_of(fs::path{ORRERY_SOURCE_DIR} / GetParam())) {
    std::vector<std::string> arguments = words(shown.command);
    ASSERT_EQ(fs::path{arguments.front()}.filename(), "orrery") << shown.command;
    arguments.erase(arguments.begin());
    const Said said = orrery(arguments, scratch);
    // Two different runs are different; everything else that is shown succeeds.
    EXPECT_EQ(said.code, arguments.front() == "diff" ? 1 : 0) << shown.command << "\n" << said.err;
    expect_shown(shown, said);
  }
}

std::vector<std::string> pages() {
  std::vector<std::string> pages{"README.md"};
  for (const auto& entry : fs::directory_iterator(ORRERY_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md")
      pages.push_back("docs/" + entry.path().filename().string());
  std::erase_if(pages, [](const std::string& page) {
    return commands_of(fs::path{ORRERY_SOURCE_DIR} / page).empty();
  });
  std::ranges::sort(pages);
  return pages;
}
INSTANTIATE_TEST_SUITE_P(Pages, Docs, testing::ValuesIn(pages()), [](const auto& test) {
  std::string name = test.param.substr(test.param.rfind('/') + 1);
  return name.substr(0, name.find('.'));
});

TEST(Readme, ScenarioShownHolds) {
  const std::string readme = read_whole(fs::path{ORRERY_SOURCE_DIR} / "README.md");
  const std::size_t begin = readme.find("```json\n") + 8;
  const Scratch scratch;
  scratch.file("shown.json", readme.substr(begin, readme.find("```", begin) - begin));
  EXPECT_EQ(orrery({"check", "shown.json"}, scratch).out, "1 passed, 0 failed\n");
}

// ---- completion and manual page, from the command tree

/// What a command says when a shell is given this text.
Said shell(const Scratch& scratch, const std::string& program, const std::string& text) {
  scratch.file("script", text);
  const std::string line =
      "cd " + scratch.path().string() + " && " + program + " script >out 2>err </dev/null";
  const int status = std::system(line.c_str());
  return {.code = WEXITSTATUS(status),
          .out = read_whole(scratch.path() / "out"),
          .err = read_whole(scratch.path() / "err")};
}

TEST(Completion, BashOffersCommandsOptionsAndValues) {
  const Scratch scratch;
  const std::string script = orrery(words("completion bash"), scratch).out;
  const auto offers = [&](const std::string& typed, int word) {
    const Said said =
        shell(scratch, "bash",
              script + "\nCOMP_WORDS=(" + typed + "); COMP_CWORD=" + std::to_string(word) +
                  "; _orrery; echo \"${COMPREPLY[*]}\"");
    EXPECT_EQ(said.err, "") << typed;
    return said.out;
  };
  EXPECT_EQ(offers("orrery po", 1), "policy\n");
  EXPECT_EQ(offers("orrery policy ''", 2), "list show conform\n");
  EXPECT_EQ(offers("orrery policy show tir", 3), "tiresias\n");
  EXPECT_EQ(offers("orrery run --pol", 2), "--policy\n");
  EXPECT_EQ(offers("orrery run --policy sr", 3), "srtf srsf\n");
  EXPECT_EQ(offers("orrery compare --seed 3 --vc-mode s", 5), "static shared\n");
  EXPECT_EQ(offers("orrery run --trace scr", 3), "script\n");
}

TEST(Completion, FishOffersCommandsOptionsAndValues) {
  const Scratch scratch;
  const std::string script = orrery(words("completion fish"), scratch).out;
  const auto offers = [&](const std::string& typed) {
    const Said said =
        shell(scratch, "HOME=. fish",
              script + "\ncomplete -C '" + typed + "' | string replace -r '\\t.*' ''");
    EXPECT_EQ(said.err, "") << typed;
    return said.out;
  };
  EXPECT_EQ(offers("orrery po"), "policy\n");
  EXPECT_EQ(offers("orrery run --polic"), "--policy\n");
  EXPECT_EQ(offers("orrery run --policy sr"), "srsf\nsrtf\n");
  EXPECT_EQ(offers("orrery policy "), "conform\nlist\nshow\n");
}

TEST(Completion, ZshTakesItsScript) {
  const Scratch scratch;
  const std::string script = orrery(words("completion zsh"), scratch).out;
  EXPECT_TRUE(script.starts_with("#compdef orrery\n"));
  const Said said = shell(scratch, "zsh -n", script);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(orrery(words("completion tcsh"), scratch).code, 2);
}

TEST(Manual, IsCleanAndHasEveryCommand) {
  const Scratch scratch;
  const std::string page = orrery(words("man"), scratch).out;
  scratch.file("orrery.1", page);
  const Said lint = shell(scratch, "bash", "mandoc -T lint -W style orrery.1");
  EXPECT_EQ(lint.code, 0);
  EXPECT_EQ(lint.out + lint.err, "");
  const Said shown = shell(scratch, "bash", "mandoc -T utf8 orrery.1 | col -bx");
  for (const char* part :
       {"orrery policy conform", "--policy SPEC", "EXIT STATUS", "--snapshot-at T"})
    EXPECT_NE(shown.out.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace orrery::test
