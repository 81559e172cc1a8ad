#include "app/death_watch.h"

#include <gtest/gtest.h>

namespace oomen::app {
namespace {

constexpr model::CgroupId kCgroup = 7;

class DeathWatchTest : public ::testing::Test {
 protected:
  model::OomVictim victim(int pid) {
    model::OomVictim victim;
    victim.pid = pid;
    victim.cgroup = kCgroup;
    victim.time_ns = 1'000'000'000;
    return victim;
  }

  DeathScene scene_;
  DeathWatch watch_{[this](model::CgroupId) { return std::optional(scene_); },
                    [](model::CgroupId) { return std::string(); },
                    [](const std::shared_ptr<const model::Autopsy>&, bool) {}};
};

TEST_F(DeathWatchTest, AGroupKillIsOneDeathThoughItsFirstVictimIsCountedTwice) {
  scene_.kills_as_group = true;
  watch_.see(victim(21));
  watch_.see(victim(22));
  watch_.see_counter(kCgroup, "memory.events", 2, 1'100'000'000);
  watch_.see_counter(kCgroup, "memory.events", 1, 1'200'000'000);
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_TRUE(watch_.autopsies()[0]->disagreements.empty());
}

TEST_F(DeathWatchTest, ACountOfAKillThatNoEventToldOfIsADeathThatDisagrees) {
  watch_.see(victim(21));
  watch_.see_counter(kCgroup, "memory.events", 2, 1'100'000'000);
  ASSERT_EQ(watch_.autopsies().size(), 2u);
  EXPECT_EQ(watch_.autopsies()[1]->disagreements.size(), 1u);
}

}  // namespace
}  // namespace oomen::app
