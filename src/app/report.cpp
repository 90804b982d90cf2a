// orrery report: a result folder as one HTML page.
#include "app/commands.hpp"
#include "app/report_data.hpp"

#include "orrery/api/version.hpp"
#include "orrery/report/html.hpp"
#include "orrery/report/result_folder.hpp"

#include <fmt/format.h>

namespace orrery::app {

void write_report(const std::string& folder, const std::string& file) {
  const ReportData report = read_report(folder);
  write_text(file, report_html(report.title,
                               fmt::format("Made by Orrery {} from the files of a result folder. "
                                           "This page asks no server for anything.",
                                           version()),
                               report.data.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

int report(const ReportOptions& options) {
  write_report(options.folder, options.out);
  return kDone;
}

}  // namespace orrery::app
