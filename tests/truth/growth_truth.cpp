// Growth sums against VmData of the program that grew, page for page, on every rung that this
// kernel offers.
#include <unistd.h>

#include <cstdio>
#include <map>
#include <set>

#include "support.h"

namespace oomen::truth {
namespace {

const std::vector<std::string> kRungs = {"fexit", "vm_unmapped_area", "kprobe", "syscalls", "iter"};
const std::set<std::string> kPerCall = {"fexit", "kprobe", "syscalls"};

// Each of a known size, in this order; all of them are seen by per-call rungs at once.
const std::vector<std::string> kOperations = {
    "mmap 300",  "munmap",        "mmap 700",  "mremap 77", "brk 130",
    "brk -30",   "unprotect 211", "protect 5", "hint 61",   "fixed 33",
    "repeat 50", "mmap 1",        "munmap",    "mmap 4096", "mremap 100",
};

int64_t pages(int64_t bytes) { return bytes / sysconf(_SC_PAGESIZE); }

// A program under watch, and how far sums and truth are from where they began.
class Watched {
 public:
  Watched(source::KernelEvents& events, const source::OwnCgroup& cgroup)
      : events_(events), id_(inode_of(directory_of(cgroup))), program_(cgroup) {
    data_bytes_ = first_data_bytes_ = program_.tell("nop");
    processes(events_);
    first_growth_bytes_ = growth_of(events_, id_);
  }
  void tell(const std::string& operation) { data_bytes_ = program_.tell(operation); }
  int64_t true_pages() const { return pages(data_bytes_ - first_data_bytes_); }
  int64_t told_pages() { return pages(growth_of(events_, id_) - first_growth_bytes_); }
  int64_t told_pages_after_pass() {
    processes(events_);
    return told_pages();
  }
  VmOps& program() { return program_; }
  model::CgroupId id() const { return id_; }

