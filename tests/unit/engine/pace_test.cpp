#include "engine/pace.h"

#include <gtest/gtest.h>

namespace oomen::engine {
namespace {

TEST(Pace, AQuietOldContainerIsReadSlowly) {
  EXPECT_EQ(class_pace_s({}), kSlowPace_s);
  EXPECT_EQ(class_pace_s({.age_s = kYoungAge_s + 1, .filled_ratio = 0.5, .usage_jump_ratio = 0.01}),
            kSlowPace_s);
}

TEST(Pace, EachSecondWhereItCouldMatter) {
  EXPECT_EQ(class_pace_s({.age_s = 10}), kFastPace_s) << "young";
  EXPECT_EQ(class_pace_s({.suspect = true}), kFastPace_s);
  EXPECT_EQ(class_pace_s({.filled_ratio = 0.85}), kFastPace_s) << "near its ceiling";
  EXPECT_EQ(class_pace_s({.usage_jump_ratio = 0.3}), kFastPace_s) << "usage jumped since";
  EXPECT_EQ(class_pace_s({.usage_jump_ratio = -0.3}), kFastPace_s) << "a drop is news too";
}

}  // namespace
}  // namespace oomen::engine
