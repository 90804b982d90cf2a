#include "orrery/report/result_folder.hpp"

#include "orrery/base/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace orrery {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;
constexpr std::string_view kPrefix = ".orrery-", kSuffix = ".tmp";
constexpr std::array<std::string_view, 12> kResultFiles{
    "manifest.json",   "snapshot.json", "jobs.csv",         "summary.json",
    "attempts.csv",    "timeline.csv",  "events.jsonl.zst", "trace.perfetto.json",
    "batsim_jobs.csv", "trace.paje",    "comparison.json",  "comparison.csv"};

/// An entry of a folder gets its name for good only when the folder itself is on the disk.
void sync_folder(const std::filesystem::path& folder) {
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;  // it may be written to, but not read: nothing more can be done
  fsync(file);
  close(file);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_{std::move(path)} {
  temporary_ = path_.parent_path() /
               fmt::format("{}{}.{}{}", kPrefix, path_.filename().string(), getpid(), kSuffix);
  unlink(temporary_.c_str());  // a killed run with this process number
  file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) fail("made");
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  close(file_);
  unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kBuffer) flush();
}

void AtomicFile::flush() {
  std::string_view left{buffer_};
  while (!left.empty()) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("written");
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void AtomicFile::sync() {
  flush();
  if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail("written");
}

void AtomicFile::commit() {
  sync();
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("renamed");
  close(file_);
  file_ = -1;
  sync_folder(path_.parent_path());
}

bool AtomicFile::is_leftover(std::string_view file_name) {
  return file_name.starts_with(kPrefix) && file_name.ends_with(kSuffix);
}

void AtomicFile::fail(const char* doing) const {
  throw EnvironmentError(
      fmt::format("{} cannot be {}: {}", quote(path_.string(), 200), doing, std::strerror(errno)));
}

ResultFolder::ResultFolder(const std::filesystem::path& path, bool force) : path_{path} {
  const std::string name = quote(path.string(), 200);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (std::filesystem::exists(path) && !std::filesystem::is_directory(path))
    throw UsageError(fmt::format("--out: {} is a file, not a folder", name));
  if (error)
    throw EnvironmentError(fmt::format("--out: {} cannot be made: {}", name, error.message()));
  lock_ = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0)
    throw EnvironmentError(
        fmt::format("--out: {} cannot be opened: {}", name, std::strerror(errno)));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw UsageError(fmt::format("--out: another run is writing to {}", name));
  }
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (AtomicFile::is_leftover(entry.path().filename().string())) {
      std::filesystem::remove(entry.path(), error);
    } else if (!force) {
      close(lock_);
      throw UsageError(
          fmt::format("--out: {} is not empty; --force writes there all the same", name));
    }
  }
}

ResultFolder::~ResultFolder() {
  files_.clear();
  close(lock_);
}

AtomicFile& ResultFolder::file(const std::string& name) {
  return *files_.emplace_back(std::make_unique<AtomicFile>(path_ / name));
}

void ResultFolder::commit() {
  for (const auto& file : files_) file->sync();
  // Without its manifest a folder is no result: it goes first and comes last.
  for (const std::string_view name : kResultFiles) {
    const bool comes = std::any_of(files_.begin(), files_.end(), [&](const auto& file) {
      return file->path().filename() == name;
    });
    std::error_code error;
    if (!comes || name == kResultFiles.front()) std::filesystem::remove(path_ / name, error);
  }
  for (const auto& file : files_)
    if (file->path().filename() != kResultFiles.front()) file->commit();
  for (const auto& file : files_)
    if (file->path().filename() == kResultFiles.front()) file->commit();
  files_.clear();
}

void write_text(const std::string& path, std::string_view text) {
  if (path != "-") {
    AtomicFile file{path};
    file.write(text);
    file.commit();
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw EnvironmentError(
        fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

}  // namespace orrery
