#include "source/cgroup_files.h"

#include <gtest/gtest.h>

namespace oomen::source {
namespace {

TEST(MemoryStatV2, KeepsClassesApartAndTakesShmemOutOfFile) {
  auto classes = parse_memory_stat_v2(
      "anon 100\nfile 70\nkernel 30\nkernel_stack 1\npagetables 2\npercpu 3\nsock 4\nvmalloc "
      "5\nshmem 20\n"
      "inactive_file 40\nactive_file 10\nslab_reclaimable 6\nslab_unreclaimable 7\n");
  EXPECT_EQ(classes.anon, 100u);
  EXPECT_EQ(classes.shmem, 20u);
  EXPECT_EQ(classes.file, 50u);
  EXPECT_EQ(classes.slab_reclaimable, 6u);
  EXPECT_EQ(classes.slab_unreclaimable, 7u);
  EXPECT_EQ(classes.page_tables, 2u);
  EXPECT_EQ(model::unreclaimable_bytes(200, classes), 200u - 40 - 10 - 6);
}

TEST(MemoryStatV2, WhatIsMissingStaysAbsent) {
  auto classes = parse_memory_stat_v2("anon 100\n");
  EXPECT_EQ(classes.anon, 100u);
  EXPECT_FALSE(classes.slab_reclaimable);
  EXPECT_FALSE(classes.kernel);
}

TEST(MemoryStatV2, UnknownKeysHalfLinesAndJunkArePassedOver) {
  auto classes = parse_memory_stat_v2(
      "zswpin 1\nanon 12\n\nanon_thp x\nfile\nfile 9x\nshmem 18446744073709551616\nslab_re");
  EXPECT_EQ(classes.anon, 12u);
  EXPECT_FALSE(classes.file);
  EXPECT_FALSE(classes.shmem);
}

TEST(MemoryStatV1, ReadsTheHierarchicalLinesAlone) {
  auto classes = parse_memory_stat_v1(
      "cache 1\nrss 2\nshmem 3\ninactive_file 4\nactive_file 5\ntotal_cache 1000\ntotal_rss "
      "2000\ntotal_shmem 300\n"
      "total_swap 7\ntotal_inactive_file 400\ntotal_active_file 300\n");
  EXPECT_EQ(classes.anon, 2000u);
  EXPECT_EQ(classes.shmem, 300u);
  EXPECT_EQ(classes.file, 700u);
  EXPECT_EQ(classes.swap, 7u);
  EXPECT_FALSE(classes.slab_reclaimable) << "v1 does not tell it: absent, never 0";
  EXPECT_EQ(model::unreclaimable_bytes(3000, classes), 2300u);
}

TEST(Unreclaimable, IsNeverBelowZeroWhenTheFilesDisagree) {
  model::MemoryClasses classes;
  classes.active_file = 100;
  EXPECT_EQ(model::unreclaimable_bytes(50, classes), 0u);
}

TEST(Limit, NoneIsNothing) {
  EXPECT_FALSE(parse_limit("max\n"));
  EXPECT_FALSE(parse_limit("9223372036854771712\n"));
  EXPECT_FALSE(parse_limit(""));
  EXPECT_EQ(parse_limit("100663296\n"), 100663296u);
  EXPECT_EQ(parse_limit("0\n"), 0u);
}

TEST(MemoryEventsText, ReadsV2AndTheOneLineOfV1) {
  auto v2 = parse_memory_events("low 0\nhigh 1\nmax 22\noom 3\noom_kill 4\noom_group_kill 5\n");
  EXPECT_EQ(v2.high, 1u);
  EXPECT_EQ(v2.max, 22u);
  EXPECT_EQ(v2.oom, 3u);
  EXPECT_EQ(v2.oom_kill, 4u);
  EXPECT_EQ(v2.oom_group_kill, 5u);
  EXPECT_EQ(parse_memory_events("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n").oom_kill, 2u);
}

TEST(Pressure, TakesTheFullLine) {
  EXPECT_DOUBLE_EQ(*parse_pressure_full_avg10("some avg10=9.00 avg60=1 avg300=0 total=5\nfull "
                                              "avg10=1.25 avg60=0.10 avg300=0 total=3\n"),
                   1.25);
  EXPECT_FALSE(parse_pressure_full_avg10("some avg10=9.00 avg60=1 avg300=0 total=5\n"));
  EXPECT_FALSE(parse_pressure_full_avg10("full avg60=1\n"));
}

TEST(ProcCgroup, NamesTheMemoryCgroupOfEachLayout) {
  EXPECT_EQ(memory_cgroup_of("5:cpu,cpuacct:/a\n4:memory:/b/c\n0::/d\n"), "/b/c");
  EXPECT_EQ(memory_cgroup_of("3:hugetlb,memory:/x\n"), "/x");
  EXPECT_EQ(memory_cgroup_of("0::/user.slice\n"), "/user.slice");
  EXPECT_EQ(memory_cgroup_of("1:name=systemd:/s\n0::/with:colon\n"), "/with:colon");
  EXPECT_FALSE(memory_cgroup_of(""));
}

}  // namespace
}  // namespace oomen::source
