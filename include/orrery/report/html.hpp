// A report as one HTML page that carries its own data and asks nobody for anything.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// Text as it may stand in HTML, in an element or an attribute.
std::string html_text(std::string_view text);
/// JSON as it may stand in a script element: no byte of it ends the element or starts a comment.
std::string json_for_page(std::string_view json);

/// The page. `data` is a JSON text; the other two are plain texts. Throws UsageError where this
/// build has no report page.
std::string report_html(std::string_view subtitle, std::string_view footer, std::string_view data);

}  // namespace orrery
