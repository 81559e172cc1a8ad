// SPDX-License-Identifier: GPL-2.0
// Births and ends of memory cgroups, and what is executed in them.
#include "emit.bpf.h"
#include <bpf/bpf_tracing.h>

/*
 * cgroup v1: hierarchies number their cgroups each on its own, so one id says nothing without its
 * hierarchy. v2 is hierarchy 0.
 */
const volatile __u32 memory_hierarchy_id = 0;

static __always_inline bool is_memory_hierarchy(struct cgroup *cgroup)
{
	return BPF_CORE_READ(cgroup, root, hierarchy_id) == memory_hierarchy_id;
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_cgroup_mkdir, struct cgroup *cgroup)
{
	struct oomen_cgroup_made *made;

	if (!is_memory_hierarchy(cgroup))
		return 0;
	made = reserve(OOMEN_CGROUP_MADE, sizeof(*made));
	if (!made)
		return 0;
	made->id = BPF_CORE_READ(cgroup, kn, id);
	made->parent = parent_of_cgroup(cgroup);
	made->name[0] = 0;
	bpf_probe_read_kernel_str(made->name, sizeof(made->name), BPF_CORE_READ(cgroup, kn, name));
	submit(made);
	return 0;
}

SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(on_cgroup_rmdir, struct cgroup *cgroup)
{
	struct oomen_cgroup_removed *removed;

	if (!is_memory_hierarchy(cgroup))
		return 0;
	removed = reserve(OOMEN_CGROUP_REMOVED, sizeof(*removed));
	if (!removed)
		return 0;
	removed->id = BPF_CORE_READ(cgroup, kn, id);
	submit(removed);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
	struct oomen_exec *exec = reserve(OOMEN_EXEC, sizeof(*exec));

	if (!exec)
		return 0;
	exec->cgroup = memory_cgroup_of(task);
	exec->pid = BPF_CORE_READ(task, tgid);
	exec->reserved = 0;
	READ_COMM(exec->comm, task);
	submit_if(came_from_outside(task, exec->cgroup), exec);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
