#include "report/report_page.hpp"

#include "orrery/base/error.hpp"

namespace orrery {

const ReportPage& report_page() {
  throw UsageError("this build of Orrery has no report page: it was made with ORRERY_REPORT=OFF");
}

}  // namespace orrery
