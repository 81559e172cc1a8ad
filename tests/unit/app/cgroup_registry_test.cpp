#include "app/cgroup_registry.h"

#include <gtest/gtest.h>

namespace oomen::app {
namespace {

CgroupRegistry tree() {
  CgroupRegistry registry;
  (void)registry.replace({{1, 0, "/"}, {2, 1, "/a"}, {3, 2, "/a/b"}});
  return registry;
}

TEST(CgroupRegistry, PlacesABirthUnderItsParent) {
  CgroupRegistry registry = tree();
  EXPECT_TRUE(registry.add(9, 1, "top"));
  EXPECT_TRUE(registry.add(10, 3, "c"));
  EXPECT_EQ(registry.find(9)->path, "/top");
  EXPECT_EQ(registry.find(10)->path, "/a/b/c");
  EXPECT_FALSE(registry.add(11, 77, "orphan")) << "only a walk can place it";
  EXPECT_EQ(registry.find(11), nullptr);
}

TEST(CgroupRegistry, LineageGoesUpToTheRoot) {
  CgroupRegistry registry = tree();
  auto line = registry.lineage(3);
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[0]->path, "/a/b");
  EXPECT_EQ(line[2]->path, "/");
  EXPECT_TRUE(registry.lineage(404).empty());
}

TEST(CgroupRegistry, AWalkTellsWhoIsGone) {
  CgroupRegistry registry = tree();
  auto gone = registry.replace({{1, 0, "/"}, {4, 1, "/a"}});
  std::sort(gone.begin(), gone.end());
  EXPECT_EQ(gone, (std::vector<model::CgroupId>{2, 3}))
      << "made again under its name it is another";
}

TEST(CgroupRegistry, BelowDoesNotMistakeAPrefixForAParent) {
  CgroupRegistry registry;
  EXPECT_TRUE(registry.below("/a/b", "/a"));
  EXPECT_TRUE(registry.below("/a", "/a"));
  EXPECT_FALSE(registry.below("/ab", "/a"));
  EXPECT_TRUE(registry.below("/x", ""));
}

}  // namespace
}  // namespace oomen::app
