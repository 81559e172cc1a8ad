// Births and deaths as the kernel tells them, against what was really done.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "support.h"

namespace oomen::truth {
namespace {

class Events : public testing::Test {
 protected:
  void SetUp() override {
    for (const model::Hook& one : events_.hooks())
      EXPECT_TRUE(one.attached) << one.name << ": " << one.reason;
  }
  source::KernelEvents& events_ = shared_events();
  Inbox inbox_{events_};
};

TEST_F(Events, ACgroupIsMadeAndRemoved) {
  model::CgroupId id = 0;
  {
    source::OwnCgroup cgroup = make_cgroup("lifecycle");
    id = inode_of(directory_of(cgroup));
    EXPECT_TRUE(inbox_.wait_for_one<model::CgroupMade>([&](const model::CgroupMade& made) {
      return made.id == id && made.parent == inode_of(hierarchy().mount) &&
             "/" + made.name == cgroup.path();
    }));
  }
  EXPECT_TRUE(inbox_.wait_for_one<model::CgroupRemoved>(
      [&](const model::CgroupRemoved& removed) { return removed.id == id; }));
}

// Hierarchies of v1 number their cgroups each on its own: another's must not look like ours.
TEST_F(Events, OtherHierarchiesStaySilent) {
  std::string other = "/sys/fs/cgroup/cpu/oomen-truth-" + std::to_string(getpid());
  if (hierarchy().is_v2() || mkdir(other.c_str(), 0755) != 0) {
    std::printf("only one hierarchy here: nothing to tell apart\n");
    return;
  }
  rmdir(other.c_str());
  source::OwnCgroup ours = make_cgroup("after");
  EXPECT_TRUE(inbox_.wait_for_one<model::CgroupMade>([&](const model::CgroupMade& made) {
    EXPECT_NE("/sys/fs/cgroup/cpu/" + made.name, other);
    return "/" + made.name == ours.path();
  }));
}

TEST_F(Events, AnExecIsToldWithItsCgroup) {
  source::OwnCgroup cgroup = make_cgroup("exec");
  VmOps program(cgroup);
  EXPECT_TRUE(inbox_.wait_for_one<model::ProcessExec>([&](const model::ProcessExec& exec) {
    return exec.pid == program.pid() && exec.comm == "vmops" &&
           exec.cgroup == inode_of(directory_of(cgroup));
  }));
}

TEST_F(Events, ASentSigkillHasItsSenderAndTheExitItsSignal) {
  source::OwnCgroup cgroup = make_cgroup("killed");
  model::CgroupId id = inode_of(directory_of(cgroup));
  VmOps program(cgroup);
  int pid = program.pid();
  kill(pid, SIGKILL);
  EXPECT_TRUE(inbox_.wait_for_one<model::KillSent>([&](const model::KillSent& sent) {
    return sent.pid == pid && sent.cgroup == id && sent.comm == "vmops" && !sent.from_kernel &&
           sent.sender_pid == getpid();
  }));
  int status = program.wait_end();
  EXPECT_TRUE(inbox_.wait_for_one<model::ProcessExit>([&](const model::ProcessExit& exit) {
    return exit.pid == pid && exit.cgroup == id && exit.comm == "vmops" &&
           exit.exit_code == status && WTERMSIG(exit.exit_code) == SIGKILL;
  }));
}

TEST_F(Events, OnlyExitsThatMeanSomethingAreTold) {
  source::OwnCgroup cgroup = make_cgroup("exits");
  VmOps well(cgroup), badly(cgroup);
  well.tell("threads 2");
  badly.tell("threads 2");
  int well_pid = well.pid(), badly_pid = badly.pid();
  uint64_t skipped_before = loss_of(events_, "skipped_runs");
  well.tell_only("exit 0");
  well.wait_end();
  badly.tell_only("exit 3");
  badly.wait_end();
  int told = 0;
  auto count = [&](const model::KernelEvent& event) {
    auto* exit = std::get_if<model::ProcessExit>(&event);
    if (!exit) return false;
    EXPECT_NE(exit->pid, well_pid);
    if (exit->pid != badly_pid) return false;
    EXPECT_EQ(WEXITSTATUS(exit->exit_code), 3);
    return ++told > 0;
  };
  bool heard = inbox_.wait_for(count);
  if (!heard && loss_of(events_, "skipped_runs") > skipped_before)
    GTEST_SKIP() << "this kernel interrupted the program for one thread by itself for another, and "
                    "counted that";
  EXPECT_TRUE(heard);
  EXPECT_EQ(told, 1) << "once for the process, not for each thread";
}

// 16 MiB allowed, 64 wanted; it is in its limit before it allocates.
TEST_F(Events, AnOomKillNamesVictimCgroupAndKernel) {
  source::OwnCgroup cgroup = make_cgroup("oom", 16 << 20);
  model::CgroupId id = inode_of(directory_of(cgroup));
  VmOps program(cgroup);
  int pid = program.pid();
  program.tell_only("touch " + std::to_string((64 << 20) / sysconf(_SC_PAGESIZE)));
  int status = program.wait_end();
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  bool killed = false, marked = false;
  auto last = [&](const model::KernelEvent& event) {
    if (auto* sent = std::get_if<model::KillSent>(&event); sent && sent->pid == pid) {
      EXPECT_TRUE(sent->from_kernel);
      killed = true;
    }
    if (auto* victim = std::get_if<model::OomVictim>(&event); victim && victim->pid == pid) {
      EXPECT_EQ(victim->cgroup, id);
      EXPECT_EQ(victim->comm, "vmops");
      EXPECT_EQ(victim->trigger_pid, pid);
      marked = true;
    }
    auto* exit = std::get_if<model::ProcessExit>(&event);
    return exit && exit->pid == pid && exit->exit_code == status;
  };
  EXPECT_TRUE(inbox_.wait_for(last));
  EXPECT_TRUE(killed);
  EXPECT_TRUE(marked);
}

}  // namespace
}  // namespace oomen::truth
