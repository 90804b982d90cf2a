// Output files that are whole or absent: written under a temporary name in their own folder,
// synced, then renamed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// One file under way. Destroyed before commit(), it leaves nothing behind.
class AtomicFile {
 public:
  /// Throws EnvironmentError when the file cannot be made.
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Buffered. Throws EnvironmentError when the disk does not take it.
  void write(std::string_view text);
  /// Everything is on the disk under the temporary name.
  void sync();
  /// sync(), then the file stands under its own name.
  void commit();
  const std::filesystem::path& path() const { return path_; }

  /// Whether a file name is one that a killed run has left.
  static bool is_leftover(std::string_view file_name);

 private:
  void flush();
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path path_, temporary_;
  int file_ = -1;
  std::string buffer_;
};

/// The folder of one result: made with its parents, held against other runs while it is written,
/// filled all at once.
class ResultFolder {
 public:
  /// Throws UsageError when it is not empty (unless `force`) or another run is writing to it,
  /// EnvironmentError when it cannot be made.
  ResultFolder(const std::filesystem::path& path, bool force);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  ~ResultFolder();

  /// A new file of it, absent until commit().
  AtomicFile& file(const std::string& name);
  /// Every file gets its name, manifest.json last; what an earlier result had beside them goes.
  void commit();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
  std::vector<std::unique_ptr<AtomicFile>> files_;
};

/// Text to one file, whole or absent; "-" is standard output.
void write_text(const std::string& path, std::string_view text);

}  // namespace orrery
