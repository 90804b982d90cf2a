#include "orrery/policy/spec.hpp"

#include "orrery/base/error.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;
using Values = std::map<std::string, std::string>;

std::string usage_error(auto&& act) {
  try {
    act();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseSpec, TakesNameAndOptionsApart) {
  EXPECT_EQ(parse_spec("fifo").name, "fifo");
  EXPECT_EQ(parse_spec("fifo").values, Values{});
  const Spec spec = parse_spec("mlfq:limits=10s/30s,grain=1s");
  EXPECT_EQ(spec.text, "mlfq:limits=10s/30s,grain=1s");
  EXPECT_EQ(spec.name, "mlfq");
  EXPECT_EQ(spec.values, (Values{{"limits", "10s/30s"}, {"grain", "1s"}}));
  EXPECT_EQ(parse_spec("p:expr=a=b").values, (Values{{"expr", "a=b"}}));
}

TEST(ParseSpec, FirstBareWordIsTheValueOfThePositionalKey) {
  EXPECT_EQ(parse_spec("random:7", "seed").values, (Values{{"seed", "7"}}));
  EXPECT_EQ(parse_spec("random:seed=7", "seed").values, (Values{{"seed", "7"}}));
  EXPECT_EQ(parse_spec("random:7,x=y", "seed").values, (Values{{"seed", "7"}, {"x", "y"}}));
}

TEST(ParseSpec, SaysWhatIsWrong) {
  const std::vector<std::pair<const char*, const char*>> table{
      {"", "a policy or placement needs a name before its options, got ''"},
      {":a=b", "a policy or placement needs a name before its options, got ':a=b'"},
      {"las:", "las: an option is key=value, got ''"},
      {"las:6m", "las: an option is key=value, got '6m'"},
      {"las:quantum", "las: an option is key=value, got 'quantum'"},
      {"las:quantum=", "las: an option is key=value, got 'quantum='"},
      {"las:=6m", "las: an option is key=value, got '=6m'"},
      {"las:quantum=6m,", "las: an option is key=value, got ''"},
      {"las:quantum=6m,quantum=7m", "las: option 'quantum' is given twice"}};
  for (const auto& [text, message] : table)
    EXPECT_EQ(usage_error([&] { parse_spec(text); }), message) << text;
  EXPECT_EQ(usage_error([] { parse_spec("random:x=y,7", "seed"); }),
            "random: an option is key=value, got '7'");
}

TEST(Options, ConvertTheirValues) {
  const Options options{"p",
                        {{"quantum", "90s"},
                         {"limits", "10s/30s/1h"},
                         {"seed", "-7"},
                         {"sigma", "0.5"},
                         {"relax", "any"}}};
  EXPECT_EQ(options.duration("quantum", 1s), 90s);
  EXPECT_EQ(options.durations("limits", {}), (std::vector<Duration>{10s, 30s, 1h}));
  EXPECT_EQ(options.integer("seed", 1), -7);
  EXPECT_EQ(options.number("sigma", 1), 0.5);
  EXPECT_EQ(options.word("relax", {"never", "any"}, "never"), "any");
  EXPECT_TRUE(options.has("seed"));
  EXPECT_FALSE(options.has("grain"));
  EXPECT_NO_THROW(options.check_all_used());
}

TEST(Options, FallBackWhereNothingIsGiven) {
  const Options none{"p", {}};
  EXPECT_EQ(none.duration("a", 1s), 1s);
  EXPECT_EQ(none.durations("b", {2s}), std::vector<Duration>{2s});
  EXPECT_EQ(none.integer("c", 3), 3);
  EXPECT_EQ(none.number("d", 4.5), 4.5);
  EXPECT_EQ(none.word("e", {"x"}, "x"), "x");
}

TEST(Options, SayWhatAValueMustBe) {
  const auto with = [](const char* value) { return Options{"p", {{"k", value}}}; };
  for (const char* bad : {"0s", "-1s", "6min", "x", "1e300"})
    EXPECT_EQ(
        usage_error([&] { with(bad).duration("k", 1s); }),
        std::string{"p: k must be a duration above zero such as 6m or 3250s, got '"} + bad + "'");
  for (const char* bad : {"0s/1s", "2s/1s", "1s/1s", "1s/", "/", "1s/x"})
    EXPECT_EQ(usage_error([&] { with(bad).durations("k", {}); }),
              std::string{"p: k must be ascending durations above zero joined by /, such as "
                          "3250s/7200s, got '"} +
                  bad + "'");
  for (const char* bad : {"1.5", "x", "1 ", "99999999999999999999"})
    EXPECT_EQ(usage_error([&] { with(bad).integer("k", 1); }),
              std::string{"p: k must be a whole number, got '"} + bad + "'");
  for (const char* bad : {"x", "nan", "inf", "1e999", "1,5"})
    EXPECT_EQ(usage_error([&] { with(bad).number("k", 1); }),
              std::string{"p: k must be a number, got '"} + bad + "'");
  EXPECT_EQ(usage_error([&] {
              with("nevre").word("k", {"never", "any"}, "any");
            }),
            "p: k must be one of never, any, got 'nevre' (did you mean 'never'?)");
}

TEST(Options, NameTheKeyThatNobodyAskedFor) {
  const Options options{"las", {{"quantun", "6m"}}};
  options.duration("quantum", 1s);
  EXPECT_EQ(usage_error([&] { options.check_all_used(); }),
            "las has no option 'quantun' (did you mean 'quantum'?)");
}

}  // namespace
}  // namespace orrery
