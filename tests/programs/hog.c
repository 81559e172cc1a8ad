// Touches private memory at a rate until the kernel ends it. With `child`, a child does that: the
// parent keeps 1 MiB, says what became of the child and stays.
//   hog MIB_PER_S [child]
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kStep = 256 << 10 };

static void touch_step(void)
{
	char *memory =
	    mmap(NULL, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(1);
	memset(memory, 1, kStep);
}

static void grow(unsigned mib_per_s)
{
	for (;;) {
		touch_step();
		usleep(1000000 / 4 / mib_per_s);
	}
}

int main(int argc, char **argv)
{
	unsigned mib_per_s = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	if (mib_per_s == 0) {
		fprintf(stderr, "usage: hog MIB_PER_S [child]\n");
		return 2;
	}
	if (argc < 3)
		grow(mib_per_s);
	for (int i = 0; i < 4; i++)
		touch_step();
	pid_t child = fork();
	if (child == 0)
		grow(mib_per_s);
	printf("child %d\n", child);
	fflush(stdout);
	int status = 0;
	waitpid(child, &status, 0);
	printf("child ended by signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	fflush(stdout);
	pause();
	return 0;
}
