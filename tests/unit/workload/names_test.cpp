#include "orrery/workload/names.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>
#include <vector>

namespace orrery {
namespace {

TEST(NameTable, NumbersNamesInTheOrderOfFirstUse) {
  NameTable names;
  EXPECT_EQ(names.size(), 1U);
  EXPECT_EQ(names.intern("vcB"), 1U);
  EXPECT_EQ(names.intern("vcA"), 2U);
  EXPECT_EQ(names.intern("vcB"), 1U);
  EXPECT_EQ(names[1], "vcB");
  EXPECT_EQ(names.size(), 3U);
}

TEST(NameTable, EmptyNameIsIndexZero) {
  NameTable names;
  EXPECT_EQ(names.intern(""), 0U);
  EXPECT_EQ(names.find(""), 0U);
  EXPECT_EQ(names[0], "");
  EXPECT_EQ(names.find("never seen"), 0U);
}

TEST(NameTable, TellsBytesApart) {
  NameTable names;
  const std::string with_zero("a\0b", 3);
  EXPECT_EQ(names.intern("a"), 1U);
  EXPECT_EQ(names.intern(with_zero), 2U);
  EXPECT_EQ(names.intern(" a"), 3U);
  EXPECT_EQ(names.find(with_zero), 2U);
}

// Against a plain map, over many growths of the table.
TEST(NameTable, AgreesWithAMap) {
  EXPECT_TRUE(rc::check("map", [](const std::vector<std::uint16_t>& words) {
    NameTable names;
    std::map<std::string, std::uint32_t> model;
    for (const std::uint16_t word : words) {
      const std::string name = "user" + std::to_string(word % 512);
      const auto [entry, fresh] = model.emplace(name, static_cast<std::uint32_t>(model.size() + 1));
      RC_ASSERT(names.find(name) == (fresh ? 0 : entry->second));
      RC_ASSERT(names.intern(name) == entry->second);
    }
    RC_ASSERT(names.size() == model.size() + 1);
    for (const auto& [name, index] : model) RC_ASSERT(names[index] == name);
  }));
}

TEST(NameTable, KeepsEveryNameWhileItGrows) {
  NameTable names;
  const std::size_t empty = names.bytes();
  for (std::uint32_t i = 1; i <= 10'000; ++i) ASSERT_EQ(names.intern("n" + std::to_string(i)), i);
  for (std::uint32_t i = 1; i <= 10'000; ++i) ASSERT_EQ(names.find("n" + std::to_string(i)), i);
  EXPECT_GT(names.bytes(), empty + 10'000 * sizeof(std::string));
}

}  // namespace
}  // namespace orrery
