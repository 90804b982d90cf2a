#include "trace/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

Table::Table(TextInput& input, const LoadOptions& options, const std::vector<ColumnNames>& columns,
             Collector& collector)
    : reader_{input, options.limits},
      collector_{&collector},
      at_(columns.size(), kAbsent),
      names_(columns.size()) {
  if (!reader_.next()) throw InputError(fmt::format("{}: the file has no header", input.name()));
  std::vector<std::string> header;
  for (const std::string_view field : reader_.fields()) header.emplace_back(trimmed(field));
  width_ = header.size();
  for (const auto& [role, column] : options.map) {
    std::vector<std::string> roles;
    for (const ColumnNames& one : columns) roles.emplace_back(one.role);
    if (std::ranges::find(roles, role) == roles.end())
      throw UsageError(fmt::format("--map: {} is no column of this format{}", quote(role),
                                   did_you_mean(role, roles)));
    if (std::ranges::find(header, column) == header.end())
      throw UsageError(fmt::format("--map: {} has no column {}{}", input.name(), quote(column),
                                   did_you_mean(column, header)));
  }
  std::vector<bool> taken(header.size());
  ErrorList errors{input.name()};
  for (std::size_t role = 0; role < columns.size(); ++role) {
    std::vector<std::string_view> names = columns[role].names;
    if (const auto mapped = options.map.find(std::string{columns[role].role});
        mapped != options.map.end())
      names = {mapped->second};
    for (const std::string_view name : names) {
      const auto found = std::ranges::find(header, name);
      if (found == header.end()) continue;
      if (std::find(found + 1, header.end(), name) != header.end())
        errors.add(reader_.line(), 0,
                   fmt::format("the column {} stands twice in the header", quote(name)));
      at_[role] = static_cast<std::size_t>(found - header.begin());
      names_[role] = *found;
      taken[at_[role]] = true;
      break;
    }
    if (at_[role] == kAbsent && columns[role].required) {
      errors.add(reader_.line(), 0,
                 fmt::format("no column {}; name the one to use with --map {}=COLUMN",
                             quote(names.front()), columns[role].role));
    }
  }
  errors.throw_if_any();
  for (std::size_t i = 0; i < header.size(); ++i)
    if (!taken[i] && !header[i].empty()) ignored_.push_back(header[i]);
}

std::string_view Table::text(std::size_t role) const {
  const std::size_t at = at_[role];
  if (at == kAbsent || at >= reader_.fields().size()) return {};
  const std::string_view field = reader_.fields()[at];
  const bool padded = !field.empty() && (field.front() == ' ' || field.back() == ' ' ||
                                         field.front() == '\t' || field.back() == '\t');
  return padded ? trimmed(field) : field;
}

bool Table::check_width() {
  const std::size_t fields = reader_.fields().size();
  if (fields == width_) return true;
  if (fields == width_ + 1 && reader_.fields().back().empty()) return true;  // a trailing comma
  collector_->fault(
      line(), 0,
      fmt::format("{} field{}, but the header has {}", fields, fields == 1 ? "" : "s", width_));
  return false;
}

void Table::fault(std::size_t role, std::string_view rule) {
  collector_->fault(
      line(), column(role),
      fmt::format("{} must be {}, got {}", printable(names_[role]), rule, quote(text(role))));
}

std::optional<std::int64_t> Table::whole(std::size_t role, std::int64_t least, std::int64_t most) {
  const auto value = parse_whole(text(role));
  if (value && *value >= least && *value <= most) return value;
  fault(role, fmt::format("a whole number from {} to {}", least, most));
  return std::nullopt;
}

std::optional<Duration> Table::duration(std::size_t role) {
  const auto value = parse_seconds(text(role));
  if (value && *value >= Duration::zero() && *value <= kLongestTime) return value;
  fault(role, value && *value > kLongestTime ? "a time this side of 9,100 years"
                                             : "a number of seconds, not negative");
  return std::nullopt;
}

std::optional<SimTime> Table::time(std::size_t role) {
  const std::string_view value = text(role);
  if (times_ == Times::undecided) {
    if (looks_like_date(value)) {
      times_ = Times::calendar;
    } else if (parse_seconds(value)) {
      times_ = Times::relative;
    } else {  // says nothing of the times to come
      fault(role, "a number of seconds or a time like 2017-10-07 01:00:10");
      return std::nullopt;
    }
  }
  if (times_ == Times::relative) {
    const auto since = duration(role);
    return since ? std::optional{at(*since)} : std::nullopt;
  }
  const auto read = calendar_(value);
  if (!read || read->micros < 0) {
    fault(role, "a time like 2017-10-07 01:00:10");
    return std::nullopt;
  }
  if (zoned_.value_or(read->zoned) != read->zoned) {
    fault(role, fmt::format("a time {} a zone, as the times before", *zoned_ ? "with" : "without"));
    return std::nullopt;
  }
  zoned_ = read->zoned;
  collector_->set_calendar(read->zoned);
  return at(Duration{read->micros});
}

}  // namespace orrery
