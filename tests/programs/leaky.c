// A small leaking program: keeps RATE KiB every second, and on top of that a sawtooth of
// short-lived memory that rises to SAWTOOTH MiB and is given back every PERIOD seconds. With a
// plateau it only warms up: memory kept approaches PLATEAU MiB with time constant TAU seconds, then
// stays.
//
//   leaky RATE_KIB_PER_S SAWTOOTH_MIB PERIOD_S [BASE_MIB]
//   leaky --warm PLATEAU_MIB TAU_S SAWTOOTH_MIB PERIOD_S
//
// It never ends by itself.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const long kTicksPerSecond = 10;

static void *touched(size_t bytes)
{
	if (bytes == 0)
		return NULL;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		perror("mmap");
		exit(3);
	}
	memset(p, 0x5a, bytes);
	return p;
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	int warm = argc == 6 && strcmp(argv[1], "--warm") == 0;
	if (!warm && argc != 4 && argc != 5) {
		fprintf(stderr, "usage: leaky RATE_KIB_PER_S SAWTOOTH_MIB PERIOD_S [BASE_MIB] | "
				"--warm PLATEAU_MIB TAU_S SAWTOOTH_MIB PERIOD_S\n");
		return 2;
	}
	double rate = warm ? 0 : atof(argv[1]) * 1024;
	double plateau = warm ? atof(argv[2]) * (1 << 20) : 0, tau = warm ? atof(argv[3]) : 1;
	double tooth = atof(argv[warm ? 4 : 2]) * (1 << 20), period = atof(argv[warm ? 5 : 3]);
	double base = !warm && argc == 5 ? atof(argv[4]) * (1 << 20) : 0;
	double start = seconds(), kept = 0, tooth_start = start, tooth_now = 0;
	long tooth_count = 0;
	void *teeth[4096];
	size_t sizes[4096];
	touched((size_t)base);
	for (long tick = 1;; ++tick) {
		double now = seconds();
		double want =
		    warm ? plateau * (1 - exp(-(now - start) / tau)) : rate * (now - start);
		size_t more = want > kept ? (size_t)(want - kept) & ~4095ul : 0;
		touched(more);
		kept += more;
		if (now - tooth_start >= period) {
			while (tooth_count > 0) {
				--tooth_count;
				munmap(teeth[tooth_count], sizes[tooth_count]);
			}
			tooth_start = now;
			tooth_now = 0;
		}
		double tooth_want = tooth * (now - tooth_start) / period;
		size_t add =
		    tooth_want > tooth_now ? (size_t)(tooth_want - tooth_now) & ~4095ul : 0;
		if (add > 0 && tooth_count < 4096) {
			teeth[tooth_count] = touched(add);
			sizes[tooth_count++] = add;
			tooth_now += add;
		}
		usleep(1000000 / kTicksPerSecond);
	}
}
