// Files that are whole or absent.
#include "orrery/report/result_folder.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace orrery::test {
namespace {

namespace fs = std::filesystem;

struct ResultFolders : testing::Test {
  ResultFolders() {
    std::string name = (fs::temp_directory_path() / "orrery-test-XXXXXX").string();
    base = mkdtemp(name.data());
  }
  ~ResultFolders() override { fs::remove_all(base); }
  static std::string text_of(const fs::path& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  fs::path base;
};

TEST_F(ResultFolders, FileIsAbsentUntilCommittedAndGoneWithoutIt) {
  {
    AtomicFile file{base / "a"};
    file.write("text");
    file.sync();
    EXPECT_FALSE(fs::exists(base / "a"));
  }
  EXPECT_TRUE(fs::is_empty(base));
  AtomicFile file{base / "a"};
  file.write("te");
  file.write("xt");
  file.commit();
  EXPECT_EQ(text_of(base / "a"), "text");
}

TEST_F(ResultFolders, CommitReplacesAnOlderResultAsAWhole) {
  {
    ResultFolder old{base / "r", false};
    old.file("jobs.csv").write("old");
    old.file("timeline.csv").write("old");
    old.file("manifest.json").write("old");
    old.commit();
  }
  std::ofstream{base / "r" / "notes.txt"} << "mine";
  EXPECT_THROW((ResultFolder{base / "r", false}), UsageError);
  ResultFolder young{base / "r", true};
  young.file("jobs.csv").write("new");
  young.file("manifest.json").write("new");
  young.commit();
  EXPECT_EQ(text_of(base / "r/jobs.csv"), "new");
  EXPECT_EQ(text_of(base / "r/manifest.json"), "new");
  EXPECT_FALSE(fs::exists(base / "r/timeline.csv"));  // of the old result
  EXPECT_EQ(text_of(base / "r/notes.txt"), "mine");   // not ours
}

TEST_F(ResultFolders, TwoRunsNeverShareAFolder) {
  const ResultFolder one{base / "r", true};
  EXPECT_THROW((ResultFolder{base / "r", true}), UsageError);
}

TEST_F(ResultFolders, LeftoversOfAKilledRunAreSweptAndDoNotCount) {
  fs::create_directory(base / "r");
  std::ofstream{base / "r" / ".orrery-jobs.csv.123.tmp"} << "half";
  ResultFolder folder{base / "r", false};
  EXPECT_TRUE(fs::is_empty(base / "r"));
}

TEST_F(ResultFolders, WhatCannotBeWrittenIsAnErrorOfTheEnvironment) {
  EXPECT_THROW((AtomicFile{base / "no/such/folder/a"}), EnvironmentError);
  EXPECT_THROW(write_text((base / "no/such/folder/a").string(), "x"), EnvironmentError);
}

}  // namespace
}  // namespace orrery::test
