// Touches so much memory of one class, says "ready" and keeps it until it is ended.
//   hold anon MIB | hold shmem MIB | hold file MIB PATH
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int touch_mapping(size_t bytes, int flags)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
	for (size_t at = 0; at < bytes; at += 4096)
		memory[at] = 1;
	return 0;
}

static int write_file(size_t bytes, const char *path)
{
	static char block[65536];
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	if (fd < 0)
		return -1;
	for (size_t done = 0; done < bytes; done += sizeof block) {
		if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
			return -1;
	}
	return close(fd);
}

int main(int argc, char **argv)
{
	if (argc < 3 || (strcmp(argv[1], "file") == 0 && argc < 4)) {
		fprintf(stderr, "usage: hold anon|shmem MIB | hold file MIB PATH\n");
		return 2;
	}
	size_t bytes = strtoul(argv[2], NULL, 10) << 20;
	int failed;
	if (strcmp(argv[1], "anon") == 0) {
		failed = touch_mapping(bytes, MAP_PRIVATE);
	} else if (strcmp(argv[1], "shmem") == 0) {
		failed = touch_mapping(bytes, MAP_SHARED);
	} else {
		failed = write_file(bytes, argv[3]);
	}
	if (failed) {
		perror("hold");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
