/* SPDX-License-Identifier: GPL-2.0 */
/* The ring buffer all programs share, and the count of what did not fit. */
#ifndef OOMEN_EMIT_BPF_H
#define OOMEN_EMIT_BPF_H

#include "compat.bpf.h"
#include "wire.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 512 * 1024); /* user space sets it */
} events SEC(".maps") __weak;

/* By kind. __u64, as the skeleton is C++. */
__u64 lost[OOMEN_KINDS] __weak;

static __always_inline void count_loss(enum oomen_kind kind)
{
	__sync_fetch_and_add(&lost[kind & (OOMEN_KINDS - 1)], 1);
}

static __always_inline void *reserve(enum oomen_kind kind, __u64 size)
{
	struct oomen_header *header = bpf_ringbuf_reserve(&events, size, 0);

	if (!header) {
		count_loss(kind);
		return NULL;
	}
	header->kind = kind;
	header->reserved = 0;
	header->time_ns = bpf_ktime_get_boot_ns();
	return header;
}

static __always_inline void submit(void *record)
{
	bpf_ringbuf_submit(record, BPF_RB_FORCE_WAKEUP);
}

/*
 * Most records wait for the reader's next turn, unless the ring fills meanwhile: a wake-up is an
 * interrupt to the one who causes it, and there are nodes that run a thousand commands a second.
 */
#define OOMEN_WAKE_AT_BYTES (64 * 1024)

static __always_inline void submit_quietly(void *record)
{
	bool fills = bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > OOMEN_WAKE_AT_BYTES;

	bpf_ringbuf_submit(record, fills ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP);
}

static __always_inline void submit_if(bool urgent, void *record)
{
	if (urgent)
		submit(record);
	else
		submit_quietly(record);
}

/* The first of its cgroup, as a container's main process is, and not one of those it starts. */
static __always_inline bool came_from_outside(struct task_struct *task, __u64 cgroup)
{
	return memory_cgroup_of(BPF_CORE_READ(task, real_parent)) != cgroup;
}

#define READ_COMM(to, task) bpf_core_read(to, sizeof(to), &((struct task_struct *)(task))->comm)

#endif