 private:
  source::KernelEvents& events_;
  model::CgroupId id_;
  VmOps program_;
  int64_t first_data_bytes_ = 0, data_bytes_ = 0, first_growth_bytes_ = 0;
};

// Before the pass: a per-call rung knows all of it; `vm_unmapped_area` knows it at the next mmap.
void expect_told_between_passes(Watched& watched, const std::string& rung) {
  if (kPerCall.contains(rung)) {
    EXPECT_EQ(watched.told_pages(), watched.true_pages());
  }
  if (rung != "vm_unmapped_area") return;
  int64_t before_the_next = watched.true_pages();
  watched.tell("mmap 3");
  EXPECT_EQ(watched.told_pages(), before_the_next);
  watched.tell("munmap");
}

std::vector<int64_t> growth_by_operation(source::KernelEvents& events, const std::string& rung) {
  source::OwnCgroup cgroup = make_cgroup(rung);
  Watched watched(events, cgroup);
  std::vector<int64_t> sums;
  for (const std::string& operation : kOperations) {
    SCOPED_TRACE(operation);
    int64_t before = watched.told_pages();
    watched.tell(operation);
    // The probing mmap would be the mapping that the next operation is about.
    if (operation == kOperations.back() || rung != "vm_unmapped_area")
      expect_told_between_passes(watched, rung);
    EXPECT_EQ(watched.told_pages_after_pass(), watched.true_pages());
    sums.push_back(watched.told_pages() - before);
  }
  return sums;
}

// Each operation alone in a program of its own, seen at the next mmap.
void expect_each_is_seen_at_the_next_mmap(source::KernelEvents& events) {
  for (const std::string operation :
       {"mmap 300", "brk 130", "unprotect 211", "hint 61", "fixed 33"}) {
    SCOPED_TRACE(operation);
    source::OwnCgroup cgroup = make_cgroup("one");
    Watched watched(events, cgroup);
    watched.tell(operation);
    expect_told_between_passes(watched, "vm_unmapped_area");
    EXPECT_EQ(watched.told_pages_after_pass(), watched.true_pages());
  }
}

// A fork inherits, its own growth counts while it lives, an exec starts anew.
void expect_right_over_fork_and_exec(source::KernelEvents& events, const std::string& rung) {
  source::OwnCgroup cgroup = make_cgroup("family-" + rung);
  Watched watched(events, cgroup);
  watched.tell("mmap 500");
  int64_t parent = watched.true_pages();
  EXPECT_EQ(watched.told_pages_after_pass(), parent);

  int64_t born = watched.program().tell("fork");
  EXPECT_EQ(watched.told_pages_after_pass(), parent) << "a fork alone grows nothing";
  int64_t grown = watched.program().tell("mmap 900");
  EXPECT_EQ(watched.told_pages_after_pass(), parent + pages(grown - born));
  watched.program().tell_only("exit 0");
  watched.program().hear();  // the parent again
  EXPECT_EQ(watched.told_pages_after_pass(), parent) << "what a dead process grew is gone";

  int64_t anew = watched.program().tell("exec");
  int64_t base = watched.told_pages_after_pass();
  grown = watched.program().tell("mmap 200");
  EXPECT_EQ(watched.told_pages_after_pass() - base, pages(grown - anew));
  EXPECT_LT(base, 100) << "the 500 pages went with the old program";
}

TEST(Growth, EqualsVmDataOnEveryRungOfThisKernel) {
  std::map<std::string, std::vector<int64_t>> sums;
  for (const std::string& rung : kRungs) {
    SCOPED_TRACE(rung);
    source::KernelEvents events(eager_options(rung));
    const model::Hook& growth = hook(events, "growth");
    if (!growth.attached) {
      std::printf("rung %s: not offered: %s\n", rung.c_str(), growth.reason.c_str());
      continue;
    }
    EXPECT_EQ(growth.rung, rung);
    sums[rung] = growth_by_operation(events, rung);
    if (rung == "vm_unmapped_area") expect_each_is_seen_at_the_next_mmap(events);
    expect_right_over_fork_and_exec(events, rung);
    EXPECT_EQ(loss_of(events, "mms_full") + loss_of(events, "cgroups_full"), 0u);
    std::printf("rung %s: attached, %s\n", rung.c_str(),
                HasFailure() ? "sums differ from VmData" : "sums equal VmData page for page");
  }
  ASSERT_FALSE(sums.empty()) << "no rung could be tried";
  for (const auto& [rung, by_operation] : sums)
    EXPECT_EQ(by_operation, sums.begin()->second) << rung << " against " << sums.begin()->first;
}

TEST(Growth, MovesWithAProcessToItsNewCgroup) {
  source::KernelEvents& events = shared_events();
  source::OwnCgroup from = make_cgroup("from"), to = make_cgroup("to");
  Watched watched(events, from);
  watched.tell("mmap 400");
  processes(events);
  int64_t all_bytes = growth_of(events, watched.id());
  ASSERT_TRUE(to.attach(watched.program().pid()));
  watched.tell("mmap 100");
  processes(events);
  EXPECT_EQ(growth_of(events, watched.id()), 0);
  EXPECT_EQ(growth_of(events, inode_of(directory_of(to))), all_bytes + 100 * sysconf(_SC_PAGESIZE));
}

// The next record that arrives holds everything, so a full ring costs no growth.
TEST(Growth, SurvivesAFullRing) {
  source::KernelEventsOptions options = eager_options();
  options.ring_bytes = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
  source::KernelEvents events(options);
  if (!hook(events, "growth").attached || hook(events, "growth").rung == "iter")
    GTEST_SKIP() << "no rung between passes: " << hook(events, "growth").reason;
  source::OwnCgroup cgroup = make_cgroup("full-ring");
  Watched watched(events, cgroup);
  for (int i = 0; i < 300; i++) watched.tell("mmap 2");
  EXPECT_GT(loss_of(events, "growth"), 0u);
  EXPECT_EQ(watched.told_pages_after_pass(), watched.true_pages());

  events.drain([](const model::KernelEvent&) {});
  for (int i = 0; i < 2; i++) watched.tell("mmap 5");
  int64_t total_bytes = growth_of(events, watched.id());
  EXPECT_TRUE(Inbox(events).wait_for_one<model::Growth>([&](const model::Growth& growth) {
    return growth.cgroup == watched.id() && growth.total_bytes == total_bytes;
  }));
}

}  // namespace
}  // namespace oomen::truth
