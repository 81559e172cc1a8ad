// One reading of one container's memory. All sizes in bytes; a class the kernel does not tell is
// absent, never 0.
#pragma once
#include <cstdint>
#include <optional>

namespace oomen::model {

struct MemoryClasses {
  std::optional<uint64_t> anon;   // includes no shmem
  std::optional<uint64_t> shmem;  // tmpfs, shared anonymous
  std::optional<uint64_t> file;   // page cache without shmem
  std::optional<uint64_t> active_file;
  std::optional<uint64_t> inactive_file;
  std::optional<uint64_t> slab_reclaimable;    // absent on cgroup v1
  std::optional<uint64_t> slab_unreclaimable;  // absent on cgroup v1
  std::optional<uint64_t> sock;                // absent on cgroup v1
  std::optional<uint64_t> kernel_stack;        // absent on cgroup v1
  std::optional<uint64_t> page_tables;         // absent on cgroup v1
  std::optional<uint64_t> percpu;
  std::optional<uint64_t> vmalloc;
  std::optional<uint64_t> kernel;  // all kernel memory: v1 kmem, v2 from 5.18
  std::optional<uint64_t> swap;
};

struct Sample {
  uint64_t time_ns = 0;                  // CLOCK_BOOTTIME
  uint64_t usage_bytes = 0;              // memory.current / memory.usage_in_bytes
  std::optional<MemoryClasses> classes;  // present at the pace of classes only
  // usage − active_file − inactive_file − slab_reclaimable (v1: without the last), present with
  // `classes`.
  std::optional<uint64_t> unreclaimable_bytes;
  std::optional<double> pressure_full_avg10_percent;  // PSI of the cgroup, where the kernel has it
};

// One point of a container's recent history, small because each container keeps ten minutes of
// them.
struct UsagePoint {
  uint64_t time_ns = 0;  // CLOCK_BOOTTIME
  uint64_t usage_bytes = 0;
  std::optional<uint64_t> unreclaimable_bytes;  // at the pace of classes only
};

// `usage` less what reclaim can take back, never below 0: the two files are read one after the
// other.
uint64_t unreclaimable_bytes(uint64_t usage_bytes, const MemoryClasses& classes);

}  // namespace oomen::model
