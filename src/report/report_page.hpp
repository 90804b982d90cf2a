// The page of `orrery report` without its data: web/build.mjs bundles it at build time.
#pragma once

#include <string_view>

namespace orrery {

/// The page in pieces, with places for texts (as HTML) and for the data (as JSON for a page)
/// between them.
struct ReportPage {
  std::string_view before_subtitle, before_footer, before_data, end;
};
/// Throws UsageError where this build has none (ORRERY_REPORT=OFF).
const ReportPage& report_page();

}  // namespace orrery
