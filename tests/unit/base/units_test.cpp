#include "base/units.h"

#include <gtest/gtest.h>

namespace oomen::base {
namespace {

TEST(ParseBytes, reads_what_people_write) {
  struct Case {
    const char* text;
    uint64_t bytes;
  };
  for (auto [text, bytes] :
       {Case{"0", 0}, Case{"1048576", 1048576}, Case{"64k", 64'000}, Case{"64K", 64'000},
        Case{"64Ki", 65'536}, Case{"96Mi", 96ull << 20}, Case{"512MiB", 512ull << 20},
        Case{"1.5GiB", 3ull << 29}, Case{"96M", 96'000'000}, Case{"2GB", 2'000'000'000},
        Case{"7B", 7}, Case{".5Ki", 512}, Case{"1Ti", 1ull << 40}, Case{"2Pi", 2ull << 50},
        Case{"1Ei", 1ull << 60}, Case{"1T", 1'000'000'000'000}, Case{"0.4", 0}}) {
    auto result = parse_bytes(text);
    ASSERT_TRUE(result) << text;
    EXPECT_EQ(*result, bytes) << text;
  }
}

TEST(ParseBytes, refuses_the_rest) {
  for (const char* text : {"",     " 1",   "1 ",    "-1",    "-0",
                           "+1",   "Mi",   "1Mb",   "1mi",   "1MiBB",
                           "1Mi2", "inf",  "nan",   "0x10",  "1e3",
                           "8Ei",  "16Ei", "1,5Mi", "1.5.5", "9223372036854775808"}) {
    auto result = parse_bytes(text);
    ASSERT_FALSE(result) << text << " became " << *result;
    EXPECT_TRUE(result.error().bad_input) << text;
  }
}

TEST(ParseBytes, says_in_one_short_line_what_was_expected) {
  EXPECT_EQ(parse_bytes("12Mb").error().message,
            "size '12Mb' has unknown unit 'Mb'; expected a number with one of Ki Mi Gi Ti Pi Ei k "
            "M G T P E, such as 512Mi");
  EXPECT_LT(parse_bytes(std::string(100'000, '9')).error().message.size(), 200u);
  EXPECT_EQ(parse_bytes("1\n2").error().message.find('\n'), std::string::npos);
}

TEST(ParseDuration, reads_what_people_write) {
  struct Case {
    const char* text;
    double seconds;
  };
  for (auto [text, seconds] :
       {Case{"0", 0}, Case{"90", 90}, Case{"1.5", 1.5}, Case{"250ms", .25}, Case{"15m", 900},
        Case{"72h", 259'200}, Case{"1h30m", 5400}, Case{"2d", 172'800}, Case{"1w", 604'800},
        Case{"1d12h30m5s", 131'405}, Case{"0.5h", 1800}}) {
    auto result = parse_duration_s(text);
    ASSERT_TRUE(result) << text;
    EXPECT_DOUBLE_EQ(*result, seconds) << text;
  }
}

TEST(ParseDuration, refuses_the_rest) {
  for (std::string text :
       {"", "m", "-5m", "5 m", "15M", "1h30", "5x", "inf", "nan", "1e3s", "1h-5m", "5mm"}) {
    auto result = parse_duration_s(text);
    ASSERT_FALSE(result) << text << " became " << *result;
    EXPECT_TRUE(result.error().bad_input) << text;
  }
  EXPECT_FALSE(parse_duration_s(std::string(308, '9') + "w")) << "would be infinite";
  EXPECT_FALSE(parse_duration_s(std::string(400, '9')));
}

TEST(FormatBytes, keeps_the_number_readable) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1023.7), "1.0 KiB");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(97936998), "93.4 MiB");
  EXPECT_EQ(format_bytes(99.97 * 1024), "100 KiB");
  EXPECT_EQ(format_bytes(1024.0 * 1024 - 1), "1.0 MiB") << "never 1024 KiB";
  EXPECT_EQ(format_bytes(-2.5 * 1024 * 1024), "-2.5 MiB");
  EXPECT_EQ(format_bytes(0x1p63), "8192 PiB");
}

TEST(FormatDuration, changes_its_unit_at_twice_the_next_one) {
  EXPECT_EQ(format_duration(0), "0 s");
  EXPECT_EQ(format_duration(45), "45 s");
  EXPECT_EQ(format_duration(119), "119 s");
  EXPECT_EQ(format_duration(720), "12 min");
  EXPECT_EQ(format_duration(3.2 * 3600), "3.2 h");
  EXPECT_EQ(format_duration(4.1 * 86400), "4.1 d");
}

TEST(FormatRate, takes_the_unit_of_time_that_reads_well) {
  EXPECT_EQ(format_rate(1024 * 1024), "1.0 MiB/s");
  EXPECT_EQ(format_rate(35.0 * 1024 * 1024 / 3600), "35.0 MiB/h");
  EXPECT_EQ(format_rate(2.0 * 1024 * 1024 / 86400), "2.0 MiB/d");
  EXPECT_EQ(format_rate(-1024 * 1024), "-1.0 MiB/s");
}

}  // namespace
}  // namespace oomen::base
