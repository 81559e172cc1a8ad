// What this kernel has and what this process may, as far as BPF asks. Every part that can't be read
// stays at "no": trying shows the rest.
#pragma once
#include "source/bpf_plan.h"

namespace oomen::source {

// Looks up the targets of all programs in the kernel's BTF, where an absent one is told from a
// forbidden one (attaching answers EPERM to both).
KernelFacts read_kernel_facts();

// Sees every process of the machine, not only those of a pid namespace.
bool is_in_initial_pid_namespace();

}  // namespace oomen::source
