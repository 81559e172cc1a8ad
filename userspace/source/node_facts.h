// What this node is and allows, gathered once from small files of the kernel. Facts alone: what
// they mean is decided elsewhere. Whatever can't be read is absent, never assumed.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/cgroup_mounts.h"

namespace oomen::source {

struct KernelVersion {
  int major = 0;
  int minor = 0;
  auto operator<=>(const KernelVersion&) const = default;
};
// "6.1.0-18-cloud-amd64" -> 6.1
std::optional<KernelVersion> parse_kernel_version(std::string_view release);

// The chosen word of "none [integrity] confidentiality".
std::optional<std::string> parse_lockdown(std::string_view text);

// Lines of /proc/PID/status.
struct ProcessRights {
  std::optional<uint64_t> effective;  // capabilities, one bit each
  std::optional<uint64_t> bounding;
  std::optional<int> seccomp;  // 0 off, 1 strict, 2 filter
};
ProcessRights parse_process_rights(std::string_view status);

// "Max locked memory 8388608 8388608 bytes" of /proc/PID/limits, the soft one; kUnlimited for
// "unlimited".
constexpr uint64_t kUnlimited = UINT64_MAX;
std::optional<uint64_t> parse_locked_memory_limit(std::string_view limits);

// hidepid of the /proc mount in /proc/self/mountinfo: "0" (also when not given), "1", "2",
// "invisible", ...
std::optional<std::string> parse_hidepid(std::string_view mountinfo);

// Sum of the sizes in /proc/swaps.
std::optional<uint64_t> parse_swap_bytes(std::string_view swaps);

// A file or folder that was tried: there and readable, or why not.
struct Access {
  bool ok = false;
  int code = 0;  // errno of the failure
};

struct NodeFacts {
  std::string kernel_release;  // "" unknown
  bool btf = false;
  ProcessRights rights;
  std::optional<uint64_t> locked_memory_limit_bytes;  // kUnlimited when there is none

  std::optional<std::string> lockdown;           // none | integrity | confidentiality
  std::optional<std::vector<std::string>> lsms;  // selinux, apparmor, landlock, ...
  std::string lsm_label;                         // of this process; "" none or unknown

  std::optional<MemoryHierarchy> hierarchy;
  std::string hierarchy_trouble;  // why there is none
  std::string cgroup_driver;      // systemd | cgroupfs, by the layout of kubepods; "" neither
  Access pressure;                // opening /proc/pressure/memory may work and reading not
  std::optional<uint64_t> swap_bytes;
  std::optional<bool> peak;       // memory.peak (v1: memory.max_usage_in_bytes)
  std::optional<bool> oom_group;  // memory.oom.group

  std::optional<int> perf_event_paranoid;
  std::optional<int> unprivileged_bpf_disabled;
  std::optional<std::string> hidepid;
  std::optional<bool> host_pid_namespace;
  std::optional<int> dmesg_restrict;
  Access kmsg;                   // /dev/kmsg
  std::optional<Access> syslog;  // syslog(2); asked of the kernel, not of a file
  Access pod_logs;               // the kubelet's folder of pod logs
};

// Reads below `root` ("" the machine itself; a test's tree else). The hierarchy is the caller's to
// find; absent: none was found.
NodeFacts read_node_facts(const std::string& root, std::optional<MemoryHierarchy> hierarchy,
                          const std::string& pod_logs_dir);

// Whether this process may read the kernel's log by syslog(2).
Access try_syslog();

}  // namespace oomen::source
