// A trace file as a stream of text: plain, gzip or zstd by its first bytes, behind limits, with
// what is no trace at all named as such.
#pragma once

#include "orrery/trace/loader.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace orrery {

class TextInput {
 public:
  /// `path` "-" is standard input. Throws EnvironmentError when it cannot be read, InputError when
  /// it is no text.
  TextInput(const std::string& path, const ReadLimits& limits);
  /// Text in memory; `name` stands for the file in messages.
  TextInput(std::string_view text, std::string name, const ReadLimits& limits);
  TextInput(TextInput&&) noexcept;
  TextInput& operator=(TextInput&&) noexcept;
  ~TextInput();

  const std::string& name() const { return name_; }
  /// The first bytes of the text (at most 64 KiB), without a byte order mark; still to be read.
  std::string_view head() const { return std::string_view{head_}.substr(head_read_); }
  /// Reads up to `size` bytes; 0 at the end. Throws InputError for damaged or too much data.
  std::size_t read(char* out, std::size_t size);
  /// SHA-256 of the file as it lies on disk, lower-case hex; after the end was reached. Empty for
  /// standard input and text in memory.
  std::string sha256();

 private:
  friend std::string file_sha256(const std::string& path);
  class Bytes;
  class FileBytes;
  class MemoryBytes;
  class Decompressed;
  void open(std::unique_ptr<Bytes> bytes, const ReadLimits& limits);
  void refuse_what_is_no_text() const;

  std::string name_;
  std::string head_;
  std::size_t head_read_ = 0;
  std::shared_ptr<FileBytes> file_;  // for its hash
  std::unique_ptr<Bytes> bytes_;
};

/// SHA-256 of a whole file, lower-case hex. Throws what TextInput throws.
std::string file_sha256(const std::string& path);

}  // namespace orrery
