// SPDX-License-Identifier: GPL-2.0
// Growth deltas. Each rung of the ladder only says "something changed here"; how much is the
// difference of data_vm, never the sum of arguments.
#include "growth.bpf.h"
#include <bpf/bpf_tracing.h>

#ifdef __TARGET_ARCH_arm64
#define SYSCALL "__arm64_sys_"
#else
#define SYSCALL "__x64_sys_"
#endif

static __always_inline int account_current(void)
{
	__u64 data_vm_pages = 0, cgroup;
	struct mm_struct *mm = current_mm(&data_vm_pages);
	__u64 key = (__u64)mm;
	struct oomen_mm *known;
	__s64 pages;

	if (!mm)
		return 0;
	known = bpf_map_lookup_elem(&mms, &key);
	if (!known) {
		start_baseline(mm);
		return 0;
	}
	pages = (__s64)data_vm_pages - known->credited_pages;
	if (!pages)
		return 0;
	cgroup = memory_cgroup_of(current_task());
	/* Moved to another cgroup: the task iterator, which runs alone, carries its growth over. */
	if (known->cgroup && known->cgroup != cgroup)
		return 0;
	known->cgroup = cgroup;
	if (credit(cgroup, pages))
		__sync_fetch_and_add(&known->credited_pages, pages);
	return 0;
}

#define ACCOUNT(name, section)                                                                     \
	SEC(section) int name(void *ctx)                                                           \
	{                                                                                          \
		return account_current();                                                          \
	}

ACCOUNT(on_mmap_fexit, "fexit/vm_mmap_pgoff")
ACCOUNT(on_munmap_fexit, "fexit/__vm_munmap")
ACCOUNT(on_brk_fexit, "fexit/" SYSCALL "brk")
ACCOUNT(on_mremap_fexit, "fexit/" SYSCALL "mremap")
ACCOUNT(on_mprotect_fexit, "fexit/" SYSCALL "mprotect")

/* Once per mmap that looks for a place, before it is mapped: what all calls before it changed. */
ACCOUNT(on_vm_unmapped_area, "tp_btf/vm_unmapped_area")

ACCOUNT(on_mmap_kprobe, "kretprobe/vm_mmap_pgoff")
ACCOUNT(on_munmap_kprobe, "kretprobe/__vm_munmap")
ACCOUNT(on_brk_kprobe, "kretprobe/" SYSCALL "brk")
ACCOUNT(on_mremap_kprobe, "kretprobe/" SYSCALL "mremap")
ACCOUNT(on_mprotect_kprobe, "kretprobe/" SYSCALL "mprotect")

ACCOUNT(on_mmap_syscall, "tracepoint/syscalls/sys_exit_mmap")
ACCOUNT(on_munmap_syscall, "tracepoint/syscalls/sys_exit_munmap")
ACCOUNT(on_brk_syscall, "tracepoint/syscalls/sys_exit_brk")
ACCOUNT(on_mremap_syscall, "tracepoint/syscalls/sys_exit_mremap")
ACCOUNT(on_mprotect_syscall, "tracepoint/syscalls/sys_exit_mprotect")

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_growth_fork, struct task_struct *parent, struct task_struct *child)
{
	struct mm_struct *mm = BPF_CORE_READ(child, mm);

	/* A thread and a vfork share their parent's. */
	if (mm && mm != BPF_CORE_READ(parent, mm))
		start_baseline(mm);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_growth_exec, struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);

	if (mm)
		start_baseline(mm);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_growth_exit, struct task_struct *task)
{
	struct mm_struct *mm = dying_mm_of(task);
	__u64 key = (__u64)mm;
	struct oomen_mm *known;

	if (!mm)
		return 0;
	known = bpf_map_lookup_elem(&mms, &key);
	if (!known)
		return 0;
	take_back(known);
	bpf_map_delete_elem(&mms, &key);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
