#include "orrery/api/version.hpp"

namespace orrery {

std::string_view version() {
  return ORRERY_VERSION;
}
std::string_view build_text() {
  return ORRERY_BUILD;
}

}  // namespace orrery
