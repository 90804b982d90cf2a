#include "orrery/workload/workload.hpp"

#include "orrery/workload/truth.hpp"

namespace orrery {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The run of digits that starts at `at`, without its leading zeros; moves `at` behind it.
std::string_view take_number(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0') ++at;
  const std::size_t first = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return text.substr(first, at - first);
}

}  // namespace

bool id_before(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view x = take_number(a, i), y = take_number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (const int order = x.compare(y); order != 0) return order < 0;
    } else if (a[i] != b[j]) {
      return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
    } else {
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return i == a.size();
  return a < b;  // "01" and "1" are the same number
}

Workload::Workload() : id_offset_(1), truth_{std::make_unique<JobTruth>()} {}
Workload::Workload(Workload&&) noexcept = default;
Workload& Workload::operator=(Workload&&) noexcept = default;
Workload::~Workload() = default;

JobSpec Workload::job(JobId id) const {
  return {.id = id,
          .arrival = arrival(id),
          .gang_size = gang_size(id),
          .walltime = walltime(id),
          .vc = vc(id),
          .user = user(id),
          .name = name(id),
          .model = model(id)};
}

std::size_t Workload::bytes_beside_id_text() const {
  const auto held = [](const auto&... columns) {
    return (std::size_t{0} + ... + (columns.capacity() * sizeof(columns[0])));
  };
  return held(arrival_, gang_size_, vc_, user_, name_, model_, walltime_, row_order_, id_offset_) +
         truth_->bytes() + vcs_.bytes() + users_.bytes() + job_names_.bytes() + models_.bytes();
}

}  // namespace orrery
