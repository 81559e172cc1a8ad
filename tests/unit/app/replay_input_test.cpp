#include "app/replay_input.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace oomen::app {
namespace {

// All samples of `lines`, or the first error's text.
struct Read {
  std::vector<ReplaySample> samples;
  std::string error;
};
Read read(const std::vector<std::string>& lines) {
  ReplayInput input("x.csv");
  Read out;
  for (const auto& line : lines) {
    auto sample = input.line(line);
    if (!sample) {
      EXPECT_TRUE(sample.error().bad_input);
      out.error = sample.error().message;
      return out;
    }
    if (*sample) out.samples.push_back(**sample);
  }
  if (auto done = input.end(); !done) out.error = done.error().message;
  return out;
}

TEST(ReplayInput, ReadsWithAndWithoutAHeader) {
  for (const auto& lines : std::vector<std::vector<std::string>>{
           {"time_s,bytes", "0,100", "1.5,2e3"}, {"0,100", "1.5,2e3"}}) {
    Read got = read(lines);
    ASSERT_EQ(got.samples.size(), 2u) << got.error;
    EXPECT_EQ(got.samples[1].time_s, 1.5);
    EXPECT_EQ(got.samples[1].bytes, 2000);
    EXPECT_FALSE(got.samples[1].limit_bytes);
  }
}

TEST(ReplayInput, TakesColumnsInTheOrderOfTheHeader) {
  Read got = read({"limit_bytes,time_s,bytes", "500,7,100"});
  ASSERT_EQ(got.samples.size(), 1u) << got.error;
  EXPECT_EQ(got.samples[0].time_s, 7);
  EXPECT_EQ(got.samples[0].bytes, 100);
  EXPECT_EQ(got.samples[0].limit_bytes, 500);
}

TEST(ReplayInput, ALimitMayBeAbsent) {
  Read got = read({"time_s,bytes,limit_bytes", "0,1,", "1,1,max", "2,1,9"});
  ASSERT_EQ(got.samples.size(), 3u) << got.error;
  EXPECT_FALSE(got.samples[0].limit_bytes);
  EXPECT_FALSE(got.samples[1].limit_bytes);
  EXPECT_EQ(got.samples[2].limit_bytes, 9);
}

TEST(ReplayInput, GapsCommentsBlanksAndForeignLineEndsPass) {
  Read got = read({"\xEF\xBB\xBFtime_s,bytes\r", "# note", "", "0,1\r", "1,", "2,NaN", " 3 , 4 "});
  ASSERT_EQ(got.samples.size(), 2u) << got.error;
  EXPECT_EQ(got.samples[1].bytes, 4);
}

struct Bad {
  std::vector<std::string> lines;
  std::string says;
};
class BadInput : public ::testing::TestWithParam<Bad> {};
TEST_P(BadInput, NamesFileLineAndWhatWasExpected) {
  EXPECT_EQ(read(GetParam().lines).error, GetParam().says);
}
INSTANTIATE_TEST_SUITE_P(
    Lines, BadInput,
    ::testing::Values(
        Bad{{}, "x.csv:0: expected at least one line time_s,bytes[,limit_bytes]"},
        Bad{{"time_s,bytes"}, "x.csv:1: expected at least one line time_s,bytes[,limit_bytes]"},
        Bad{{"time_s,rss"},
            "x.csv:1: expected the columns time_s,bytes[,limit_bytes], each once, got 'rss'"},
        Bad{{"time_s,time_s"},
            "x.csv:1: expected the columns time_s,bytes[,limit_bytes], each once, got 'time_s'"},
        Bad{{"bytes"}, "x.csv:1: expected both columns time_s and bytes, got 'bytes'"},
        Bad{{"time_s,bytes,limit_bytes,x"},
            "x.csv:1: expected the columns time_s,bytes[,limit_bytes], got "
            "'time_s,bytes,limit_bytes,x'"},
        Bad{{"0,1", "1,x"}, "x.csv:2: expected a size in bytes, got 'x'"},
        Bad{{"0,1", "1"}, "x.csv:2: expected time_s,bytes[,limit_bytes], got '1'"},
        Bad{{"time_s,bytes", "0,1,2"}, "x.csv:2: expected time_s,bytes, got '0,1,2'"},
        Bad{{"0,1", "0,2"}, "x.csv:2: expected a time later than that of the line before, got '0'"},
        Bad{{"5,1", "4,2"}, "x.csv:2: expected a time later than that of the line before, got '4'"},
        Bad{{"0,-1"}, "x.csv:1: expected a size in bytes, got '-1'"},
        Bad{{"0,inf"}, "x.csv:1: expected a size in bytes, got 'inf'"},
        Bad{{"0,1", "nan,1"}, "x.csv:2: expected a finite time in seconds, got 'nan'"},
        Bad{{"0,1", "bytes,1"}, "x.csv:2: expected a time in seconds, got 'bytes'"},
        Bad{{"0,1,0"}, "x.csv:1: expected a limit in bytes above 0, or max, got '0'"},
        Bad{{"0,\x01" + std::string(60, '9') + "z"},
            "x.csv:1: expected a size in bytes, got '?" + std::string(39, '9') + "...'"}));

}  // namespace
}  // namespace oomen::app
