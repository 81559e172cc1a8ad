// Facts the kernel side reports, decoded from the wire. Times are CLOCK_BOOTTIME.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/container.h"

namespace oomen::model {

struct CgroupMade {
  uint64_t time_ns = 0;
  CgroupId id = 0;
  CgroupId parent = 0;
  std::string name;  // last part of its path
};
struct CgroupRemoved {
  uint64_t time_ns = 0;
  CgroupId id = 0;
};
struct ProcessExec {
  uint64_t time_ns = 0;
  CgroupId cgroup = 0;
  int pid = 0;  // thread group
  std::string comm;
};
// Cumulative since the agent attached, so a lost record costs nothing: the next one holds it all.
struct Growth {
  uint64_t time_ns = 0;
  CgroupId cgroup = 0;
  int64_t total_bytes = 0;  // of all its mms' data_vm, virtual
};
struct OomVictim {
  uint64_t time_ns = 0;
  int pid = 0;
  std::optional<CgroupId> cgroup;  // of the victim's task; absent where the hook gives a pid alone
  std::string comm;
  int trigger_pid = 0;  // who allocated
  std::string trigger_comm;
};
struct KillSent {
  uint64_t time_ns = 0;
  int pid = 0;  // target's thread group
  CgroupId cgroup = 0;
  std::string comm;
  bool from_kernel = false;
  int sender_pid = 0;
  CgroupId sender_cgroup = 0;
  std::string sender_comm;
};
struct ProcessExit {
  uint64_t time_ns = 0;
  int pid = 0;
  CgroupId cgroup = 0;
  std::string comm;
  int exit_code = 0;  // as wait(2) packs it: low 7 bits the signal, next byte the code
};

using KernelEvent =
    std::variant<CgroupMade, CgroupRemoved, ProcessExec, Growth, OomVictim, KillSent, ProcessExit>;

// One process as the task iterator saw it.
struct ProcessSample {
  int pid = 0;
  int parent_pid = 0;
  CgroupId cgroup = 0;
  std::string comm;
  uint64_t start_ns = 0;  // CLOCK_BOOTTIME: with the pid, who it is (pids are used again)
  uint64_t anon_bytes = 0;
  uint64_t file_bytes = 0;
  uint64_t shmem_bytes = 0;
  uint64_t swap_bytes = 0;
  uint64_t virtual_bytes = 0;       // total_vm
  uint64_t data_virtual_bytes = 0;  // data_vm, VmData
  uint32_t threads = 0;
  uint32_t open_files = 0;
};

}  // namespace oomen::model
