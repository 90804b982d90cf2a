#include "orrery/report/html.hpp"

#include "report/report_page.hpp"

namespace orrery {

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : text) switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  return html;
}

std::string json_for_page(std::string_view json) {
  constexpr std::string_view kLineSeparator = "\xe2\x80\xa8", kParagraphSeparator = "\xe2\x80\xa9";
  std::string safe;
  safe.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
      safe += json[i] == '<' ? "\\u003c" : json[i] == '>' ? "\\u003e" : "\\u0026";
    } else if (rest.starts_with(kLineSeparator) || rest.starts_with(kParagraphSeparator)) {
      safe += rest.starts_with(kLineSeparator) ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += json[i];
    }
  }
  return safe;
}

std::string report_html(std::string_view subtitle, std::string_view footer, std::string_view data) {
  const ReportPage& page = report_page();
  std::string html{page.before_subtitle};
  html += html_text(subtitle);
  html += page.before_footer;
  html += html_text(footer);
  html += page.before_data;
  html += json_for_page(data);
  html += page.end;
  return html;
}

}  // namespace orrery
