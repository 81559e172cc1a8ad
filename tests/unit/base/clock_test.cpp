#include "base/clock.h"

#include <gtest/gtest.h>

namespace oomen::base {
namespace {

TEST(Clock, rfc3339_in_utc_with_milliseconds) {
  EXPECT_EQ(rfc3339_utc(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339_utc(1'796'078'064'556'999'999), "2026-11-30T22:34:24.556Z");
  EXPECT_EQ(rfc3339_utc(951'782'400'000'000'000), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(rfc3339_utc(UINT64_MAX), "2554-07-21T23:34:33.709Z");
}

TEST(Clock, boot_time_never_goes_back) {
  uint64_t first = boottime_ns();
  EXPECT_GT(first, 0u);
  EXPECT_GE(boottime_ns(), first);
  EXPECT_GT(walltime_ns(), 1'700'000'000'000'000'000u);
  EXPECT_DOUBLE_EQ(seconds(1'500'000'000), 1.5);
}

}  // namespace
}  // namespace oomen::base
