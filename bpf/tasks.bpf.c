// SPDX-License-Identifier: GPL-2.0
// One pass over all processes: what each holds, and the true data_vm that closes its growth.
#include "growth.bpf.h"

#define WORD_BITS 64
#define CHUNK_WORDS 8
#define MOST_CHUNKS 128 /* counts the first 65,536 descriptors; the verifier wants a bound */

static __always_inline __u32 ones_in(__u64 word)
{
	word -= (word >> 1) & 0x5555555555555555ULL;
	word = (word & 0x3333333333333333ULL) + ((word >> 2) & 0x3333333333333333ULL);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (word * 0x0101010101010101ULL) >> 56;
}

/* By chunks first: one word at a time would be a thousand steps for the verifier and for us. */
static __always_inline __u32 count_open_files(struct task_struct *task)
{
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	__u64 chunk[CHUNK_WORDS];
	__u32 words, at = 0, count = 0;
	__u64 *bits;

	if (!table)
		return 0;
	words = BPF_CORE_READ(table, max_fds) / WORD_BITS;
	bits = (__u64 *)BPF_CORE_READ(table, open_fds);
	for (int i = 0; i < MOST_CHUNKS && at + CHUNK_WORDS <= words; i++, at += CHUNK_WORDS) {
		if (bpf_probe_read_kernel(chunk, sizeof(chunk), bits + at))
			return count;
		for (int j = 0; j < CHUNK_WORDS; j++)
			count += ones_in(chunk[j]);
	}
	for (int j = 0; j < CHUNK_WORDS - 1 && at < words; j++, at++) {
		if (bpf_probe_read_kernel(chunk, sizeof(chunk[0]), bits + at))
			return count;
		count += ones_in(chunk[0]);
	}
	return count;
}

/* What no event has told yet; and the growth of an mm that moved moves with it. */
static __always_inline void close_growth(struct mm_struct *mm, __u64 cgroup)
{
	__u64 key = (__u64)mm;
	struct oomen_mm *known = bpf_map_lookup_elem(&mms, &key);
	__s64 pages;

	if (!known) {
		start_baseline(mm);
		return;
	}
	known->pass = pass;
	if (known->cgroup && known->cgroup != cgroup) {
		take_back(known);
		if (!credit(cgroup, known->credited_pages - known->baseline_pages))
			known->baseline_pages = known->credited_pages;
		known->cgroup = cgroup;
	}
	pages = (__s64)BPF_CORE_READ(mm, data_vm) - known->credited_pages;
	if (!pages)
		return;
	known->cgroup = cgroup;
	if (credit(cgroup, pages))
		__sync_fetch_and_add(&known->credited_pages, pages);
}

static __always_inline void read_memory(struct oomen_process *process, struct mm_struct *mm)
{
	process->anon_pages = RSS_PAGES(mm, kAnonPages);
	process->file_pages = RSS_PAGES(mm, kFilePages);
	process->shmem_pages = RSS_PAGES(mm, kShmemPages);
	process->swap_pages = RSS_PAGES(mm, kSwapEntries);
	process->total_vm_pages = BPF_CORE_READ(mm, total_vm);
	process->data_vm_pages = BPF_CORE_READ(mm, data_vm);
}

static __always_inline void read_process(struct oomen_process *process, struct task_struct *leader,
					 struct task_struct *task)
{
	process->start_ns = BPF_CORE_READ(leader, start_boottime);
	process->pid = BPF_CORE_READ(leader, tgid);
	process->parent_pid = BPF_CORE_READ(leader, real_parent, tgid);
	process->threads = BPF_CORE_READ(leader, signal, nr_threads);
	process->open_files = count_open_files(task);
	READ_COMM(process->comm, leader);
}

/*
 * One task for each process: its leader, or, when that has ended before its threads, each of these
 * (user space keeps the first). Kernel threads and zombies have no memory to speak of.
 */
SEC("iter/task")
int on_task(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *task = ctx->task;
	struct oomen_process process = {};
	struct task_struct *leader;
	struct mm_struct *mm;

	if (!task)
		return 0;
	mm = BPF_CORE_READ(task, mm);
	if (!mm)
		return 0;
	leader = BPF_CORE_READ(task, group_leader);
	if (leader != task && BPF_CORE_READ(leader, mm))
		return 0;
	process.cgroup = memory_cgroup_of(task);
	close_growth(mm, process.cgroup);
	read_memory(&process, mm);
	read_process(&process, leader, task);
	bpf_seq_write(seq, &process, sizeof(process));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
