/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How data_vm of each mm changed, summed by memory cgroup: one total holds, for the mms living in
 * the cgroup, what each grew since its birth (a fork inherits its parent's, an exec starts anew) or
 * since it was first seen. A change is added to the mm's `credited_pages` and to the cgroup's
 * total by the same amount, so two CPUs that count the same change at once are put right by the
 * next one. (No atomics that fetch: those came with 5.12.)
 */
#ifndef OOMEN_GROWTH_BPF_H
#define OOMEN_GROWTH_BPF_H

#include "emit.bpf.h"

/*
 * Preallocated: these programs run where allocating is not allowed. 16,384 mms are 1.6 MB and many
 * times the processes of a large node; what no longer fits is counted.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64); /* address of the mm_struct */
	__type(value, struct oomen_mm);
} mms SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64); /* memory cgroup */
	__type(value, struct oomen_cgroup_growth);
} cgroups SEC(".maps") __weak;

const volatile __u64 quantum_pages __weak = 256;
const volatile __u64 period_ns __weak = 1000000000;
/* Number of the task iterator's pass; user space counts it up before each. */
__u32 pass __weak;

static __always_inline void send_growth(__u64 cgroup, struct oomen_cgroup_growth *growth)
{
	__s64 total = growth->total_pages;
	__s64 unsent = total - growth->sent_pages;
	struct oomen_growth *record;
	__u64 now;

	if (unsent == 0)
		return;
	now = bpf_ktime_get_boot_ns();
	if ((unsent < 0 ? -unsent : unsent) < (__s64)quantum_pages &&
	    now - growth->sent_ns < period_ns)
		return;
	record = reserve(OOMEN_GROWTH, sizeof(*record));
	/* Also when it was lost: the next one says it all, and there is no use in trying at once.
	 */
	growth->sent_pages = total;
	growth->sent_ns = now;
	if (!record)
		return;
	record->cgroup = cgroup;
	record->total_pages = total;
	submit_quietly(record);
}

/* false: there is no room for another cgroup. */
static __always_inline bool credit(__u64 cgroup, __s64 pages)
{
	struct oomen_cgroup_growth *growth = bpf_map_lookup_elem(&cgroups, &cgroup);

	if (!growth) {
		struct oomen_cgroup_growth none = {};

		bpf_map_update_elem(&cgroups, &cgroup, &none, BPF_NOEXIST);
		growth = bpf_map_lookup_elem(&cgroups, &cgroup);
		if (!growth) {
			count_loss(OOMEN_CGROUPS_FULL);
			return false;
		}
	}
	__sync_fetch_and_add(&growth->total_pages, pages);
	send_growth(cgroup, growth);
	return true;
}

/* The mm takes its growth away from the cgroup that held it, unless that is gone already. */
static __always_inline void take_back(const struct oomen_mm *known)
{
	__u64 cgroup = known->cgroup;
	__s64 pages = known->credited_pages - known->baseline_pages;
	struct oomen_cgroup_growth *growth;

	if (!cgroup || !pages)
		return;
	growth = bpf_map_lookup_elem(&cgroups, &cgroup);
	if (!growth)
		return;
	__sync_fetch_and_add(&growth->total_pages, -pages);
	send_growth(cgroup, growth);
}

/* From now on the mm's growth counts. Whoever had the address before is dead. */
static __always_inline void start_baseline(struct mm_struct *mm)
{
	struct oomen_mm fresh = {.pass = pass};
	__u64 key = (__u64)mm;
	struct oomen_mm *stale = bpf_map_lookup_elem(&mms, &key);

	if (stale)
		take_back(stale);
	fresh.credited_pages = fresh.baseline_pages = BPF_CORE_READ(mm, data_vm);
	if (bpf_map_update_elem(&mms, &key, &fresh, BPF_ANY))
		count_loss(OOMEN_MMS_FULL);
}

#endif
