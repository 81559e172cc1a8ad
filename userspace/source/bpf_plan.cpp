#include "source/bpf_plan.h"

#include <algorithm>
#include <cerrno>

#include "base/text.h"

namespace oomen::source {
namespace {

#ifdef __aarch64__
#define OOMEN_SYSCALL "__arm64_sys_"
#else
#define OOMEN_SYSCALL "__x64_sys_"
#endif

constexpr int kCapSysAdmin = 21, kCapSysResource = 24, kCapPerfmon = 38, kCapBpf = 39;

// Baselines: every way to see growth needs them.
const std::vector<BpfProgram> kGrowthBase = {
    {"on_growth_fork", Target::kTracepoint, "sched_process_fork"},
    {"on_growth_exec", Target::kTracepoint, "sched_process_exec"},
    {"on_growth_exit", Target::kTracepoint, "sched_process_exit"},
};

Rung growth(std::string_view name, std::vector<BpfProgram> programs) {
  programs.insert(programs.begin(), kGrowthBase.begin(), kGrowthBase.end());
  return Rung{"growth", name, std::move(programs)};
}

Rung growth_by_perf_event(std::string_view name, std::vector<BpfProgram> programs,
                          bool only_by_option) {
  Rung rung = growth(name, std::move(programs));
  rung.only_by_option = only_by_option;
  rung.by_perf_event = true;
  return rung;
}

Rung tracepoint(std::string_view hook, std::vector<BpfProgram> programs) {
  return Rung{hook, "tp_btf", std::move(programs)};
}

const std::vector<Rung> kRungs = {
    growth("fexit", {{"on_mmap_fexit", Target::kFunction, "vm_mmap_pgoff"},
                     {"on_munmap_fexit", Target::kFunction, "__vm_munmap"},
                     {"on_brk_fexit", Target::kFunction, OOMEN_SYSCALL "brk"},
                     {"on_mremap_fexit", Target::kFunction, OOMEN_SYSCALL "mremap"},
                     {"on_mprotect_fexit", Target::kFunction, OOMEN_SYSCALL "mprotect"}}),
    growth("vm_unmapped_area", {{"on_vm_unmapped_area", Target::kTracepoint, "vm_unmapped_area"}}),
    growth_by_perf_event("kprobe",
                         {{"on_mmap_kprobe", Target::kFunction, "vm_mmap_pgoff"},
                          {"on_munmap_kprobe", Target::kFunction, "__vm_munmap"},
                          {"on_brk_kprobe", Target::kFunction, OOMEN_SYSCALL "brk"},
                          {"on_mremap_kprobe", Target::kFunction, OOMEN_SYSCALL "mremap"},
                          {"on_mprotect_kprobe", Target::kFunction, OOMEN_SYSCALL "mprotect"}},
                         false),
    growth_by_perf_event("syscalls",
                         {{"on_mmap_syscall", Target::kClassicTracepoint, "sys_exit_mmap"},
                          {"on_munmap_syscall", Target::kClassicTracepoint, "sys_exit_munmap"},
                          {"on_brk_syscall", Target::kClassicTracepoint, "sys_exit_brk"},
                          {"on_mremap_syscall", Target::kClassicTracepoint, "sys_exit_mremap"},
                          {"on_mprotect_syscall", Target::kClassicTracepoint, "sys_exit_mprotect"}},
                         true),
    // Nothing between two passes, but each pass closes with the truth.
    growth("iter", {{"on_task", Target::kIterator, "task"}}),
    tracepoint("mark_victim", {{"on_mark_victim", Target::kTracepoint, "mark_victim"}}),
    tracepoint("process_exit", {{"on_process_exit", Target::kTracepoint, "sched_process_exit"}}),
    tracepoint("signal", {{"on_signal_generate", Target::kTracepoint, "signal_generate"}}),
    tracepoint("cgroup", {{"on_cgroup_mkdir", Target::kTracepoint, "cgroup_mkdir"},
                          {"on_cgroup_rmdir", Target::kTracepoint, "cgroup_rmdir"}}),
    tracepoint("exec", {{"on_exec", Target::kTracepoint, "sched_process_exec"}}),
    Rung{"tasks", "iter", {{"on_task", Target::kIterator, "task"}}},
};

bool has(uint64_t capabilities, int which) {
  return (capabilities >> which & 1) || (capabilities >> kCapSysAdmin & 1);
}

bool is_absent(const BpfProgram& program, const KernelFacts& facts) {
  std::string target(program.target);
  if (program.kind == Target::kFunction) return !facts.functions.contains(target);
  if (program.kind == Target::kTracepoint) return !facts.tracepoints.contains(target);
  return false;
}

// Why not, or "" when it is worth a try.
std::string objection(const Rung& rung, const KernelFacts& facts, const Refusals& refused,
                      const PlanOptions& options) {
  bool asked_for = options.only_growth_rung == rung.name;
  if (rung.only_by_option && !options.syscall_tracepoints && !asked_for)
    return "costs every system call, so only by option";
  for (const BpfProgram& program : rung.programs) {
    if (is_absent(program, facts)) return std::string(program.target) + " is not in this kernel";
    auto why = refused.find(program.name);
    if (why != refused.end()) return why->second;
  }
  return {};
}

}  // namespace

std::span<const Rung> rungs() { return kRungs; }

std::vector<std::string_view> hook_names() {
  std::vector<std::string_view> names;
  for (const Rung& rung : kRungs)
    if (names.empty() || names.back() != rung.hook) names.push_back(rung.hook);
  return names;
}

std::vector<HookPlan> plan_hooks(const KernelFacts& facts, const Refusals& refused,
                                 const PlanOptions& options) {
  std::vector<HookPlan> plans;
  for (const Rung& rung : kRungs) {
    if (plans.empty() || plans.back().hook != rung.hook) plans.push_back({rung.hook, {}});
    bool left_out = rung.hook == "growth" && !options.only_growth_rung.empty() &&
                    options.only_growth_rung != rung.name;
    if (!left_out) plans.back().ladder.push_back({&rung, objection(rung, facts, refused, options)});
  }
  return plans;
}

std::vector<model::Hook> hooks_without(const std::string& reason) {
  std::vector<model::Hook> hooks;
  for (std::string_view name : hook_names())
    hooks.push_back({std::string(name), "none", false, reason});
  return hooks;
}

std::optional<std::string> failed_program(std::string_view log) {
  constexpr std::string_view kMark = "prog '";
  while (!log.empty()) {
    std::string_view line = base::take_until(log, '\n');
    size_t at = line.find(kMark);
    if (at == std::string_view::npos || line.find("fail") == std::string_view::npos) continue;
    line.remove_prefix(at + kMark.size());
    return std::string(base::take_until(line, '\''));
  }
  return std::nullopt;
}

std::string failure_detail(std::string_view log) {
  std::string_view last;
  bool in_verifier_log = false;
  while (!log.empty()) {
    std::string_view line = base::trim(base::take_until(log, '\n'));
    if (line.find("-- END PROG LOAD LOG --") != std::string_view::npos) break;
    if (in_verifier_log && !line.empty() && !line.starts_with("processed ")) last = line;
    in_verifier_log |= line.find("-- BEGIN PROG LOAD LOG --") != std::string_view::npos;
  }
  return std::string(last.substr(0, 200));
}

std::string likely_cause(int error, const KernelFacts& facts, bool by_perf_event) {
  if (error != EPERM && error != EACCES) return {};
  if (!has(facts.capabilities, kCapBpf)) return "needs CAP_BPF";
  if (!has(facts.capabilities, kCapPerfmon)) return "needs CAP_PERFMON";
  bool may_perf =
      has(facts.capabilities, kCapSysAdmin) || facts.perf_event_paranoid.value_or(2) <= 2;
  if (by_perf_event && !may_perf)
    return "kernel.perf_event_paranoid is " + std::to_string(*facts.perf_event_paranoid) +
           ", which asks for CAP_SYS_ADMIN";
  bool memlock_counts = facts.major < 5 || (facts.major == 5 && facts.minor < 11);
  if (memlock_counts && !has(facts.capabilities, kCapSysResource))
    return "before 5.11 BPF memory counts against RLIMIT_MEMLOCK: needs CAP_SYS_RESOURCE or a "
           "higher limit";
  if (facts.seccomp_filtered) return "a seccomp profile that refuses bpf() is likely";
  return {};
}

}  // namespace oomen::source
