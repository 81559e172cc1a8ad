#include "sink/printable.h"

#include <gtest/gtest.h>

namespace oomen::sink {
namespace {

constexpr const char* kBad = "\xEF\xBF\xBD";

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "plain-name_1.x", "größe", "日本", "\xF0\x9F\x90\xA7"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersAreReplaced) {
  for (std::string_view text :
       {"\x1b", "\n", "\t", "\x7f", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x80\xA8"})
    EXPECT_TRUE(printable(text).starts_with(kBad)) << text.size();
  EXPECT_EQ(printable(std::string_view("\0", 1)), kBad);
}

TEST(Printable, WhatIsNoUtf8IsReplacedByteByByte) {
  const std::string bad = kBad;
  EXPECT_EQ(printable("a\xff"), "a" + bad);
  EXPECT_EQ(printable("\xC0\xAF"), bad + bad);                      // over-long
  EXPECT_EQ(printable("\xED\xA0\x80"), bad + bad + bad);            // a surrogate
  EXPECT_EQ(printable("\xE2\x82"), bad + bad);                      // cut off
  EXPECT_EQ(printable("\xE2x"), bad + "x");                         // no continuation
  EXPECT_EQ(printable("\xF4\x90\x80\x80").size(), 4 * bad.size());  // past the last code point
}

}  // namespace
}  // namespace oomen::sink
