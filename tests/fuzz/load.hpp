// What every reader promises for any bytes at all: a workload whose counts add up, or an InputError
// that is safe to print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace orrery::fuzz {

/// Reads `text` as `format`, strictly by the rules and leniently. Throws std::logic_error for a
/// broken promise; whatever else leaves a reader leaves this, too.
void load(std::string_view format, std::string_view text);

/// For an entry of libFuzzer.
int load(std::string_view format, const std::uint8_t* data, std::size_t size);

}  // namespace orrery::fuzz
