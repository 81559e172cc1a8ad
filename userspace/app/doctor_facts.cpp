// The facts of a node in words. Unknown is said as unknown.
#include <linux/capability.h>

#include <array>
#include <utility>

#include "app/doctor_report.h"
#include "base/units.h"

namespace oomen::app {
namespace {

using Facts = source::NodeFacts;

constexpr const char* kUnknown = "unknown";

// Those that any feature asks for, or that stand in for one.
constexpr std::array<std::pair<int, const char*>, 7> kCapabilities{{
    {CAP_BPF, "BPF"},
    {CAP_PERFMON, "PERFMON"},
    {CAP_DAC_READ_SEARCH, "DAC_READ_SEARCH"},
    {CAP_SYS_PTRACE, "SYS_PTRACE"},
    {CAP_SYSLOG, "SYSLOG"},
    {CAP_SYS_RESOURCE, "SYS_RESOURCE"},
    {CAP_SYS_ADMIN, "SYS_ADMIN"},
}};

std::string capability_names(std::optional<uint64_t> mask) {
  if (!mask) return kUnknown;
  std::string names;
  for (auto [bit, name] : kCapabilities)
    if (*mask >> bit & 1) names += (names.empty() ? "" : " ") + std::string(name);
  return names.empty() ? "none of those that matter here" : names;
}

std::string yes_or_no(std::optional<bool> fact) { return !fact ? kUnknown : *fact ? "yes" : "no"; }
std::string number(std::optional<int> fact) { return fact ? std::to_string(*fact) : kUnknown; }
std::string text_or_unknown(const std::string& text) { return text.empty() ? kUnknown : text; }

NamedFact access(const std::string& name, const source::Access& access) {
  return {name, access.ok ? "yes" : "no", access.ok ? "" : std::strerror(access.code)};
}

std::string list(const std::optional<std::vector<std::string>>& words) {
  if (!words) return kUnknown;
  std::string out;
  for (const std::string& word : *words) out += (out.empty() ? "" : ",") + word;
  return out.empty() ? "none" : out;
}

NamedFact seccomp(const Facts& facts) {
  static constexpr std::array<const char*, 3> kModes{"off", "strict", "filter"};
  auto mode = facts.rights.seccomp;
  if (!mode || *mode < 0 || *mode >= static_cast<int>(kModes.size()))
    return {"seccomp", kUnknown, ""};
  return {"seccomp", kModes[static_cast<size_t>(*mode)],
          *mode ? "its profile has to allow bpf(2)" : ""};
}

NamedFact lockdown(const Facts& facts) {
  std::string note;
  if (!facts.lockdown) note = "/sys/kernel/security/lockdown can't be read";
  if (facts.lockdown == "confidentiality") note = "forbids BPF to read kernel memory";
  if (facts.lockdown == "integrity") note = "harmless here";
  return {"lockdown", facts.lockdown.value_or(kUnknown), note};
}

NamedFact locked_memory(const Facts& facts) {
  if (!facts.locked_memory_limit_bytes) return {"locked memory limit", kUnknown, ""};
  uint64_t bytes = *facts.locked_memory_limit_bytes;
  return {"locked memory limit",
          bytes == source::kUnlimited ? "none" : base::format_bytes(static_cast<double>(bytes)),
          "matters before kernel 5.11 only"};
}

NamedFact swap(const Facts& facts) {
  if (!facts.swap_bytes) return {"swap", kUnknown, ""};
  if (*facts.swap_bytes == 0) return {"swap", "none", ""};
  return {"swap", base::format_bytes(static_cast<double>(*facts.swap_bytes)), ""};
}

NamedFact paranoid(const Facts& facts) {
  return {"perf_event_paranoid", number(facts.perf_event_paranoid),
          facts.perf_event_paranoid.value_or(0) >= 3
              ? "kprobes and perf events need CAP_SYS_ADMIN here"
              : ""};
}

NamedFact hidepid(const Facts& facts) {
  bool hides = facts.hidepid && facts.hidepid != "0" && facts.hidepid != "off";
  return {"hidepid", facts.hidepid.value_or(kUnknown),
          hides ? "/proc shows other users' processes to CAP_SYS_PTRACE alone" : ""};
}

NamedFact pid_namespace(const Facts& facts) {
  if (!facts.host_pid_namespace) return {"pid namespace", kUnknown, ""};
  return {"pid namespace", *facts.host_pid_namespace ? "the host's" : "its own",
          *facts.host_pid_namespace ? "" : "processes outside of it are not seen"};
}

NamedFact cgroup_driver(const Facts& facts) {
  return {"cgroup driver", facts.cgroup_driver.empty() ? "none" : facts.cgroup_driver,
          facts.cgroup_driver.empty() ? "no kubepods here" : "by the layout of kubepods"};
}

}  // namespace

std::vector<NamedFact> name_facts(const Facts& facts) {
  return {
      {"kernel", text_or_unknown(facts.kernel_release), ""},
      {"BTF", yes_or_no(facts.btf), ""},
      {"capabilities", capability_names(facts.rights.effective), ""},
      {"capability bound", capability_names(facts.rights.bounding), ""},
      seccomp(facts),
      lockdown(facts),
      {"LSMs", list(facts.lsms), facts.lsms ? "" : "/sys/kernel/security/lsm can't be read"},
      {"LSM label", facts.lsm_label.empty() ? "none" : facts.lsm_label, ""},
      {"cgroup mode", facts.hierarchy ? std::string(source::name(facts.hierarchy->mode)) : "none",
       facts.hierarchy ? "memory at " + facts.hierarchy->mount : ""},
      cgroup_driver(facts),
      access("PSI", facts.pressure),
      swap(facts),
      {"memory.peak", yes_or_no(facts.peak),
       facts.hierarchy && !facts.hierarchy->is_v2() ? "as memory.max_usage_in_bytes" : ""},
      {"memory.oom.group", yes_or_no(facts.oom_group), ""},
      paranoid(facts),
      {"unprivileged_bpf_disabled", number(facts.unprivileged_bpf_disabled), ""},
      locked_memory(facts),
      hidepid(facts),
      pid_namespace(facts),
      {"dmesg_restrict", number(facts.dmesg_restrict), ""},
      access("/dev/kmsg", facts.kmsg),
      facts.syslog ? access("syslog(2)", *facts.syslog) : NamedFact{"syslog(2)", kUnknown, ""},
  };
}

}  // namespace oomen::app
