#include "source/bpf_host.h"

#include <bpf/btf.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <charconv>
#include <memory>

#include "base/fd.h"
#include "base/text.h"

namespace oomen::source {
namespace {

constexpr ino_t kInitialPidNamespace = 0xEFFFFFFC;  // PROC_PID_INIT_INO

using Btf = std::unique_ptr<btf, void (*)(btf*)>;

// A traced event `x` is the type btf_trace_x: a pointer to the prototype of its probe, whose first
// argument is the probe's own.
const btf_type* probe_of(const btf* kernel, const std::string& tracepoint) {
  int id = btf__find_by_name_kind(kernel, ("btf_trace_" + tracepoint).c_str(), BTF_KIND_TYPEDEF);
  const btf_type* type = id > 0 ? btf__type_by_id(kernel, id) : nullptr;
  const btf_type* pointer = type ? btf__type_by_id(kernel, type->type) : nullptr;
  const btf_type* probe = pointer ? btf__type_by_id(kernel, pointer->type) : nullptr;
  return probe && btf_is_func_proto(probe) ? probe : nullptr;
}

bool victim_is_task(const btf* kernel) {
  const btf_type* probe = probe_of(kernel, "mark_victim");
  if (!probe || btf_vlen(probe) < 2) return false;
  const btf_type* argument = btf__type_by_id(kernel, btf_params(probe)[1].type);
  return argument && btf_is_ptr(argument);
}

void look_up_targets(const btf* kernel, KernelFacts& facts) {
  for (const Rung& rung : rungs())
    for (const BpfProgram& program : rung.programs) {
      std::string target(program.target);
      if (program.kind == Target::kFunction &&
          btf__find_by_name_kind(kernel, target.c_str(), BTF_KIND_FUNC) > 0)
        facts.functions.insert(target);
      if (program.kind == Target::kTracepoint && probe_of(kernel, target))
        facts.tracepoints.insert(target);
    }
}

void read_release(KernelFacts& facts) {
  utsname names{};
  if (uname(&names) != 0) return;
  std::string_view rest = names.release;
  facts.major = base::parse_number<int>(base::take_until(rest, '.')).value_or(0);
  facts.minor =
      base::parse_number<int>(rest.substr(0, rest.find_first_not_of("0123456789"))).value_or(0);
}

void read_rights(KernelFacts& facts) {
  auto status = base::read_file("/proc/self/status");
  if (!status) return;
  for (std::string_view rest = *status; !rest.empty();) {
    std::string_view value = base::take_until(rest, '\n');
    std::string_view key = base::take_until(value, ':');
    value = base::trim(value);
    if (key == "CapEff")
      std::from_chars(value.data(), value.data() + value.size(), facts.capabilities, 16);
    if (key == "Seccomp") facts.seccomp_filtered = value != "0";
  }
}

}  // namespace

KernelFacts read_kernel_facts() {
  KernelFacts facts;
  Btf kernel(btf__load_vmlinux_btf(), btf__free);
  if (kernel) {
    look_up_targets(kernel.get(), facts);
    facts.victim_is_task = victim_is_task(kernel.get());
  } else {
    facts.btf_error = base::errno_error("the kernel's BTF").message;
  }
  read_release(facts);
  read_rights(facts);
  auto paranoid = base::read_file("/proc/sys/kernel/perf_event_paranoid");
  if (paranoid) facts.perf_event_paranoid = base::parse_number<int>(base::trim(*paranoid));
  return facts;
}

bool is_in_initial_pid_namespace() {
  struct stat status {};
  return stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == kInitialPidNamespace;
}

}  // namespace oomen::source
