/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * The only structs that cross from the kernel to user space. Same machine, so native byte order;
 * padding is explicit and sizes are asserted where either side includes this file. Sizes of memory
 * are in pages: only user space knows how large one is.
 */
#ifndef OOMEN_WIRE_H
#define OOMEN_WIRE_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
#define OOMEN_ASSERT static_assert
#define OOMEN_OFFSET(type, member) offsetof(type, member)
typedef uint32_t oomen_u32;
typedef int32_t oomen_s32;
typedef uint64_t oomen_u64;
typedef int64_t oomen_s64;
#else
#define OOMEN_ASSERT _Static_assert
#define OOMEN_OFFSET(type, member) __builtin_offsetof(type, member) /* libbpf's is no constant */
typedef __u32 oomen_u32;
typedef __s32 oomen_s32;
typedef __u64 oomen_u64;
typedef __s64 oomen_s64;
#endif

#define OOMEN_COMM_SIZE 16
#define OOMEN_NAME_SIZE 256 /* a path component has at most 255 bytes */

/* Kinds of records, and what is counted when one could not be delivered. */
enum oomen_kind {
	OOMEN_NO_KIND = 0,
	OOMEN_GROWTH = 1,
	OOMEN_CGROUP_MADE = 2,
	OOMEN_CGROUP_REMOVED = 3,
	OOMEN_EXEC = 4,
	OOMEN_OOM_VICTIM = 5,
	OOMEN_KILL = 6,
	OOMEN_EXIT = 7,
	/* No records: a map that was full. */
	OOMEN_MMS_FULL = 8,
	OOMEN_CGROUPS_FULL = 9,
	OOMEN_KINDS = 16, /* power of two: an index is masked with it */
};

struct oomen_header {
	oomen_u32 kind;
	oomen_u32 reserved;
	oomen_u64 time_ns; /* CLOCK_BOOTTIME */
};

struct oomen_growth {
	struct oomen_header header;
	oomen_u64 cgroup;
	oomen_s64 total_pages; /* cumulative */
};

struct oomen_cgroup_made {
	struct oomen_header header;
	oomen_u64 id;
	oomen_u64 parent;
	char name[OOMEN_NAME_SIZE];
};

struct oomen_cgroup_removed {
	struct oomen_header header;
	oomen_u64 id;
};

struct oomen_exec {
	struct oomen_header header;
	oomen_u64 cgroup;
	oomen_u32 pid;
	oomen_u32 reserved;
	char comm[OOMEN_COMM_SIZE];
};

struct oomen_oom_victim {
	struct oomen_header header;
	oomen_u64 cgroup; /* 0: the hook gave a pid alone and nobody saw that pid killed */
	oomen_u32 pid;
	oomen_u32 trigger_pid;
	char comm[OOMEN_COMM_SIZE];
	char trigger_comm[OOMEN_COMM_SIZE];
};

struct oomen_kill {
	struct oomen_header header;
	oomen_u64 cgroup;
	oomen_u64 sender_cgroup;
	oomen_u32 pid;
	oomen_u32 sender_pid;
	oomen_u32 from_kernel;
	oomen_u32 reserved;
	char comm[OOMEN_COMM_SIZE];
	char sender_comm[OOMEN_COMM_SIZE];
};

struct oomen_exit {
	struct oomen_header header;
	oomen_u64 cgroup;
	oomen_u64 start_ns; /* with the pid: who it was */
	oomen_u32 pid;
	oomen_s32 code; /* as wait(2) packs it */
	char comm[OOMEN_COMM_SIZE];
};

/* What the task iterator writes, one after the other. */
struct oomen_process {
	oomen_u64 cgroup;
	oomen_u64 start_ns;
	oomen_s64 anon_pages; /* may be below 0: approximate counters, see compat.bpf.h */
	oomen_s64 file_pages;
	oomen_s64 shmem_pages;
	oomen_s64 swap_pages;
	oomen_u64 total_vm_pages;
	oomen_u64 data_vm_pages;
	oomen_u32 pid;
	oomen_u32 parent_pid;
	oomen_u32 threads;
	oomen_u32 open_files;
	char comm[OOMEN_COMM_SIZE];
};

/* Values of the maps that user space reads. */
struct oomen_mm {
	oomen_s64 credited_pages; /* data_vm up to here is in its cgroup's total */
	oomen_s64 baseline_pages; /* what it was born with, or had when first seen */
	oomen_u64 cgroup;	  /* that holds its growth; 0: none yet */
	oomen_u32 pass;		  /* of the task iterator that saw it last */
	oomen_u32 reserved;
};

struct oomen_cgroup_growth {
	oomen_s64 total_pages;
	oomen_s64 sent_pages;
	oomen_u64 sent_ns;
};

OOMEN_ASSERT(sizeof(struct oomen_header) == 16, "header");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_header, time_ns) == 8, "header.time_ns");
OOMEN_ASSERT(sizeof(struct oomen_growth) == 32, "growth");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_growth, total_pages) == 24, "growth.total_pages");
OOMEN_ASSERT(sizeof(struct oomen_cgroup_made) == 288, "cgroup_made");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_cgroup_made, name) == 32, "cgroup_made.name");
OOMEN_ASSERT(sizeof(struct oomen_cgroup_removed) == 24, "cgroup_removed");
OOMEN_ASSERT(sizeof(struct oomen_exec) == 48, "exec");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_exec, comm) == 32, "exec.comm");
OOMEN_ASSERT(sizeof(struct oomen_oom_victim) == 64, "oom_victim");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_oom_victim, comm) == 32, "oom_victim.comm");
OOMEN_ASSERT(sizeof(struct oomen_kill) == 80, "kill");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_kill, comm) == 48, "kill.comm");
OOMEN_ASSERT(sizeof(struct oomen_exit) == 56, "exit");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_exit, comm) == 40, "exit.comm");
OOMEN_ASSERT(sizeof(struct oomen_process) == 96, "process");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_process, pid) == 64, "process.pid");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_process, comm) == 80, "process.comm");
OOMEN_ASSERT(sizeof(struct oomen_mm) == 32, "mm");
OOMEN_ASSERT(OOMEN_OFFSET(struct oomen_mm, pass) == 24, "mm.pass");
OOMEN_ASSERT(sizeof(struct oomen_cgroup_growth) == 24, "cgroup_growth");

#endif
