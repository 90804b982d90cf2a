#include "verify/broken.hpp"

#include "orrery/base/error.hpp"

namespace orrery::verify {

void broken(std::string_view rule, const Place& place, const std::string& detail) {
  std::string text{"fault in Orrery: rule "};
  text += rule;
  text += " is broken at " + seconds_text(place.time.time_since_epoch()) + " s";
  if (!place.job_id.empty()) text += " by job " + quote(place.job_id);
  throw Fault(text + ": " + detail);
}

}  // namespace orrery::verify
