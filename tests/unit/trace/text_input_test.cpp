// Files as streams of text: packed or plain by their first bytes, cut off, damaged, bombs, absent.
#include "trace/text_input.hpp"

#include "support/scratch.hpp"
#include "unit/trace/loaded.hpp"

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <gtest/gtest.h>

namespace orrery::test {
namespace {

namespace io = boost::iostreams;

template <class Filter>
std::string packed(std::string_view text) {
  std::string out;
  io::copy(io::array_source{text.data(), text.size()},
           io::compose(Filter{}, io::back_inserter(out)));
  return out;
}
std::string gzip(std::string_view text) {
  return packed<io::gzip_compressor>(text);
}
std::string zstd(std::string_view text) {
  return packed<io::zstd_compressor>(text);
}

const std::string kTrace = "job_id,submit,gpus,duration\na,0,1,10\nb,5,2,20\n";
const std::string kJobs = "a 0 1 10\nb 5 2 20\n";

/// A trace of a few blocks of the reader.
std::string long_trace() {
  std::string text = "job_id,submit,gpus,duration\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("j{},{},1,{}\n", i, i, i * 7919 % 100'000);
  return text;
}

TEST(Packed, IsReadAsThePlainText) {
  EXPECT_EQ(jobs_of(gzip(kTrace)), kJobs);
  EXPECT_EQ(jobs_of(zstd(kTrace)), kJobs);
  EXPECT_EQ(jobs_of(gzip("\xef\xbb\xbf" + kTrace)), kJobs);
  const std::string text = long_trace(), jobs = jobs_of(text);
  EXPECT_TRUE(jobs_of(gzip(text)) == jobs);
  EXPECT_TRUE(jobs_of(zstd(text)) == jobs);
}

TEST(Packed, MembersOneAfterTheOtherAreOneText) {
  const std::string text = long_trace(), jobs = jobs_of(text);
  const std::string first = text.substr(0, 100'001), second = text.substr(100'001);
  EXPECT_TRUE(jobs_of(gzip(first) + gzip(second)) == jobs);
  EXPECT_TRUE(jobs_of(zstd(first) + zstd(second)) == jobs);
}

TEST(Packed, CutAnywhereIsNeverAShorterTrace) {
  const std::string by_gzip = gzip(kTrace), by_zstd = zstd(kTrace);
  for (std::size_t size = 0; size < by_gzip.size(); ++size)
    EXPECT_TRUE(error_of_text(by_gzip.substr(0, size)).starts_with("input: t:")) << size;
  for (std::size_t size = 0; size < by_zstd.size(); ++size)
    EXPECT_TRUE(error_of_text(by_zstd.substr(0, size)).starts_with("input: t:")) << size;
}

TEST(Packed, CutBetweenRowsIsNeverAShorterTrace) {
  // Two frames of whole rows; the second one lacks its end.
  const std::string first = zstd(kTrace), second = zstd("c,9,1,1\nd,9,1,1\n");
  EXPECT_EQ(error_of_text(first + second.substr(0, second.size() - 1)),
            "input: t: the zstd data is damaged or cut off after 0 bytes of text");
}

TEST(Packed, DamagedByteIsAnErrorOrChangesNothing) {
  const std::string whole = gzip(kTrace);
  for (std::size_t at = 2; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const std::string error = error_of_text(damaged);
    if (error == "nothing") {
      EXPECT_EQ(jobs_of(damaged), kJobs) << at;  // a date or a flag of the header
    } else {
      EXPECT_TRUE(error.starts_with("input: t:")) << at << " " << error;
    }
  }
}

TEST(Packed, RestAfterTheEndIsAnError) {
  EXPECT_EQ(error_of_text(zstd(kTrace) + "rest"),
            "input: t: the zstd data is damaged or cut off after 0 bytes of text");
  EXPECT_EQ(error_of_text(gzip(kTrace) + "rest"),
            "input: t: the gzip data is damaged or cut off after 0 bytes of text");
}

TEST(Packed, WhatIsNoTraceIsNamedInsideToo) {
  EXPECT_EQ(error_of_text(gzip("version https://git-lfs.github.com/spec/v1\n")),
            "input: t: this is a Git LFS pointer, not the data; fetch the real file with 'git lfs "
            "pull'");
  EXPECT_EQ(error_of_text(zstd("")), "input: t: the file is empty");
  EXPECT_EQ(error_of_text(gzip(gzip(kTrace))), "input: t: this is binary data, not a trace");
}

TEST(Packed, BombsEndAtTheRatio) {
  // The first 64 MiB may have any ratio.
  const std::string flood = kTrace + std::string(std::size_t{70} << 20, '\n');
  for (const std::string& bomb : {gzip(flood), zstd(flood)}) {
    const std::string error = error_of_text(bomb);
    EXPECT_TRUE(error.starts_with("input: t: ")) << error;
    EXPECT_NE(error.find(", past the limit of 200 to 1"), std::string::npos) << error;
  }
}

TEST(Packed, MostBytesAreALimit) {
  LoadOptions options;
  options.limits.most_bytes = 200'000;
  EXPECT_EQ(error_of_text(gzip(long_trace()), options),
            "input: t: unpacks to more than the limit of 200000 bytes");
  EXPECT_EQ(error_of_text(zstd(long_trace()), options),
            "input: t: unpacks to more than the limit of 200000 bytes");
}

TEST(Files, ArePackedByContentNotByName) {
  const Scratch scratch;
  EXPECT_EQ(described(load_trace(scratch.file("plain.gz", kTrace), {}).workload), kJobs);
  EXPECT_EQ(described(load_trace(scratch.file("packed.csv", zstd(kTrace)), {}).workload), kJobs);
}

TEST(Files, ThatCannotBeReadAreTold) {
  const Scratch scratch;
  EXPECT_EQ(error_of([&] { load_trace(scratch / "absent.csv", {}); }),
            "environment: cannot open " + (scratch / "absent.csv") + ": No such file or directory");
  EXPECT_EQ(error_of([&] { load_trace(scratch.path().string(), {}); }),
            "environment: " + scratch.path().string() + " is a folder; a trace is a file");
}

// The published example of the hash: "abc".
TEST(Files, HashIsOfTheBytesOnDisk) {
  const Scratch scratch;
  EXPECT_EQ(file_sha256(scratch.file("abc", "abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const std::string path = scratch.file("t.gz", gzip(kTrace));
  EXPECT_EQ(load_trace(path, {}).report.sha256, file_sha256(path));
  EXPECT_NE(load_trace(path, {}).report.sha256,
            load_trace(scratch.file("t.csv", kTrace), {}).report.sha256);
  EXPECT_EQ(loaded(kTrace).report.sha256, "");
}

TEST(Files, FaultsOfAPackedFileHaveThePlaceInItsText) {
  const Scratch scratch;
  const std::string path = scratch.file("t.gz", gzip(kTrace + "c,1,x,1\n"));
  EXPECT_EQ(error_of([&] { load_trace(path, {}); }),
            "input: " + path + ":4:5: gpus must be a whole number from 1 to 1000000, got 'x'");
}

}  // namespace
}  // namespace orrery::test
