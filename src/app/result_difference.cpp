#include "app/result_difference.hpp"

#include "api/json_file.hpp"
#include "trace/csv_reader.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

namespace orrery::app {
namespace {

using PlainJson = nlohmann::json;

constexpr std::string_view kNothing = "nothing";
/// What a run measures of itself, and what tells where and how it was started.
constexpr std::array<std::string_view, 4> kMeasured{"engine.wall_s", "engine.cpu_s",
                                                    "engine.events_per_s", "engine.peak_rss_mib"};
constexpr std::array<std::string_view, 6> kCircumstances{"version",  "build",  "argv",
                                                         "settings", "inputs", "trace.notices"};

bool same_bytes(const std::filesystem::path& first, const std::filesystem::path& second) {
  std::error_code error;
  if (std::filesystem::file_size(first, error) != std::filesystem::file_size(second, error))
    return false;
  std::ifstream a{first, std::ios::binary}, b{second, std::ios::binary};
  std::array<char, std::size_t{1} << 16> left{}, right{};
  while (a && b) {
    a.read(left.data(), left.size());
    b.read(right.data(), right.size());
    if (a.gcount() != b.gcount() ||
        std::memcmp(left.data(), right.data(), static_cast<std::size_t>(a.gcount())) != 0)
      return false;
  }
  return a.eof() && b.eof();
}

/// One of two CSV files, read side by side.
struct Rows {
  explicit Rows(const std::filesystem::path& path)
      : input{path.string(), limits}, reader{input, limits} {}
  ReadLimits limits;
  TextInput input;
  CsvReader reader;
};

std::string text_at(std::span<const std::string_view> fields, std::size_t i) {
  return i < fields.size() ? std::string{fields[i]} : std::string{kNothing};
}

std::optional<FileDifference> csv_difference(const std::string& name,
                                             const std::filesystem::path& first,
                                             const std::filesystem::path& second) {
  Rows a{first}, b{second};
  std::vector<std::string> columns;
  while (true) {
    const bool more_a = a.reader.next(), more_b = b.reader.next();
    if (!more_a && !more_b) break;
    const auto left = more_a ? a.reader.fields() : std::span<const std::string_view>{};
    const auto right = more_b ? b.reader.fields() : std::span<const std::string_view>{};
    const std::size_t line = more_a ? a.reader.line() : b.reader.line();
    const bool of_jobs = !columns.empty() && columns.front() == "job_id";
    FileDifference difference{.file = name,
                              .job = of_jobs ? text_at(more_a ? left : right, 0) : "",
                              .line = line,
                              .field = "row",
                              .first = text_at(left, 0),
                              .second = text_at(right, 0)};
    if (more_a != more_b) return difference;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      if (text_at(left, i) == text_at(right, i)) continue;
      difference.field = i < columns.size() ? columns[i] : fmt::format("column {}", i + 1);
      difference.first = text_at(left, i);
      difference.second = text_at(right, i);
      return difference;
    }
    if (columns.empty()) columns.assign(left.begin(), left.end());
  }
  return std::nullopt;
}

bool is_left_out(std::string_view path, std::span<const std::string_view> left_out) {
  return std::ranges::find(left_out, path) != left_out.end();
}

std::string value_text(const PlainJson* value) {
  if (value == nullptr) return std::string{kNothing};
  if (value->is_string()) return value->get<std::string>();
  return value->dump(-1, ' ', false, PlainJson::error_handler_t::replace);
}

/// The first key at which two JSON values differ, below `path`.
std::optional<FileDifference> value_difference(const PlainJson* first, const PlainJson* second,
                                               const std::string& path,
                                               std::span<const std::string_view> left_out) {
  if (is_left_out(path, left_out)) return std::nullopt;
  if (first != nullptr && second != nullptr && *first == *second) return std::nullopt;
  if (first != nullptr && second != nullptr && first->is_object() && second->is_object()) {
    PlainJson keys = *first;
    keys.update(*second);
    for (const auto& [key, unused] : keys.items()) {
      const auto a = first->find(key), b = second->find(key);
      if (auto inner = value_difference(a == first->end() ? nullptr : &*a,
                                        b == second->end() ? nullptr : &*b,
                                        path.empty() ? key : path + "." + key, left_out))
        return inner;
    }
    return std::nullopt;
  }
  return FileDifference{.file = {},
                        .job = {},
                        .line = 0,
                        .field = path,
                        .first = value_text(first),
                        .second = value_text(second)};
}

std::optional<FileDifference> json_difference(const std::string& name,
                                              const std::filesystem::path& first,
                                              const std::filesystem::path& second) {
  const std::span<const std::string_view> left_out =
      name == "manifest.json" ? std::span<const std::string_view>{kCircumstances}
                              : std::span<const std::string_view>{kMeasured};
  const PlainJson a = read_json_file(first.string()).value;
  const PlainJson b = read_json_file(second.string()).value;
  auto difference = value_difference(&a, &b, "", left_out);
  if (difference) difference->file = name;
  return difference;
}

/// Lines of a text that may be compressed.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : input_{path.string(), {}} {}
  std::optional<std::string> next() {
    std::size_t end = text_.find('\n', at_);
    while (end == std::string::npos) {
      text_.erase(0, at_);
      at_ = 0;
      const std::size_t got = input_.read(block_.data(), block_.size());
      if (got == 0) break;
      end = text_.size();
      text_.append(block_.data(), got);
      end = text_.find('\n', end);
    }
    if (end == std::string::npos && text_.empty()) return std::nullopt;
    const std::string line = text_.substr(at_, end - at_);
    at_ = std::min(end, text_.size() - 1) + 1;
    return line;
  }

