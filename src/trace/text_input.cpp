#include "trace/text_input.hpp"

#include "orrery/base/error.hpp"

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace orrery {
namespace {

namespace io = boost::iostreams;
using namespace std::string_view_literals;

constexpr std::size_t kHead = std::size_t{64} * 1024;

bool starts_with_any_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char l, char t) {
           return l == (t >= 'A' && t <= 'Z' ? static_cast<char>(t + 32) : t);
         });
}

}  // namespace

class TextInput::Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

class TextInput::MemoryBytes final : public Bytes {
 public:
  explicit MemoryBytes(std::string_view text) : left_{text} {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = std::min(size, left_.size());
    std::memcpy(out, left_.data(), count);
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view left_;
};

class TextInput::FileBytes final : public Bytes {
 public:
  explicit FileBytes(const std::string& path) : path_{path} {
    if (path != "-") {
      fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (fd_ < 0) fail("cannot open");
      struct stat status {};
      if (::fstat(fd_, &status) == 0 && S_ISDIR(status.st_mode))
        throw EnvironmentError(path + " is a folder; a trace is a file");
    }
    EVP_DigestInit_ex(hash_.get(), EVP_sha256(), nullptr);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override {
    if (path_ != "-" && fd_ >= 0) ::close(fd_);
  }
  std::size_t read(char* out, std::size_t size) override {
    ssize_t count = 0;
    do {
      count = ::read(fd_, out, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) fail("cannot read");
    const auto got = static_cast<std::size_t>(count);
    EVP_DigestUpdate(hash_.get(), out, got);
    total_ += got;
    return got;
  }
  std::uint64_t total() const { return total_; }
  std::string sha256() {
    if (path_ == "-") return {};
    std::array<char, kHead> rest{};  // a reader may stop before the end of the file
    while (read(rest.data(), rest.size()) > 0) {
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(hash_.get(), digest.data(), &length);
    std::string hex;
    for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw EnvironmentError(fmt::format("{} {}: {}", what, path_, std::strerror(errno)));
  }
  std::string path_;
  int fd_ = STDIN_FILENO;
  struct Freed {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Freed> hash_{EVP_MD_CTX_new()};
  std::uint64_t total_ = 0;
};

/// What a gzip or zstd stream unpacks to, up to a limit in bytes and in their ratio to the packed
/// ones.
class TextInput::Decompressed final : public Bytes {
 public:
  enum class Kind : std::uint8_t { gzip, zstd };
  Decompressed(Kind kind, std::string name, std::string first, Bytes& packed,
               const ReadLimits& limits)
      : kind_{kind},
        name_{std::move(name)},
        source_{std::move(first), &packed, &packed_bytes_},
        limits_{limits} {
    if (kind != Kind::gzip) return;
    gzip_.push(io::gzip_decompressor{});
    gzip_.push(source_, kHead);
  }
  std::size_t read(char* out, std::size_t size) override {
    std::size_t count = 0;
    try {
      count = kind_ == Kind::gzip
                  ? static_cast<std::size_t>(gzip_.sgetn(out, static_cast<std::streamsize>(size)))
                  : zstd_.read(out, size, source_);
    } catch (const EnvironmentError&) {
      throw;
    } catch (const std::exception&) {
      throw InputError(fmt::format("{}: the {} data is damaged or cut off after {} bytes of text",
                                   name_, word(), unpacked_));
    }
    unpacked_ += count;
    check_limits();
    return count;
  }

 private:
  /// Boost's view of the packed bytes: those read to recognise them, then the rest.
  struct Source {
    using char_type = char;
    using category = io::source_tag;
    std::string first;
    Bytes* rest;
    std::uint64_t* total;
    std::streamsize read(char* out, std::streamsize size) {
      const auto wanted = static_cast<std::size_t>(size);
      std::size_t count = std::min(wanted, first.size());
      if (count > 0) {
        std::memcpy(out, first.data(), count);
        first.erase(0, count);
      } else {
        count = rest->read(out, wanted);
      }
      *total += count;
      return count == 0 ? -1 : static_cast<std::streamsize>(count);
    }
  };

  /// Frames one after the other. Boost's filter takes the end of the file for the end of a frame:
  /// a file that was cut off would look like a shorter trace.
  class Zstd {
   public:
    Zstd() : stream_{ZSTD_createDStream()} {}
    Zstd(const Zstd&) = delete;
    Zstd& operator=(const Zstd&) = delete;
    ~Zstd() { ZSTD_freeDStream(stream_); }
    std::size_t read(char* out, std::size_t size, Source& source) {
      ZSTD_outBuffer to{out, size, 0};
      while (to.pos < to.size) {
        if (from_.pos == from_.size && !full_) {
          const auto count = source.read(packed_.data(), static_cast<std::streamsize>(kHead));
          if (count < 0 && in_frame_) throw std::runtime_error("cut off");
          if (count < 0) break;
          from_ = {packed_.data(), static_cast<std::size_t>(count), 0};
        }
        const std::size_t wanted = ZSTD_decompressStream(stream_, &to, &from_);
        if (ZSTD_isError(wanted) != 0) throw std::runtime_error("damaged");
        in_frame_ = wanted != 0;
        full_ = to.pos == to.size;  // there may be more without more input
      }
      return to.pos;
    }

   private:
    ZSTD_DStream* stream_;
    std::vector<char> packed_ = std::vector<char>(kHead);
    ZSTD_inBuffer from_{};
    bool in_frame_ = false, full_ = false;
  };
  const char* word() const { return kind_ == Kind::gzip ? "gzip" : "zstd"; }
  void check_limits() const {
    constexpr std::uint64_t kFreeOfRatio = std::uint64_t{64} << 20;
    if (unpacked_ > limits_.most_bytes)
      throw InputError(
          fmt::format("{}: unpacks to more than the limit of {} bytes", name_, limits_.most_bytes));
    if (unpacked_ > kFreeOfRatio && unpacked_ / limits_.most_ratio > packed_bytes_) {
      throw InputError(
          fmt::format("{}: {} packed bytes unpack to more than {}, past the limit of {} to 1",
                      name_, packed_bytes_, unpacked_, limits_.most_ratio));
    }
  }
  Kind kind_;
  std::string name_;
  std::uint64_t packed_bytes_ = 0, unpacked_ = 0;
  Source source_;
  ReadLimits limits_;
  Zstd zstd_;
  io::filtering_streambuf<io::input> gzip_;
};

TextInput::TextInput(const std::string& path, const ReadLimits& limits)
    : name_{path == "-" ? "standard input" : path} {
  file_ = std::make_shared<FileBytes>(path);
  struct Shared final : Bytes {
    explicit Shared(std::shared_ptr<FileBytes> shared) : file{std::move(shared)} {}
    std::size_t read(char* out, std::size_t size) override { return file->read(out, size); }
    std::shared_ptr<FileBytes> file;
  };
  open(std::make_unique<Shared>(file_), limits);
}

TextInput::TextInput(std::string_view text, std::string name, const ReadLimits& limits)
    : name_{std::move(name)} {
  open(std::make_unique<MemoryBytes>(text), limits);
}

TextInput::TextInput(TextInput&&) noexcept = default;
TextInput& TextInput::operator=(TextInput&&) noexcept = default;
TextInput::~TextInput() = default;

void TextInput::open(std::unique_ptr<Bytes> bytes, const ReadLimits& limits) {
  const auto fill = [](Bytes& from) {
    std::string head(kHead, '\0');
    std::size_t size = 0;
    while (size < head.size()) {
      const std::size_t count = from.read(head.data() + size, head.size() - size);
      if (count == 0) break;
      size += count;
    }
    head.resize(size);
    return head;
  };
  head_ = fill(*bytes);
  const bool gzip = head_.starts_with("\x1f\x8b"sv);
  const bool zstd = head_.starts_with("\x28\xb5\x2f\xfd"sv);
  if (gzip || zstd) {
    struct Both final : Bytes {  // keeps the packed bytes alive beside what reads them
      std::unique_ptr<Bytes> packed;
      std::unique_ptr<Decompressed> unpacked;
      std::size_t read(char* out, std::size_t size) override { return unpacked->read(out, size); }
    };
    auto both = std::make_unique<Both>();
    both->packed = std::move(bytes);
    both->unpacked =
        std::make_unique<Decompressed>(gzip ? Decompressed::Kind::gzip : Decompressed::Kind::zstd,
                                       name_, std::move(head_), *both->packed, limits);
    bytes = std::move(both);
    head_ = fill(*bytes);
  }
  bytes_ = std::move(bytes);
  refuse_what_is_no_text();
  if (head_.starts_with("\xef\xbb\xbf"sv)) head_read_ = 3;
}

void TextInput::refuse_what_is_no_text() const {
  const auto refuse = [&](std::string_view what) {
    throw InputError(fmt::format("{}: {}", name_, what));
  };
  const std::string_view head = head_;
  const auto text = head.find_first_not_of(" \t\r\n");
  const std::string_view begin =
      text == std::string_view::npos ? std::string_view{} : head.substr(text);
  if ((begin.empty() && head.size() < kHead) || begin == "\xef\xbb\xbf")
    refuse("the file is empty");
  if (begin.starts_with("version https://git-lfs"))
    refuse("this is a Git LFS pointer, not the data; fetch the real file with 'git lfs pull'");
  if (starts_with_any_case(begin, "<!doctype html") || starts_with_any_case(begin, "<html"))
    refuse(
        "this is an HTML page, not a trace; the download was probably refused or needs another "
        "address");
  if (head.starts_with("\xff\xfe"sv) || head.starts_with("\xfe\xff"sv))
    refuse("this is UTF-16 text; save it as UTF-8");
  if (head.starts_with("PK\x03\x04"sv)) refuse("this is a zip archive; unpack it first");
  if (head.starts_with("BZh"sv)) refuse("this is bzip2 data; gzip and zstd are read as they are");
  if (head.starts_with("\xfd"
                       "7zXZ"sv))
    refuse("this is xz data; gzip and zstd are read as they are");
  if (head.size() > 262 && head.substr(257, 5) == "ustar")
    refuse("this is a tar archive; unpack it first");
  if (head.substr(0, 4096).find('\0') != std::string_view::npos)
    refuse("this is binary data, not a trace");
}

std::size_t TextInput::read(char* out, std::size_t size) {
  if (head_read_ < head_.size()) {
    const std::size_t count = std::min(size, head_.size() - head_read_);
    std::memcpy(out, head_.data() + head_read_, count);
    head_read_ += count;
    return count;
  }
  return bytes_->read(out, size);
}

std::string TextInput::sha256() {
  return file_ ? file_->sha256() : std::string{};
}

std::string file_sha256(const std::string& path) {
  return TextInput::FileBytes{path}.sha256();
}

}  // namespace orrery
