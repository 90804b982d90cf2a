// Which Orrery this is.
#pragma once

#include <string_view>

namespace orrery {

/// "0.1.0"
std::string_view version();
/// The compiler and the kind of build: "GCC 12.2.0, Release".
std::string_view build_text();

}  // namespace orrery
