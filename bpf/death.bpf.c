// SPDX-License-Identifier: GPL-2.0
// Witnesses of a death: whom the kernel chose, who sent SIGKILL, and how the process ended.
#include "emit.bpf.h"
#include <bpf/bpf_tracing.h>

#define SIGKILL 9
#define SIGNAL_MASK 0x7f /* of an exit code: what ended it */
#define SI_KERNEL 0x80
#define SEND_SIG_PRIV ((struct kernel_siginfo *)1)
#define SIGNAL_GROUP_EXIT 0x4
#define SIGNAL_UNKILLABLE 0x40 /* init of a pid namespace: the main process of a container */

/*
 * mark_victim gave a pid until 6.8; then (72ba14deb40a "mm: update mark_victim tracepoints fields")
 * the task, so user space looks at the prototype in the kernel's BTF.
 */
const volatile __u32 victim_is_task = 0;

/* The kernel's last SIGKILL on this CPU: an OOM kill sends it just before mark_victim. */
struct last_kill {
	__u64 cgroup;
	__u32 thread;
	__u32 pid;
	char comm[OOMEN_COMM_SIZE];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct last_kill);
} last_kills SEC(".maps");

static __always_inline bool is_from_kernel(struct kernel_siginfo *info)
{
	if (info == SEND_SIG_PRIV)
		return true;
	return info && BPF_CORE_READ(info, si_code) == SI_KERNEL;
}

static __always_inline void remember_kill(struct task_struct *task, __u64 cgroup)
{
	__u32 zero = 0;
	struct last_kill *last = bpf_map_lookup_elem(&last_kills, &zero);

	if (!last)
		return;
	last->cgroup = cgroup;
	last->thread = BPF_CORE_READ(task, pid);
	last->pid = BPF_CORE_READ(task, tgid);
	READ_COMM(last->comm, task);
}

SEC("tp_btf/signal_generate")
int BPF_PROG(on_signal_generate, int signal, struct kernel_siginfo *info, struct task_struct *task)
{
	struct task_struct *sender = current_task();
	struct oomen_kill *kill;
	__u64 cgroup;
	bool from_kernel;

	if (signal != SIGKILL)
		return 0;
	cgroup = memory_cgroup_of(task);
	from_kernel = is_from_kernel(info);
	if (from_kernel)
		remember_kill(task, cgroup);
	kill = reserve(OOMEN_KILL, sizeof(*kill));
	if (!kill)
		return 0;
	kill->cgroup = cgroup;
	kill->sender_cgroup = memory_cgroup_of(sender);
	kill->pid = BPF_CORE_READ(task, tgid);
	kill->sender_pid = BPF_CORE_READ(sender, tgid);
	kill->from_kernel = from_kernel;
	kill->reserved = 0;
	READ_COMM(kill->comm, task);
	READ_COMM(kill->sender_comm, sender);
	submit(kill);
	return 0;
}

static __always_inline void describe_by_task(struct oomen_oom_victim *victim,
					     struct task_struct *task)
{
	victim->cgroup = memory_cgroup_of(task);
	victim->pid = BPF_CORE_READ(task, tgid);
	READ_COMM(victim->comm, task);
}

/* A thread's id alone: it was killed on this CPU just now, or it is current itself. */
static __always_inline void describe_by_thread(struct oomen_oom_victim *victim, __u32 thread)
{
	__u32 zero = 0;
	struct last_kill *last = bpf_map_lookup_elem(&last_kills, &zero);

	victim->cgroup = 0;
	victim->pid = thread;
	__builtin_memset(victim->comm, 0, sizeof(victim->comm));
	if (last && last->thread == thread) {
		victim->cgroup = last->cgroup;
		victim->pid = last->pid;
		__builtin_memcpy(victim->comm, last->comm, sizeof(victim->comm));
	} else if ((__u32)bpf_get_current_pid_tgid() == thread) {
		describe_by_task(victim, current_task());
	}
}

SEC("tp_btf/mark_victim")
int on_mark_victim(__u64 *ctx)
{
	struct oomen_oom_victim *victim = reserve(OOMEN_OOM_VICTIM, sizeof(*victim));

	if (!victim)
		return 0;
	if (victim_is_task)
		describe_by_task(victim, (struct task_struct *)ctx[0]);
	else
		describe_by_thread(victim, ctx[0]);
	victim->trigger_pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(victim->trigger_comm, sizeof(victim->trigger_comm));
	submit(victim);
	return 0;
}

/* As wait(2) will tell the parent. */
static __always_inline int exit_code_of(struct task_struct *leader, struct signal_struct *signal)
{
	if (BPF_CORE_READ(signal, flags) & SIGNAL_GROUP_EXIT)
		return BPF_CORE_READ(signal, group_exit_code);
	return BPF_CORE_READ(leader, exit_code);
}

/*
 * Only the ends that may mean something: by a signal, with a code, or of the init of a pid
 * namespace. The many that end well are told by their cgroup's end. Two last threads that end at
 * once may both report; user space drops the second by pid and start.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_process_exit, struct task_struct *task)
{
	struct signal_struct *signal = BPF_CORE_READ(task, signal);
	struct task_struct *leader = BPF_CORE_READ(task, group_leader);
	struct oomen_exit *exit;
	int code;

	if (BPF_CORE_READ(signal, live.counter) != 0)
		return 0;
	code = exit_code_of(leader, signal);
	if (!code && !(BPF_CORE_READ(signal, flags) & SIGNAL_UNKILLABLE))
		return 0;
	exit = reserve(OOMEN_EXIT, sizeof(*exit));
	if (!exit)
		return 0;
	exit->cgroup = memory_cgroup_of(task);
	exit->start_ns = BPF_CORE_READ(leader, start_boottime);
	exit->pid = BPF_CORE_READ(task, tgid);
	exit->code = code;
	READ_COMM(exit->comm, leader);
	submit_if((code & SIGNAL_MASK) || came_from_outside(leader, exit->cgroup), exit);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
