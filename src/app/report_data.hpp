// What a report shows of a result folder, read back from its files.
#pragma once

#include "report/json_parts.hpp"

#include <string>

namespace orrery::app {

struct ReportData {
  std::string title;  ///< "trace on cluster: policies"
  Json data;          ///< what web/src/main.js draws
};

/// Reads the folder of a run or of a comparison. Throws InputError for what is none, and where one
/// of its files is damaged or missing.
ReportData read_report(const std::string& folder);

}  // namespace orrery::app
