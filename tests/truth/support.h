// What the truth tests share: a program that does what it is told in a cgroup of its own, and
// events waited for. Nothing here needs more than an initramfs has.
#pragma once
#include <gtest/gtest.h>
#include <sys/types.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "source/cgroup_mounts.h"
#include "source/kernel_events.h"

namespace oomen::truth {

source::MemoryHierarchy hierarchy();
model::CgroupId inode_of(const std::string& directory);
// The directory of a cgroup of the memory hierarchy.
std::string directory_of(const source::OwnCgroup& cgroup);
// A cgroup of this test alone; the process fails when there can't be one.
source::OwnCgroup make_cgroup(const std::string& name, std::optional<uint64_t> limit_bytes = {});

// Sends each change of growth, so that tests see every step.
source::KernelEventsOptions eager_options(const std::string& growth_rung = "");
// One for all tests that need no rung of their own: loading takes seconds in an emulated VM.
source::KernelEvents& shared_events();
const model::Hook& hook(const source::KernelEvents& events, const std::string& name);
int64_t growth_of(source::KernelEvents& events, model::CgroupId cgroup);
uint64_t loss_of(const source::KernelEvents& events, const std::string& name);
std::vector<model::ProcessSample> processes(source::KernelEvents& events);

// Events in their order, each handed out once: what one wait leaves is there for the next.
class Inbox {
 public:
  explicit Inbox(source::KernelEvents& events) : events_(events) {}
  // Takes events until `wanted` says yes to one; false when none did for ten seconds.
  bool wait_for(const std::function<bool(const model::KernelEvent&)>& wanted);
  template <class Event>
  bool wait_for_one(const std::function<bool(const Event&)>& wanted) {
    return wait_for([&](const model::KernelEvent& event) {
      auto* one = std::get_if<Event>(&event);
      return one && wanted(*one);
    });
  }

 private:
  source::KernelEvents& events_;
  std::deque<model::KernelEvent> waiting_;
};

// tests/programs/vmops in a cgroup: attached before it runs anything.
class VmOps {
 public:
  explicit VmOps(const source::OwnCgroup& cgroup);
  ~VmOps();
  VmOps(const VmOps&) = delete;
  VmOps& operator=(const VmOps&) = delete;

  // Does it and returns VmData after it, in bytes.
  int64_t tell(const std::string& operation);
  // Without waiting for an answer: it may not live to give one.
  void tell_only(const std::string& operation);
  int64_t hear();
  int pid() const { return pid_; }  // of who answered last
  int wait_end();                   // wait(2)'s status

 private:
  pid_t main_ = -1;
  int pid_ = -1;
  base::Fd to_, from_;
  bool ended_ = false;
};

}  // namespace oomen::truth
