// The readers, one a format. Each takes the whole input and gives the finished trace.
#pragma once

#include "trace/collector.hpp"
#include "trace/text_input.hpp"

namespace orrery {

LoadedTrace load_csv(TextInput& input, const LoadOptions& options, const std::string& format);
LoadedTrace load_helios(TextInput& input, const LoadOptions& options);
LoadedTrace load_philly_json(TextInput& input, const LoadOptions& options, const std::string& path);

}  // namespace orrery
