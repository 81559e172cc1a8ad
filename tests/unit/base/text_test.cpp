#include "base/text.h"

#include <gtest/gtest.h>

namespace oomen::base {
namespace {

TEST(TakeUntil, cuts_one_piece_after_the_other) {
  std::string_view rest = "a b  c";
  EXPECT_EQ(take_until(rest, ' '), "a");
  EXPECT_EQ(take_until(rest, ' '), "b");
  EXPECT_EQ(take_until(rest, ' '), "");
  EXPECT_EQ(take_until(rest, ' '), "c");
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(take_until(rest, ' '), "");
}

TEST(Trim, takes_blanks_off_both_ends) {
  EXPECT_EQ(trim(" \t\nmax \n"), "max");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(ParseNumber, wants_all_of_the_text) {
  EXPECT_EQ(parse_number("0"), 0u);
  EXPECT_EQ(parse_number("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_number<int>("-7"), -7);
  EXPECT_EQ(parse_number<double>("0.25"), 0.25);
  for (const char* text : {"", "max", "1 ", " 1", "+1", "-1", "1k", "18446744073709551616"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  EXPECT_EQ(parse_number<uint16_t>("65536"), std::nullopt);
}

}  // namespace
}  // namespace oomen::base
