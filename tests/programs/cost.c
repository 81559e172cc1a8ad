// What three operations cost here and now, in nanoseconds each: a page fault, an mmap+munmap pair,
// a getppid. Prints "fault NS mmap_munmap NS getppid NS"; each figure is the best of several short
// rounds, since whatever else the machine does only ever adds.
//   cost [ROUNDS]
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kPages = 4096, kPairs = 4000, kCalls = 100000 };

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static char *map(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return p;
}

static double faults(void)
{
	static char *area;
	if (!area) {
		area = map(kPages * 4096ul);
		madvise(area, kPages * 4096ul, MADV_NOHUGEPAGE);
	}
	madvise(area, kPages * 4096ul, MADV_DONTNEED);
	double start = now_ns();
	for (size_t i = 0; i < kPages; ++i)
		area[i * 4096] = 1;
	return (now_ns() - start) / kPages;
}

static double pairs(void)
{
	double start = now_ns();
	for (int i = 0; i < kPairs; ++i)
		munmap(map(65536), 65536);
	return (now_ns() - start) / kPairs;
}

static double calls(void)
{
	double start = now_ns();
	for (int i = 0; i < kCalls; ++i)
		syscall(SYS_getppid);
	return (now_ns() - start) / kCalls;
}

int main(int argc, char **argv)
{
	double (*const kinds[3])(void) = {faults, pairs, calls};
	double best[3] = {1e18, 1e18, 1e18};
	int rounds = argc > 1 ? atoi(argv[1]) : 30;
	for (int round = 0; round < rounds; ++round)
		for (int kind = 0; kind < 3; ++kind) {
			double ns = kinds[kind]();
			if (ns < best[kind])
				best[kind] = ns;
		}
	printf("fault %.2f mmap_munmap %.2f getppid %.2f\n", best[0], best[1], best[2]);
	return 0;
}
