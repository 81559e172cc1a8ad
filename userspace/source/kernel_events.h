// The kernel side from user space: loads the BPF programs, takes for each hook the highest rung
// this kernel offers, decodes the wire into model facts. Never fails as a whole: what could not be
// attached says so in `hooks()`.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/kernel_event.h"
#include "model/snapshot.h"

namespace oomen::source {

struct KernelEventsOptions {
  bool enabled = true;  // false: no BPF at all, every hook says so
  bool syscall_tracepoints =
      false;                     // allow the last rung of the ladder, which costs every system call
  std::string only_growth_rung;  // "" the ladder; else this rung or none (tests compare rungs)
  uint32_t memory_hierarchy_id =
      0;  // cgroup v1: id of the memory hierarchy in /proc/cgroups; 0 on v2
  uint64_t growth_quantum_bytes = 1 << 20;    // a cgroup's growth is sent when it passed this
  uint64_t growth_period_ns = 1'000'000'000;  // or when this is over since it was last sent
  uint32_t ring_bytes = 512 * 1024;           // power of two, page multiple
};

class KernelEvents {
 public:
  explicit KernelEvents(const KernelEventsOptions& options);
  ~KernelEvents();
  KernelEvents(const KernelEvents&) = delete;
  KernelEvents& operator=(const KernelEvents&) = delete;

  // Readable when there is something to drain; −1 when there is no ring buffer. Growth,
  // and what a process that was not first in its cgroup did, wake nobody before the ring fills:
  // drain at each turn of the loop too.
  int poll_fd() const;
  // Hands over every waiting event, oldest first. Malformed records are counted, never passed on.
  void drain(const std::function<void(const model::KernelEvent&)>& sink);
  // One pass of the task iterator: all processes of this pid namespace. Closes growth with each
  // mm's true data_vm.
  base::Result<std::vector<model::ProcessSample>> read_processes();
  // Growth sums not sent yet too, read from the map: the exact total of each cgroup now.
  std::vector<model::Growth> growth_totals();
  // The cgroup is gone: its sum leaves the map.
  void forget(model::CgroupId cgroup);

  const std::vector<model::Hook>& hooks() const;
  std::vector<model::Counter> losses()
      const;                   // by kind, in the kernel's reserve and in the decoder
  uint64_t map_bytes() const;  // memory of all maps, as the kernel tells (memlock in fdinfo)

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace oomen::source
