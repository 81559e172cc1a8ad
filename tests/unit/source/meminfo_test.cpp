#include "source/meminfo.h"

#include <gtest/gtest.h>

namespace oomen::source {
namespace {

TEST(Meminfo, ReadsTheLinesItNeeds) {
  auto memory = parse_meminfo(
      "MemTotal:       1024 kB\nMemFree: 1 kB\nMemAvailable:    512 kB\nSwapFree:   8 kB\n");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->total_bytes, 1024u * 1024);
  EXPECT_EQ(memory->available_bytes, 512u * 1024);
  EXPECT_EQ(memory->swap_free_bytes, 8u * 1024);
}

TEST(Meminfo, HalfAFileIsNothing) {
  EXPECT_FALSE(parse_meminfo("MemTotal: 1024 kB\n"));
  EXPECT_FALSE(parse_meminfo("MemTotal: many kB\nMemAvailable: 1 kB\n"));
  EXPECT_FALSE(parse_meminfo(""));
}

TEST(Meminfo, OfThisMachineIsPlausible) {
  auto memory = Meminfo().read();
  ASSERT_TRUE(memory);
  EXPECT_GT(memory->total_bytes, memory->available_bytes);
}

}  // namespace
}  // namespace oomen::source
