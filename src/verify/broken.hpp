// How the checker says that a rule does not hold.
#pragma once

#include "orrery/base/time.hpp"

#include <string>
#include <string_view>

namespace orrery::verify {

/// Where a rule was broken; an empty id: no job in particular.
struct Place {
  std::string_view job_id;
  SimTime time;
};

/// Throws a Fault: "rule I2 is broken at 12.5 s by job 'a': ...".
[[noreturn]] void broken(std::string_view rule, const Place& place, const std::string& detail);

}  // namespace orrery::verify
