#include "engine/growing_classes.h"

#include <gtest/gtest.h>

namespace oomen::engine {
namespace {

using Names = std::vector<std::string_view>;

TEST(GrowingClasses, NamesTheLargestFirstAndLeavesOutTheSmall) {
  model::MemoryClasses then, now;
  then.anon = then.sock = then.file = then.shmem = 100;
  now.anon = 1000;
  now.sock = 500;
  now.file = 110;
  now.shmem = 50;
  EXPECT_EQ(growing_classes(then, now), (Names{"anon", "sock"}));
}

TEST(GrowingClasses, KernelMemoryIsNotCountedTwice) {
  model::MemoryClasses then, now;
  then.kernel = then.slab_unreclaimable = 0;
  now.kernel = now.slab_unreclaimable = 1000;
  EXPECT_EQ(growing_classes(then, now), (Names{"slab_unreclaimable"}));
  then.slab_unreclaimable.reset();
  now.slab_unreclaimable.reset();
  EXPECT_EQ(growing_classes(then, now), (Names{"kernel"})) << "v1 tells nothing finer";
}

TEST(GrowingClasses, NothingGrewOrNothingIsKnown) {
  model::MemoryClasses then, now;
  EXPECT_TRUE(growing_classes(then, now).empty());
  now.anon = 5;
  EXPECT_TRUE(growing_classes(then, now).empty()) << "absent before is not 0";
}

}  // namespace
}  // namespace oomen::engine
