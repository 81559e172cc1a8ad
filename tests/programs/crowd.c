// COUNT processes that do nothing, in the cgroup of the first; they end with it.
//   crowd COUNT
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pid_t first = getpid();
	for (int i = 1; i < count; ++i)
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != first)
				_exit(0);
			break;
		}
	for (;;)
		pause();
}
