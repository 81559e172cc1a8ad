#include "app/doctor_report.h"

#include <algorithm>
#include <initializer_list>

namespace oomen::app {
namespace {

using Facts = source::NodeFacts;
using Hooks = std::vector<model::Hook>;
using State = FeatureState;
using Weight = FeatureWeight;

const model::Hook* find(const Hooks& hooks, std::string_view name) {
  auto found =
      std::find_if(hooks.begin(), hooks.end(), [&](const auto& hook) { return hook.name == name; });
  return found == hooks.end() ? nullptr : &*found;
}

struct HookFeature {
  std::string name;
  std::initializer_list<std::string_view> hooks;  // all of them, for the whole of it
  std::string with;                               // what it gives
  std::string without;                            // what stands in for it
};

Feature from_hooks(const HookFeature& wanted, const Facts& facts, const Hooks& hooks,
                   const AgentOptions& options) {
  Feature feature{wanted.name, Weight::kExpected, State::kOn, wanted.with, ""};
  size_t attached = 0;
  for (std::string_view name : wanted.hooks) {
    const model::Hook* hook = find(hooks, name);
    if (hook && hook->attached) {
      ++attached;
      continue;
    }
    model::Hook absent{std::string(name), "none", false, ""};
    Obstacle obstacle = obstacle_of(hook ? *hook : absent, facts, options);
    feature.why = wanted.without + "; " + std::string(name) + ": " + obstacle.why;
    feature.switch_on = obstacle.switch_on;
  }
  if (attached < wanted.hooks.size()) feature.state = attached ? State::kLimited : State::kOff;
  return feature;
}

Feature usage(const Facts& facts) {
  Feature feature{"usage", Weight::kEssential, State::kOff, "", ""};
  if (!facts.hierarchy) {
    feature.why = "no memory cgroup hierarchy: " + facts.hierarchy_trouble;
    feature.switch_on = "mount /sys/fs/cgroup of the host here, with the memory controller on";
    return feature;
  }
  feature.state = State::kOn;
  feature.why =
      facts.hierarchy->is_v2()
          ? "usage, classes and kill counts from cgroup v2"
          : "usage, classes and kill counts from cgroup v1; it does not tell slab, sockets "
            "or page tables, so the reclaimable share of kernel memory is unknown";
  return feature;
}

Feature growth(const Facts& facts, const Hooks& hooks, const AgentOptions& options) {
  Feature feature = from_hooks({"growth",
                                {"growth"},
                                "virtual growth as it happens",
                                "resident memory alone, at the pace of sampling"},
                               facts, hooks, options);
  const model::Hook* hook = find(hooks, "growth");
  if (!hook || !hook->attached) return feature;
  feature.why += ", by " + hook->rung;
  if (hook->rung == "vm_unmapped_area")
    feature.why += "; what brk and munmap alone moved shows at the next mmap or pass";
  if (hook->rung == "syscalls") {
    feature.state = State::kLimited;
    feature.why += ", which slows every system call of the node";
  }
  return feature;
}

Feature processes(const Facts& facts, const Hooks& hooks, const AgentOptions& options) {
  Feature feature = from_hooks({"processes",
                                {"tasks"},
                                "memory, threads and files of each process",
                                "containers as a whole"},
                               facts, hooks, options);
  if (feature.state == State::kOn && facts.host_pid_namespace == false) {
    feature.state = State::kLimited;
    feature.why = "only the processes of this pid namespace";
    feature.switch_on = "run in the host's pid namespace (hostPID: true)";
  }
  return feature;
}

Feature pressure(const Facts& facts) {
  Feature feature{"pressure", Weight::kExtra, State::kOff, "", ""};
  bool in_cgroups = facts.hierarchy && facts.hierarchy->is_v2();
  if (facts.pressure.ok && in_cgroups) {
    feature.state = State::kOn;
    feature.why = "memory pressure of each container (PSI)";
  } else if (facts.pressure.ok) {
    feature.why = "PSI is per container on cgroup v2 only";
    feature.switch_on = "cgroup v2";
  } else {
    feature.why = std::string("/proc/pressure/memory: ") + std::strerror(facts.pressure.code);
    feature.switch_on =
        facts.pressure.code == EOPNOTSUPP ? "boot with psi=1" : "a kernel with CONFIG_PSI, psi=1";
  }
  return feature;
}

Feature pod_names(const Facts& facts, const AgentOptions& options) {
  Feature feature{"pod names", Weight::kExtra, State::kOff, "", ""};
  if (facts.pod_logs.ok) {
    feature.state = State::kOn;
    feature.why = "namespace and pod from " + options.pod_logs_dir;
    return feature;
  }
  feature.why = options.pod_logs_dir + ": " + std::strerror(facts.pod_logs.code);
  if (facts.pod_logs.code != EACCES) {
    if (!facts.cgroup_driver.empty()) feature.weight = Weight::kExpected;  // a node of Kubernetes
    feature.switch_on = "mount the kubelet's pod logs, on a node of Kubernetes";
    return feature;
  }
  feature.weight = Weight::kExpected;
  bool selinux = facts.lsms && std::count(facts.lsms->begin(), facts.lsms->end(), "selinux");
  feature.switch_on =
      selinux ? "SELinux is on and this runs as '" + facts.lsm_label +
                    "': a type that may read container_log_t and var_log_t, such as spc_t"
              : "give CAP_DAC_READ_SEARCH";
  return feature;
}

void judge(DoctorReport& report) {
  std::string lost;
  for (const Feature& feature : report.features) {
    if (feature.state == State::kOn || feature.weight == Weight::kExtra) continue;
    lost += (lost.empty() ? "" : ", ") + feature.name;
    bool fatal = feature.weight == Weight::kEssential && feature.state == State::kOff;
    report.exit_code = std::max(report.exit_code, fatal ? 2 : 1);
  }
  report.summary = report.exit_code == 2   ? "not usable: no " + lost
                   : report.exit_code == 1 ? "degraded: " + lost
                                           : "usable";
}

}  // namespace

DoctorReport make_doctor_report(const Facts& facts, const Hooks& hooks,
                                const AgentOptions& options) {
  DoctorReport report;
  report.facts = name_facts(facts);
  report.hooks = hooks;
  report.features = {
      usage(facts),
      growth(facts, hooks, options),
      from_hooks({"deaths",
                  {"mark_victim", "process_exit", "signal"},
                  "victims, exits and who sent SIGKILL, as they happen",
                  "kill counts of cgroups"},
                 facts, hooks, options),
      from_hooks({"births",
                  {"cgroup", "exec"},
                  "containers as they are made",
                  "containers by the next scan"},
                 facts, hooks, options),
      processes(facts, hooks, options),
      pod_names(facts, options),
      pressure(facts),
  };
  judge(report);
  return report;
}

std::string_view name(FeatureState state) {
  switch (state) {
    case FeatureState::kOn: return "on";
    case FeatureState::kLimited: return "limited";
    case FeatureState::kOff: return "off";
  }
  return "off";
}

}  // namespace oomen::app
