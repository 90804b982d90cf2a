// Plugins: loaded when they are named by hand and fit, watched while they run, and never more than
// one clear sentence away from an exit code.
#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>

namespace orrery::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::string plugin(const std::string& name) {
  return std::string{ORRERY_PLUGINS} + "/" + name + ".so";
}

Said run_with(const Scratch& scratch, const std::string& policy, const std::string& more = "",
              const std::string& library = plugin("hostile_plugin")) {
  scratch.file("jobs.csv", "job_id,submit,gpus,duration\na,0,4,10\nb,1,9,10\nc,2,4,5\n");
  return orrery(words("run --quiet --trace jobs.csv --cluster 4x4 --policy " + policy +
                      " --plugin " + library + more),
                scratch);
}

TEST(Plugin, ItsPoliciesAreThereLikeAnyOther) {
  const Scratch scratch;
  EXPECT_EQ(run_with(scratch, "last-in --verify").code, 0);
  const Said list = orrery(words("policy list --plugin " + plugin("hostile_plugin")), scratch);
  EXPECT_NE(list.out.find("last-in"), std::string::npos) << list.err;
  EXPECT_EQ(orrery(words("policy show last-in"), scratch).code, 2) << "without it there is none";
  EXPECT_EQ(
      orrery(words("policy conform last-in --workloads 20 --plugin " + plugin("hostile_plugin")),
             scratch)
          .code,
      0);
  EXPECT_EQ(run_with(scratch, "last-in:depth=3").code, 2) << "its options are checked, too";
}

struct Harm {
  const char *policy, *says;
};
void PrintTo(const Harm& harm, std::ostream* out) {
  *out << harm.policy;
}
struct HostilePlugin : testing::TestWithParam<Harm> {};
TEST_P(HostilePlugin, EndsWithItsNameAndTheBrokenRule) {
  const Scratch scratch;
  const Said said = run_with(scratch, GetParam().policy, " --plugin-patience 300ms --out result");
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_NE(said.err.find(GetParam().says), std::string::npos) << said.err;
  EXPECT_FALSE(fs::exists(scratch.path() / "result" / "manifest.json"));
}
INSTANTIATE_TEST_SUITE_P(
    Every, HostilePlugin,
    testing::Values(
        Harm{"throws", "policy 'throws' (plugin): key() throws: no such gang"},
        Harm{"throws-a-number", "policy 'throws-a-number' (plugin): key() throws"},
        Harm{"throws-at-its-rule",
             "'throws-at-its-rule' (plugin): rule() throws: \\x1b[31mno rule"},
        Harm{"crashes", "a policy of a plugin crashed"},
        Harm{"loops", "policy 'loops' (plugin): a call into it did not come back within 0.3 s"},
        Harm{"too-steep", "policy 'too-steep' (plugin): a key is out of bounds"},
        Harm{"holds-until-now", "(plugin): until_held is not past the time held"},
        Harm{"negative-quantum", "(plugin): its quantum is negative"},
        Harm{"grants-twice",
             "policy grants-twice, job 'b' at 1 s: the policy grants 9 GPUs of node 0, where 0 are "
             "free"},
        Harm{"asks-for-ever", "policy asks-for-ever asks at 0 s to be asked at 0 s"},
        Harm{"never-acts", "policy never-acts leaves 3 jobs waiting at 2 s, the first 'a'"},
        Harm{"asks-of-nobody",
             "policy asks-of-nobody, job number 1234 at 0 s: the policy looks at"},
        Harm{"makes-nothing", "(plugin): make() gives no policy"}),
    [](const auto& test) {
      std::string name = test.param.policy;
      std::ranges::replace(name, '-', '_');
      return name;
    });

TEST(Plugin, ARuleThatCannotBeIsAUsageError) {
  const Scratch scratch;
  const Said said = run_with(scratch, "reserves-and-preempts");
  EXPECT_EQ(said.code, 2);
  EXPECT_NE(said.err.find("reserves-and-preempts: a rule that reserves cannot preempt"),
            std::string::npos)
      << said.err;
}

// Slow is not stuck: many calls of 20 ms are well within a patience of 300 ms each.
TEST(Plugin, ASlowPolicyIsNoLoop) {
  const Scratch scratch;
  const Said said = run_with(scratch, "comes-back-late", " --plugin-patience 300ms");
  EXPECT_EQ(said.code, 0) << said.err;
}

TEST(Plugin, WhatDoesNotFitIsRefusedBeforeItIsCalled) {
  const Scratch scratch;
  const auto refused = [&](const std::string& library, const std::string& says, int code = 2) {
    const Said said = run_with(scratch, "last-in", "", library);
    EXPECT_EQ(said.code, code) << library;
    EXPECT_NE(said.err.find(says), std::string::npos) << said.err;
    EXPECT_EQ(said.err.find('\n'), said.err.size() - 1) << "one line: " << said.err;
  };
  refused(plugin("another_interface_plugin"),
          "was built with other headers or another compiler (another\\x0acompiler; this Orrery: ");
  refused(plugin("another_abi_plugin"), "is of plugin interface 99 (8 bytes)");
  refused(plugin("no_table_plugin"), "has no table of policies");
  refused(plugin("taken_name_plugin"), "there is a policy 'fifo' already");
  refused(plugin("bad_name_plugin"), "'../<b>x' is no name for a policy");
  refused("nowhere.so", "'nowhere.so' is not there", 4);
  refused(scratch.file("text.so", "no library"), "cannot be loaded");
  refused(scratch.path().string(), "is no file");
  const fs::path open = scratch.path() / "open.so";
  fs::copy_file(plugin("hostile_plugin"), open);
  chmod(open.c_str(), 0777);
  refused(open.string(), "may be written by everybody");
}

// A manifest says which plugin it was; it never loads one.
TEST(Plugin, AManifestNamesItAndDoesNotLoadIt) {
  const Scratch scratch;
  ASSERT_EQ(run_with(scratch, "last-in", " --out result").code, 0);
  const Json manifest = Json::parse(read_whole(scratch.path() / "result" / "manifest.json"));
  EXPECT_EQ(manifest["inputs"].back()["role"], "plugin");
  const Said without = orrery(words("reproduce result"), scratch);
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("--plugin FILE names it"), std::string::npos) << without.err;
  EXPECT_EQ(
      orrery(words("reproduce result --plugin " + plugin("another_interface_plugin")), scratch)
          .code,
      2);
  const Said with = orrery(words("reproduce result --plugin " + plugin("hostile_plugin")), scratch);
  EXPECT_EQ(with.code, 0) << with.err << with.out;
  ASSERT_EQ(run_with(scratch, "fifo", " --out other").code, 0);
  EXPECT_EQ(Json::parse(read_whole(scratch.path() / "other" / "manifest.json"))["inputs"].size(),
            1U)
      << "a plugin that is not used is no input";
}

TEST(Plugin, ConformTellsOfACrashAndALoop) {
  const Scratch scratch;
  const Said said =
      orrery(words("policy conform crashes --plugin " + plugin("hostile_plugin")), scratch);
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_NE(said.out.find("it crashed: signal 11"), std::string::npos) << said.out;
}

}  // namespace
}  // namespace orrery::test
