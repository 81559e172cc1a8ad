// The immutable picture of the node that the loop publishes and every sink reads.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/assessment.h"
#include "model/autopsy.h"
#include "model/container.h"
#include "model/sample.h"

namespace oomen::model {

struct ContainerView {
  Container container;
  Sample latest;                                // newest usage
  std::optional<uint64_t> unreclaimable_bytes;  // newest known
  std::optional<MemoryClasses> classes;         // newest known
  std::optional<Ceiling> ceiling;               // the nearest above it
  Assessment assessment;
  std::optional<uint64_t> firing_since_wall_ns;
  std::optional<uint64_t> since_wall_ns;
  std::vector<std::string> grows;  // classes that grew most over the window, largest first
  std::optional<int64_t>
      growth_virtual_bytes;  // data_vm since the agent attached, beside resident memory
  std::optional<double> growth_virtual_bytes_per_s;
  uint32_t processes = 0;
  std::optional<uint64_t> threads;
  std::optional<uint64_t> open_files;
};

// The last kill of a workload, kept when its container is gone.
struct LastKill {
  std::string namespace_name, pod, container;
  Owner owner;
  uint64_t wall_time_ns = 0;
};

struct Hook {
  std::string name;  // growth | mark_victim | process_exit | signal | cgroup | exec | tasks
  std::string rung;  // what it is attached by: fexit | vm_unmapped_area | kprobe | syscalls |
                     // tp_btf | iter | none
  bool attached = false;
  std::string reason;  // why the rungs above were not taken, or why there is none
};

struct Counter {
  std::string name;  // kind of loss or error
  uint64_t value = 0;
};

struct Status {
  std::string version;
  std::string node;
  std::string kernel;
  std::string cgroup_mode;  // v1 | v2 | hybrid
  uint64_t started_wall_ns = 0;
  bool ready = false;
  bool degraded = false;
  std::vector<std::string> degraded_because;
  std::vector<Hook> hooks;
  std::vector<Counter> losses;  // events the kernel side could not deliver, by kind
  std::vector<Counter> errors;  // counted errors of the agent, by kind
  uint64_t containers = 0;
  uint64_t loop_wakeups = 0;
  double loop_heartbeat_s = 0;  // CLOCK_BOOTTIME of the last turn of the loop
  double cpu_seconds = 0;
  uint64_t resident_bytes = 0;
  uint64_t bpf_map_bytes = 0;
};

struct Snapshot {
  uint64_t wall_time_ns = 0;
  std::vector<ContainerView> containers;
  std::vector<std::shared_ptr<const Autopsy>> autopsies;  // newest last, bounded
  std::vector<LastKill> last_kills;
  Status status;
};

}  // namespace oomen::model
