/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel differences, all of them, from 5.10 on. */
#ifndef OOMEN_COMPAT_BPF_H
#define OOMEN_COMPAT_BPF_H

#include "kernel.h"
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

/*
 * bpf_get_current_task_btf() came with 5.11 (3ca1032ab7ab "bpf: Add bpf_get_current_task_btf
 * helper"): the plain one and probed reads load everywhere.
 */
static __always_inline struct task_struct *current_task(void)
{
	return (struct task_struct *)bpf_get_current_task();
}

/*
 * Read on each mmap of the node, so by plain loads where the kernel knows the type of current,
 * without two calls to read memory. The other branch is dead code to the verifier, on either side
 * of 5.11.
 */
static __always_inline struct mm_struct *current_mm(__u64 *data_vm_pages)
{
	struct mm_struct *mm;

	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) {
		mm = bpf_get_current_task_btf()->mm;
		if (mm)
			*data_vm_pages = mm->data_vm;
	} else {
		mm = BPF_CORE_READ(current_task(), mm);
		if (mm)
			*data_vm_pages = BPF_CORE_READ(mm, data_vm);
	}
	return mm;
}

/*
 * The index of the memory controller depends on what the kernel was built with. Its css gives the
 * cgroup of the memory hierarchy, on v2, v1 and hybrid alike. 0: a kernel without it.
 */
static __always_inline __u64 memory_cgroup_of(struct task_struct *task)
{
	struct cgroup_subsys_state *css = NULL;
	struct css_set *set;

	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id, memory_cgrp_id))
		return 0;
	set = BPF_CORE_READ(task, cgroups);
	bpf_probe_read_kernel(&css, sizeof(css),
			      __builtin_preserve_access_index(&set->subsys[0]) +
				  bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id));
	return BPF_CORE_READ(css, cgroup, kn, id);
}

/*
 * kernfs_node.parent became __parent, under RCU, in 6.15 (633488947ef6 "kernfs: Use RCU to access
 * kernfs_node::parent."); the css knows its parent's cgroup everywhere.
 */
static __always_inline __u64 parent_of_cgroup(struct cgroup *cgroup)
{
	return BPF_CORE_READ(cgroup, self.parent, cgroup, kn, id);
}

/*
 * Before 6.2 (f1a7941243c1 "mm: convert mm's rss stats into percpu_counter") one atomic each, with
 * up to 64 pages kept back by each thread. The member is an atomic_long_t: with a plain long the
 * two types do not match, and field_exists says no without a word.
 */
struct mm_rss_stat___before_6_2 {
	atomic_long_t count[4];
} __attribute__((preserve_access_index));

struct mm_struct___before_6_2 {
	struct mm_rss_stat___before_6_2 rss_stat;
} __attribute__((preserve_access_index));

enum { kFilePages, kAnonPages, kSwapEntries, kShmemPages }; /* MM_FILEPAGES and so on, unchanged */

/*
 * From 6.2 on the common part of a per-CPU counter: off by less than max(32, 2 * CPUs) pages for
 * each CPU, in either direction, so it may be below 0.
 */
#define RSS_PAGES(mm, index)                                                                       \
	({                                                                                         \
		__s64 __pages = 0;                                                                 \
		struct mm_struct___before_6_2 *__old = (void *)(mm);                               \
		if (bpf_core_field_exists(__old->rss_stat.count))                                  \
			__pages = BPF_CORE_READ(__old, rss_stat.count[index].counter);             \
		else                                                                               \
			__pages = BPF_CORE_READ(mm, rss_stat[index].count);                        \
		__pages;                                                                           \
	})

/*
 * The mm that dies with this task, seen from sched_process_exit, or NULL. From 6.16 on
 * (4bf5a8f8e5a3 "exit: move and extend sched_process_exit() tracepoint") the task still has it and
 * counts as a user; before, exit_mm() was there first and only active_mm still points to it, or to
 * another's after a context switch. So the count of users decides, which is right whosever it is.
 */
static __always_inline struct mm_struct *dying_mm_of(struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	int users = 1;

	if (!mm) {
		mm = BPF_CORE_READ(task, active_mm);
		users = 0;
	}
	return mm && BPF_CORE_READ(mm, mm_users.counter) <= users ? mm : NULL;
}

#endif
