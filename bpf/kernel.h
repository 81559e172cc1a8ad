/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few kernel structs we read, with the few members. CO-RE finds the real offsets at load, so
 * neither order nor gaps matter here, and the build needs nothing of the kernel it runs on.
 */
#ifndef OOMEN_KERNEL_H
#define OOMEN_KERNEL_H

#include <linux/types.h>
#include <stdbool.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	long counter;
} atomic_long_t;

struct percpu_counter {
	__s64 count;
};

struct kernfs_node {
	__u64 id;
	const char *name;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

enum cgroup_subsys_id {
	memory_cgrp_id = 0, /* the real value is looked up at load */
};

struct css_set {
	struct cgroup_subsys_state *subsys[1];
};

struct mm_struct {
	atomic_t mm_users;
	unsigned long total_vm;
	unsigned long data_vm;
	struct percpu_counter rss_stat[4];
};

struct fdtable {
	unsigned int max_fds;
	unsigned long *open_fds;
};

struct files_struct {
	struct fdtable *fdt;
};

struct signal_struct {
	atomic_t live;
	int nr_threads;
	int group_exit_code;
	unsigned int flags;
};

struct kernel_siginfo {
	int si_code;
};

struct task_struct {
	struct mm_struct *mm;
	struct mm_struct *active_mm;
	int pid;
	int tgid;
	int exit_code;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	__u64 start_boottime;
	char comm[16];
	struct files_struct *files;
	struct signal_struct *signal;
	struct css_set *cgroups;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

#endif
