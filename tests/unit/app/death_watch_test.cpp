#include "app/death_watch.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/clock.h"

namespace oomen::app {
namespace {

constexpr uint64_t kMi = 1 << 20;
constexpr model::CgroupId kCgroup = 7;

struct Told {
  std::shared_ptr<const model::Autopsy> autopsy;
  bool completed;
};

class DeathWatchTest : public testing::Test {
 protected:
  DeathScene scene() const {
    DeathScene scene;
    scene.container.namespace_name = "ns";
    scene.container.pod = scene.container.container = "app";
    scene.victim_cgroup_path = "/ns/app";
    scene.levels = {{"/ns/app", "container", 64 * kMi, 64 * kMi, 1, {}}};
    scene.main_pid = 42;
    scene.kills_as_group = group_;
    scene.first_alert_ns = now_ - 30'000'000'000;
    return scene;
  }
  model::OomVictim victim(int pid, uint64_t after_ns = 0) const {
    return {now_ + after_ns, pid, kCgroup, "hog", 1, "other"};
  }
  model::ProcessExit exit(int pid, int status) const {
    return {now_ + 1000, pid, kCgroup, "hog", status};
  }
  const model::Autopsy& last() const { return *watch_.autopsies().back(); }

  uint64_t now_ = base::boottime_ns();
  bool group_ = false;
  std::vector<Told> told_;
  DeathWatch watch_{[this](model::CgroupId cgroup) {
                      return cgroup == kCgroup ? std::optional(scene()) : std::nullopt;
                    },
                    [](model::CgroupId cgroup) { return "/cgroup-" + std::to_string(cgroup); },
                    [this](const std::shared_ptr<const model::Autopsy>& autopsy, bool completed) {
                      told_.push_back({autopsy, completed});
                    }};
};

TEST_F(DeathWatchTest, IsToldAtOnceAndCompletedByTheExit) {
  watch_.see(victim(42));
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_FALSE(told_[0].autopsy->exit_code);
  watch_.see(exit(42, SIGKILL));
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_TRUE(told_[1].completed);
  EXPECT_EQ(told_[1].autopsy->exit_code, 137);
  EXPECT_EQ(told_[1].autopsy->id, told_[0].autopsy->id);
  EXPECT_FALSE(told_[0].autopsy->exit_code) << "what was handed out is never changed";
  ASSERT_EQ(watch_.autopsies().size(), 1u) << "completed in its place";
  EXPECT_EQ(last().kind, "container_limit");
  EXPECT_TRUE(last().first_alert_wall_ns);
}

TEST_F(DeathWatchTest, TheVictimsCgroupComesFromTheSignalWhereTheHookGivesAPidAlone) {
  watch_.see(model::KillSent{now_, 42, kCgroup, "hog", true, 1, 0, "other"});
  model::OomVictim bare = victim(42);
  bare.cgroup.reset();
  watch_.see(bare);
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_EQ(last().witnesses.size(), 2u);
}

TEST_F(DeathWatchTest, AGroupKillIsOneAutopsy) {
  group_ = true;
  watch_.see(victim(42));
  watch_.see(victim(43, 10));
  watch_.see(victim(44, 20));
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_TRUE(last().group);
  EXPECT_EQ(last().victim_pid, 42) << "the kernel marks its choice first";
}

TEST_F(DeathWatchTest, KillsOfDifferentProcessesAreDifferentAutopsies) {
  for (int pid = 100; pid < 120; ++pid) watch_.see(victim(pid));
  EXPECT_EQ(watch_.autopsies().size(), 20u);
}

TEST_F(DeathWatchTest, TheCounterConfirmsAKillAndMakesNoSecondOne) {
  watch_.see(victim(42));
  watch_.see_counter(kCgroup, "memory.events", 1, now_);
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_EQ(last().witnesses.back().source, "memory.events");
  EXPECT_TRUE(last().disagreements.empty());
}

TEST_F(DeathWatchTest, ACounterAloneIsADeathAndADisagreementWhereEventsShouldHaveTold) {
  watch_.see_counter(kCgroup, "memory.events", 1, now_);
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_EQ(last().victim_pid, 0);
  EXPECT_EQ(watch_.disagreements(), 1u);
}

TEST_F(DeathWatchTest, AGroupKillIsOneDeathThoughItsFirstVictimIsCountedTwice) {
  group_ = true;
  watch_.see(victim(21));
  watch_.see(victim(22));
  watch_.see_counter(kCgroup, "memory.events", 2, now_ + 1000);
  watch_.see_counter(kCgroup, "memory.events", 1, now_ + 2000);
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_TRUE(last().disagreements.empty());
}

TEST_F(DeathWatchTest, ACountOfAKillMoreThanEventsToldOfIsADeathThatDisagrees) {
  watch_.see(victim(21));
  watch_.see_counter(kCgroup, "memory.events", 2, now_ + 1000);
  ASSERT_EQ(watch_.autopsies().size(), 2u);
  EXPECT_EQ(last().disagreements.size(), 1u);
}

TEST_F(DeathWatchTest, WithoutBpfACounterAloneIsEnough) {
  watch_.events_tell_of_kills = false;
  watch_.see_counter(kCgroup, "memory.oom_control", 2, now_);
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_EQ(watch_.disagreements(), 0u);
}

TEST_F(DeathWatchTest, AKillOfTheMainProcessByOthersIsNoOom) {
  watch_.see(model::KillSent{now_, 42, kCgroup, "hog", false, 99, 8, "shim"});
  watch_.see(exit(42, SIGKILL));
  ASSERT_EQ(watch_.autopsies().size(), 1u);
  EXPECT_EQ(last().kind, "not_oom");
  EXPECT_EQ(last().killer, "shim");
  EXPECT_EQ(last().killer_cgroup, "/cgroup-8");
  EXPECT_TRUE(watch_.last_kills().empty()) << "it is no OOM kill";
}

TEST_F(DeathWatchTest, OrdinaryExitsAndKillsElsewhereAreNone) {
  watch_.see(exit(42, 0));
  watch_.see(exit(42, 1 << 8));
  watch_.see(exit(77, SIGKILL));  // not the main process
  watch_.see(model::OomVictim{now_, 5, 1234, "x", 1, "y"});
  EXPECT_TRUE(watch_.autopsies().empty());
}

TEST_F(DeathWatchTest, AClosedAutopsyTakesNoMore) {
  watch_.see(victim(42));
  watch_.tick(now_ + 60'000'000'000);
  watch_.see(exit(42, SIGKILL));
  EXPECT_EQ(watch_.autopsies().size(), 2u) << "a pid used again is another process";
}

TEST_F(DeathWatchTest, TheLastKillOfAContainerIsKeptOnce) {
  watch_.see(victim(42));
  watch_.tick(now_ + 60'000'000'000);
  watch_.see(victim(43));
  ASSERT_EQ(watch_.last_kills().size(), 1u);
  EXPECT_EQ(watch_.last_kills()[0].pod, "app");
}

}  // namespace
}  // namespace oomen::app
