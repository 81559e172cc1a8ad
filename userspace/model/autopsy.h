// The report on one death.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/assessment.h"
#include "model/container.h"
#include "model/kernel_event.h"
#include "model/sample.h"

namespace oomen::model {

struct Witness {
  std::string source;  // mark_victim | process_exit | signal | memory.events | memory.oom_control |
                       // kernel_log | kubelet
  uint64_t time_ns = 0;  // CLOCK_BOOTTIME
  std::string says;      // one clause
};

struct Autopsy {
  std::string id;             // unique on the node
  uint64_t time_ns = 0;       // CLOCK_BOOTTIME of the kill
  uint64_t wall_time_ns = 0;  // the same for people
  Container container;
  std::string
      kind;  // container_limit | pod_limit | qos_limit | node | eviction | userspace_oom | not_oom
  std::string constraint;  // memcg | none | cpuset | memory_policy | "" unknown
  bool group = false;      // all processes of the cgroup were killed together
  bool child = false;      // the container's main process lived on
  std::string killer;      // "kernel", or comm of the sender
  std::string killer_cgroup;
  std::optional<int> exit_code;  // as a shell shows it: 137 for SIGKILL
  std::optional<int> signal;
  int victim_pid = 0;
  std::string victim_comm;
  std::string victim_cgroup;
  std::string limit_owner_cgroup;
  std::optional<uint64_t> limit_bytes;
  std::optional<uint64_t> usage_bytes;  // last seen
  std::optional<uint64_t> first_alert_wall_ns;
  std::optional<uint64_t> first_alert_ns;  // CLOCK_BOOTTIME
  std::optional<Assessment> forecast;      // the one that stood
  std::vector<UsagePoint> last_minutes;    // oldest first
  std::vector<ProcessSample> processes;    // by size, bounded
  std::vector<Witness> witnesses;
  std::vector<std::string> disagreements;
};

}  // namespace oomen::model