 private:
  TextInput input_;
  std::vector<char> block_ = std::vector<char>(std::size_t{1} << 16);
  std::string text_;
  std::size_t at_ = 0;
};

std::optional<FileDifference> lines_difference(const std::string& name,
                                               const std::filesystem::path& first,
                                               const std::filesystem::path& second) {
  Lines a{first}, b{second};
  for (std::size_t line = 1;; ++line) {
    const auto left = a.next(), right = b.next();
    if (left == right && !left) return std::nullopt;
    if (left == right) continue;
    const auto parsed = [](const std::optional<std::string>& text) {
      return text ? PlainJson::parse(*text, nullptr, false) : PlainJson{};
    };
    const PlainJson one = parsed(left), other = parsed(right);
    FileDifference difference{.file = name,
                              .job = {},
                              .line = line,
                              .field = "row",
                              .first = left.value_or(std::string{kNothing}),
                              .second = right.value_or(std::string{kNothing})};
    if (one.is_object() && other.is_object()) {
      if (auto inner = value_difference(&one, &other, "", {})) {
        difference.field = inner->field;
        difference.first = inner->first;
        difference.second = inner->second;
      }
    }
    const PlainJson& tells = one.is_object() ? one : other;
    if (tells.is_object()) difference.job = tells.value("job_id", "");
    return difference;
  }
}

std::optional<FileDifference> byte_difference(const std::string& name,
                                              const std::filesystem::path& first,
                                              const std::filesystem::path& second) {
  std::ifstream a{first, std::ios::binary}, b{second, std::ios::binary};
  std::size_t line = 1;
  int left = 0, right = 0;
  while ((left = a.get()) == (right = b.get()) && left != std::char_traits<char>::eof())
    line += left == '\n' ? 1 : 0;
  const auto text = [](int byte) {
    return byte < 0 ? std::string{kNothing} : fmt::format("byte {:#04x}", byte);
  };
  return FileDifference{.file = name,
                        .job = {},
                        .line = line,
                        .field = "bytes",
                        .first = text(left),
                        .second = text(right)};
}

}  // namespace

std::string FileDifference::place() const {
  std::string text = printable(file);
  if (line > 0) text += fmt::format(", line {}", line);
  if (!job.empty()) text += ", job " + quote(job);
  return text + ", " + printable(field);
}

Json FileDifference::json(const char* first_name, const char* second_name) const {
  return {{"file", file},
          {"line", line > 0 ? Json(line) : Json(nullptr)},
          {"job", job.empty() ? Json(nullptr) : Json(job)},
          {"field", field},
          {first_name, first},
          {second_name, second}};
}

std::vector<std::string> result_files(const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 6> kOrder{"jobs.csv",         "attempts.csv",
                                                   "events.jsonl.zst", "timeline.csv",
                                                   "summary.json",     "manifest.json"};
  std::vector<std::string> files, others;
  for (const std::string_view name : kOrder)
    if (std::filesystem::is_regular_file(folder / name)) files.emplace_back(name);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (std::ranges::find(kOrder, name) == kOrder.end()) others.push_back(name);
  }
  std::ranges::sort(others);
  files.insert(files.empty() ? files.end() : files.end() - 1, others.begin(), others.end());
  return files;
}

std::optional<FileDifference> first_difference(const std::string& name,
                                               const std::filesystem::path& first,
                                               const std::filesystem::path& second) {
  if (same_bytes(first, second)) return std::nullopt;
  if (name.ends_with(".json") && name.find("perfetto") == std::string::npos)
    return json_difference(name, first, second);
  if (name.ends_with(".jsonl.zst")) return lines_difference(name, first, second);
  // A file that says the same in other bytes (quotes, say) is another file all the same.
  if (name.ends_with(".csv"))
    if (auto difference = csv_difference(name, first, second)) return difference;
  return byte_difference(name, first, second);
}

}  // namespace orrery::app
