#include "engine/death.h"

#include <gtest/gtest.h>

#include <csignal>

namespace oomen::engine {
namespace {

constexpr uint64_t kMi = 1 << 20;

LimitLevel level(std::string path, std::string name, std::optional<uint64_t> limit,
                 std::optional<uint64_t> usage, std::optional<uint64_t> ooms = {},
                 std::optional<uint64_t> hits = {}) {
  return {std::move(path), std::move(name), limit, usage, ooms, hits};
}

OomFacts facts(std::vector<LimitLevel> levels) {
  OomFacts facts;
  facts.victim = {1000, 42, 7, "hog", 43, "other"};
  facts.victim_cgroup_path = levels.front().cgroup_path;
  facts.levels = std::move(levels);
  facts.main_pid = 42;
  return facts;
}

TEST(LimitOwner, IsWhereTheKernelCountedTheOom) {
  // On v2 `oom` is counted at the limit that was hit, also when the container's own is nearly full.
  auto owner = find_limit_owner({level("/p/c", "container", 64 * kMi, 63 * kMi, 0),
                                 level("/p", "pod", 80 * kMi, 70 * kMi, 1)});
  EXPECT_EQ(owner, 1u);
}

TEST(LimitOwner, OnV1IsTheFullOneThatWasHit) {
  EXPECT_EQ(find_limit_owner({level("/p/c", "container", {}, 50 * kMi, {}, 0),
                              level("/p", "pod", 64 * kMi, 63 * kMi, {}, 9)}),
            1u);
  EXPECT_EQ(find_limit_owner({level("/p/c", "container", 64 * kMi, 20 * kMi, {}, 9),
                              level("/p", "pod", 900 * kMi, 70 * kMi, {}, 0)}),
            0u)
      << "the victim's memory is free again before its files are read";
}

TEST(LimitOwner, NoneIsTheNode) {
  EXPECT_FALSE(find_limit_owner(
      {level("/c", "container", {}, 50 * kMi, 0), level("/", "cgroup", {}, {}, 0)}));
  EXPECT_FALSE(find_limit_owner({}));
}

TEST(Oom, OfTheContainersOwnLimit) {
  auto autopsy = judge_oom(facts({level("/p/c", "container", 64 * kMi, 64 * kMi, 1)}));
  EXPECT_EQ(autopsy.kind, "container_limit");
  EXPECT_EQ(autopsy.constraint, "memcg");
  EXPECT_EQ(autopsy.limit_owner_cgroup, "/p/c");
  EXPECT_EQ(autopsy.limit_bytes, 64 * kMi);
  EXPECT_EQ(autopsy.victim_pid, 42);
  EXPECT_EQ(autopsy.killer, "kernel");
  EXPECT_FALSE(autopsy.child);
  EXPECT_FALSE(autopsy.exit_code) << "not known before the exit is seen";
}

TEST(Oom, OwnerAndVictimAreTwoFields) {
  auto autopsy = judge_oom(facts(
      {level("/p/c", "container", {}, 20 * kMi, 0), level("/p", "pod", 64 * kMi, 64 * kMi, 1)}));
  EXPECT_EQ(autopsy.kind, "pod_limit");
  EXPECT_EQ(autopsy.victim_cgroup, "/p/c");
  EXPECT_EQ(autopsy.limit_owner_cgroup, "/p");
  auto qos = judge_oom(facts(
      {level("/k/q/p/c", "container", {}, {}, 0), level("/k/q", "qos", 64 * kMi, 64 * kMi, 1)}));
  EXPECT_EQ(qos.kind, "qos_limit");
}

TEST(Oom, OfTheNode) {
  auto autopsy = judge_oom(facts({level("/c", "container", {}, {}, 0)}));
  EXPECT_EQ(autopsy.kind, "node");
  EXPECT_EQ(autopsy.constraint, "none");
  EXPECT_FALSE(autopsy.limit_bytes);
}

TEST(Oom, AChildDiesAndTheContainerLives) {
  OomFacts child = facts({level("/c", "container", 64 * kMi, 64 * kMi, 1)});
  child.main_pid = 7;
  auto autopsy = judge_oom(child);
  EXPECT_TRUE(autopsy.child);
  add_exit(autopsy, {2000, 42, 7, "hog", SIGKILL}, 7);
  EXPECT_TRUE(autopsy.child);
  EXPECT_FALSE(autopsy.exit_code) << "the container did not exit";
  add_exit(autopsy, {3000, 7, 7, "main", 1 << 8}, 7);
  EXPECT_FALSE(autopsy.child) << "it did not live on after all";
  EXPECT_EQ(autopsy.exit_code, 1);
}

TEST(Oom, AStopAfterAChildsKillIsNotItsConsequence) {
  OomFacts child = facts({level("/c", "container", 64 * kMi, 64 * kMi, 1)});
  child.main_pid = 7;
  auto autopsy = judge_oom(child);
  add_exit(autopsy, {3000, 7, 7, "main", SIGTERM}, 7);
  EXPECT_TRUE(autopsy.child);
  EXPECT_FALSE(autopsy.exit_code);
  EXPECT_EQ(autopsy.signal, SIGKILL) << "the victim's";
}

TEST(Oom, TheExitMakesIt137) {
  auto autopsy = judge_oom(facts({level("/c", "container", 64 * kMi, 64 * kMi, 1)}));
  add_exit(autopsy, {2000, 42, 7, "hog", SIGKILL}, 42);
  EXPECT_EQ(autopsy.exit_code, 137);
  EXPECT_EQ(autopsy.signal, SIGKILL);
  EXPECT_TRUE(autopsy.disagreements.empty());
  EXPECT_EQ(autopsy.witnesses.size(), 2u);
}

TEST(Oom, AVictimThatExitsByItselfIsADisagreement) {
  auto autopsy = judge_oom(facts({level("/c", "container", 64 * kMi, 64 * kMi, 1)}));
  add_exit(autopsy, {2000, 42, 7, "hog", 0}, 42);
  EXPECT_EQ(autopsy.disagreements.size(), 1u);
}

TEST(Kill, WithoutOomNamesWhoDidIt) {
  KillFacts facts;
  facts.exit = {2000, 42, 7, "app", SIGKILL};
  facts.sent = model::KillSent{1990, 42, 7, "app", false, 99, 8, "containerd-shim"};
  facts.killer_cgroup_path = "/system.slice/containerd.service";
  auto autopsy = judge_kill(facts);
  EXPECT_EQ(autopsy.kind, "not_oom");
  EXPECT_EQ(autopsy.killer, "containerd-shim");
  EXPECT_EQ(autopsy.killer_cgroup, "/system.slice/containerd.service");
  EXPECT_EQ(autopsy.exit_code, 137);
}

TEST(ShellExitCode, IsWhatPeopleSee) {
  EXPECT_EQ(shell_exit_code(SIGKILL), 137);
  EXPECT_EQ(shell_exit_code(3 << 8), 3);
  EXPECT_EQ(shell_exit_code(0), 0);
  EXPECT_EQ(shell_exit_code(SIGSEGV | 0x80), 139) << "with a core";
}

}  // namespace
}  // namespace oomen::engine
