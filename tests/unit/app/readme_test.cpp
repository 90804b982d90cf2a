// The README shows real output: the numbers that it prints are those of today.
#include "support/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::test {
namespace {

/// Lines of a block that begins with "$ COMMAND", up to the end of the block.
std::vector<std::string> block_of(const std::string& readme, const std::string& command) {
  std::vector<std::string> lines;
  std::istringstream in{readme.substr(readme.find("$ " + command))};
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line) && line != "```") lines.push_back(line);
  return lines;
}

/// What a command says on both streams, notices first; without costs, which are never the same.
std::vector<std::string> said_by(const std::string& command) {
  const Scratch scratch;
  std::vector<std::string> arguments = words(command.substr(command.find("orrery ") + 7));
  for (std::string& word : arguments)
    if (word.starts_with("traces/")) word = std::string{ORRERY_SOURCE_DIR} + "/" + word;
  const Said said = orrery(arguments, scratch);
  std::vector<std::string> lines;
  std::istringstream in{said.err + said.out};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Drops what the engine line tells of time and memory.
std::string without_costs(const std::string& line) {
  if (!line.starts_with("engine")) return line;
  return line.substr(0, line.find(" · ")) + " " + line.substr(line.find("fingerprint"));
}

void expect_as_shown(const std::string& command) {
  const std::string readme = read_whole(std::filesystem::path{ORRERY_SOURCE_DIR} / "README.md");
  ASSERT_NE(readme.find("$ " + command), std::string::npos) << command;
  std::vector<std::string> shown = block_of(readme, command), said = said_by(command);
  for (std::vector<std::string>* lines : {&shown, &said})
    std::ranges::transform(*lines, lines->begin(), without_costs);
  EXPECT_EQ(said, shown);
}

TEST(Readme, RunPrintsWhatIsShown) {
  expect_as_shown(
      "build/release/orrery run --trace traces/philly-sample.json.gz --cluster 32x8 --policy srtf");
}

TEST(Readme, ScenarioShownHolds) {
  const std::string readme = read_whole(std::filesystem::path{ORRERY_SOURCE_DIR} / "README.md");
  const std::size_t begin = readme.find("```json\n") + 8;
  const Scratch scratch;
  scratch.file("shown.json", readme.substr(begin, readme.find("```", begin) - begin));
  EXPECT_EQ(orrery({"check", "shown.json"}, scratch).out, "1 passed, 0 failed\n");
}

}  // namespace
}  // namespace orrery::test
