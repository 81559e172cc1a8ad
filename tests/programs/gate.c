// Waits for one byte on standard input, then becomes the command: whoever starts it puts it into
// its cgroup first.
//   gate CMD...
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char go;
	if (argc < 2 || read(0, &go, 1) != 1)
		return 2;
	execv(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
