// What may stand in a page.
#include "orrery/report/html.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(Html, TextIsNoMarkup) {
  EXPECT_EQ(html_text(R"(<a href="x" title='y'>&amp;</a>)"),
            "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
  EXPECT_EQ(html_text("plain, \xc3\xa4"), "plain, \xc3\xa4");
}

TEST(Html, JsonNeitherEndsItsElementNorALine) {
  EXPECT_EQ(json_for_page(R"({"a":"</script><!-- & >"})"),
            R"({"a":"\u003c/script\u003e\u003c!-- \u0026 \u003e"})");
  EXPECT_EQ(json_for_page("\"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\""),
            "\"\\u2028\\u2029\xe2\x80\xaa\"");
}

}  // namespace
}  // namespace orrery
