// The corpus of the fuzzers, and seeded mutations of it, as an ordinary test of any compiler.
#include "fuzz/load.hpp"
#include "support/scratch.hpp"

#include "orrery/base/error.hpp"
#include "orrery/base/random.hpp"

#include <boost/random/uniform_int_distribution.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace orrery::test {
namespace {

struct Seed {
  std::string name, text;
};

/// The files of a format in the order of their names.
std::vector<Seed> corpus(const std::string& format) {
  std::vector<Seed> seeds;
  const std::filesystem::path folder =
      std::filesystem::path{ORRERY_SOURCE_DIR} / "tests/fuzz/corpus" / format;
  for (const auto& file : std::filesystem::directory_iterator{folder})
    seeds.push_back({file.path().filename().string(), read_whole(file.path())});
  std::ranges::sort(seeds, {}, &Seed::name);
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(const std::string& format)
      : random_{RngStreams{1}.stream("mutations of " + format)} {}

  /// One to four changes, each small; now and then the end of another text.
  std::string mutate(std::string text, const std::vector<Seed>& others) {
    for (std::size_t changes = 1 + draw(3); changes > 0; --changes) change(text, others);
    return text;
  }

 private:
  std::size_t draw(std::size_t most) {
    return static_cast<std::size_t>(boost::random::uniform_int_distribution<std::int64_t>{
        0, static_cast<std::int64_t>(most)}(random_));
  }
  void change(std::string& text, const std::vector<Seed>& others) {
    static const std::vector<std::string> kWords{",",
                                                 "\"",
                                                 "\n",
                                                 "\r\n",
                                                 "None",
                                                 "-1",
                                                 "0",
                                                 "1e999",
                                                 "0.5",
                                                 "[",
                                                 "]",
                                                 "{",
                                                 "}",
                                                 ":",
                                                 "null",
                                                 "\\u",
                                                 "\xff",
                                                 "\x1b",
                                                 "Z",
                                                 "+08:00",
                                                 "9999-12-31 23:59:59",
                                                 "1e-999",
                                                 "NaN",
                                                 "\"\"",
                                                 "#",
                                                 "\t",
                                                 "gpus",
                                                 "288230376151",
                                                 "submit",
                                                 "true",
                                                 "\\ud8",
                                                 std::string(1, '\0'),
                                                 "1970-01-01 00:00:00"};
    const std::size_t at = draw(text.size());
    const std::size_t length = std::min(draw(12), text.size() - at);
    switch (draw(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(draw(255));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, kWords[draw(kWords.size() - 1)]);
        break;
      case 4:
        text.replace(at, length, kWords[draw(kWords.size() - 1)]);
        break;
      case 5:
        text.resize(at);
        break;
      default: {
        const std::string& other = others[draw(others.size() - 1)].text;
        text = text.substr(0, at) + other.substr(draw(other.size()));
      }
    }
  }
  RandomStream random_;
};

/// What a text does to the readers: nothing, or the promise that they broke.
std::string broken(const std::string& format, const std::string& text) {
  try {
    fuzz::load(format, text);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

void replay(const std::string& format) {
  constexpr int kMutations = 300;
  const std::vector<Seed> seeds = corpus(format);
  ASSERT_GE(seeds.size(), 4U);
  Mutator mutator{format};
  for (const Seed& seed : seeds) {
    EXPECT_EQ(broken(format, seed.text), "") << seed.name;
    for (int i = 0; i < kMutations; ++i) {
      const std::string text = mutator.mutate(seed.text, seeds);
      EXPECT_EQ(broken(format, text), "") << seed.name << "\n" << printable(text, 4000);
    }
  }
}

TEST(Fuzz, CsvReaderKeepsItsPromises) {
  replay("csv");
}
TEST(Fuzz, HeliosReaderKeepsItsPromises) {
  replay("helios");
}
TEST(Fuzz, PhillyReaderKeepsItsPromises) {
  replay("philly");
}
TEST(Fuzz, FindingTheFormatKeepsItsPromises) {
  replay("auto");
}

// The test itself: a reader that lets another error out is noticed.
TEST(Fuzz, BrokenPromisesAreNoticed) {
  EXPECT_NE(broken("no such format", "a"), "");
}

}  // namespace
}  // namespace orrery::test
