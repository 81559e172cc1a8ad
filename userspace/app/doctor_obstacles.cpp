// The obstacles a BPF hook can meet, in the order in which they bite.
#include <linux/capability.h>

#include <array>

#include "app/doctor_report.h"
#include "base/units.h"

namespace oomen::app {
namespace {

using Facts = source::NodeFacts;

constexpr source::KernelVersion kOldest{5, 10};
// From here on maps are charged to the memory cgroup, before to RLIMIT_MEMLOCK.
constexpr source::KernelVersion kChargedToCgroup{5, 11};
constexpr uint64_t kLockedMemoryNeeded = 16u << 20;

// Unknown rights are no obstacle: the hook's own error then speaks.
bool lacks(const Facts& facts, int capability) {
  return facts.rights.effective && !(*facts.rights.effective >> capability & 1);
}
bool may_be_given(const Facts& facts, int capability) {
  return !facts.rights.bounding || (*facts.rights.bounding >> capability & 1);
}
bool refused(const model::Hook& hook) {
  return hook.reason.find("Operation not permitted") != std::string::npos ||
         hook.reason.find("EPERM") != std::string::npos;
}

Obstacle missing_capability(const Facts& facts, int capability, const std::string& name) {
  return {name + " is not held",
          may_be_given(facts, capability)
              ? "give " + name
              : "give " + name + ": the bounding set lacks it, so whoever starts this must add it"};
}

Obstacle kernel_obstacle(const Facts& facts) {
  auto version = source::parse_kernel_version(facts.kernel_release);
  if (version && *version < kOldest)
    return {"kernel " + facts.kernel_release + " is older than 5.10", "a kernel of 5.10 or newer"};
  if (!facts.btf)
    return {"/sys/kernel/btf/vmlinux is not there or not readable",
            "a kernel built with CONFIG_DEBUG_INFO_BTF, and /sys mounted"};
  if (facts.lockdown == "confidentiality")
    return {"lockdown=confidentiality forbids BPF to read kernel memory",
            "boot with lockdown=integrity or none"};
  return {};
}

Obstacle capability_obstacle(const Facts& facts) {
  bool admin = facts.rights.effective && !lacks(facts, CAP_SYS_ADMIN);
  if (!admin && lacks(facts, CAP_BPF)) return missing_capability(facts, CAP_BPF, "CAP_BPF");
  if (!admin && lacks(facts, CAP_PERFMON))
    return missing_capability(facts, CAP_PERFMON, "CAP_PERFMON");
  auto version = source::parse_kernel_version(facts.kernel_release);
  bool charged_to_limit = version && *version < kChargedToCgroup;
  if (charged_to_limit && facts.locked_memory_limit_bytes.value_or(0) < kLockedMemoryNeeded &&
      lacks(facts, CAP_SYS_RESOURCE))
    return {
        "before 5.11 BPF maps count against the locked memory limit, which is " +
            base::format_bytes(static_cast<double>(facts.locked_memory_limit_bytes.value_or(0))),
        "give CAP_SYS_RESOURCE, or raise the limit (ulimit -l)"};
  return {};
}

// BPF is refused although nothing above forbids it.
Obstacle refusal_obstacle(const model::Hook& hook, const Facts& facts) {
  if (!refused(hook)) return {};
  if (facts.rights.seccomp.value_or(0) != 0)
    return {hook.reason,
            "a seccomp profile that allows bpf(2): one is active, and older default "
            "profiles answer EPERM whatever the capabilities"};
  if (!facts.lockdown)
    return {hook.reason + " (lockdown is unknown: /sys/kernel/security/lockdown can't be read)",
            "mount securityfs, to see whether lockdown forbids it"};
  return {};
}

}  // namespace

Obstacle obstacle_of(const model::Hook& hook, const Facts& facts, const AgentOptions& options) {
  if (!options.bpf) return {"BPF is switched off", "leave out --no-bpf or bpf.enabled: false"};
  for (const Obstacle& obstacle : std::array{kernel_obstacle(facts), capability_obstacle(facts),
                                             refusal_obstacle(hook, facts)})
    if (!obstacle.why.empty()) return obstacle;
  return {hook.reason.empty() ? "not attached" : hook.reason, ""};
}

}  // namespace oomen::app
