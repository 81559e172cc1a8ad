// Does one known thing to its address space for each line it is told, then says how it stands:
// `PID VMDATA_KIB`, after the operation. Nothing else of it moves: no stdio, no malloc.
//
//   nop | mmap PAGES | hint PAGES | fixed PAGES | munmap | brk PAGES | mremap PAGES
//   unprotect PAGES | protect PAGES | repeat TIMES | touch PAGES | open COUNT | threads COUNT
//   fork (the child takes over, the parent waits for its end) | exec | exit CODE
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t kReservePages = 4096;
static const int kReadWrite = PROT_READ | PROT_WRITE;
static const int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;

static size_t page;
static char *reserve; // mapped without rights: no data until unprotected or mapped over
static char *last;    // the newest mapping
static size_t last_bytes;

static void check(int right)
{
	if (!right)
		_exit(99);
}

static void *map_at(void *where, size_t bytes, int flags)
{
	void *got = mmap(where, bytes, kReadWrite, kPrivate | flags, -1, 0);
	check(got != MAP_FAILED);
	return got;
}

static void remember(void *mapping, size_t bytes)
{
	last = mapping;
	last_bytes = bytes;
}

// Free on both sides, so that a mapping there never grows into another one's neighbour.
static void *free_place(size_t bytes)
{
	char *place = mmap(NULL, bytes + 2 * page, PROT_NONE, kPrivate, -1, 0);
	check(place != MAP_FAILED);
	check(munmap(place, bytes + 2 * page) == 0);
	return place + page;
}

static void grow_break(long pages)
{
	char *now = (char *)syscall(SYS_brk, 0);
	char *want = now + pages * (long)page;
	check((char *)syscall(SYS_brk, want) == want);
}

static void grow_last(long pages)
{
	size_t bytes = last_bytes + pages * page;
	void *moved = mremap(last, last_bytes, bytes, MREMAP_MAYMOVE);
	check(moved != MAP_FAILED);
	remember(moved, bytes);
}

static void touch(size_t bytes)
{
	char *fresh = map_at(NULL, bytes, 0);
	for (size_t at = 0; at < bytes; at += page)
		fresh[at] = 1;
}

static void map_and_unmap(long times)
{
	for (long i = 0; i < times; i++)
		check(munmap(map_at(NULL, 8 * page, 0), 8 * page) == 0);
}

static void open_files(long count)
{
	for (long i = 0; i < count; i++)
		check(open("/dev/null", O_RDONLY) >= 0);
}

static void *wait_forever(void *unused)
{
	pause();
	return unused;
}

static void start_threads(long count)
{
	pthread_t thread;
	for (long i = 0; i < count; i++)
		check(pthread_create(&thread, NULL, wait_forever, NULL) == 0);
}

static void hand_over_to_child(void)
{
	pid_t child = fork();
	check(child >= 0);
	if (child > 0)
		check(waitpid(child, NULL, 0) == child);
}

static void start_anew(void)
{
	char *arguments[] = {"vmops", NULL};
	execv("/proc/self/exe", arguments);
	check(0);
}

static void operate(const char *word, long number)
{
	size_t bytes = number * page;

	if (!strcmp(word, "mmap"))
		remember(map_at(NULL, bytes, 0), bytes);
	else if (!strcmp(word, "hint"))
		remember(map_at(free_place(bytes), bytes, 0), bytes);
	else if (!strcmp(word, "fixed"))
		map_at(reserve + kReservePages / 2 * page, bytes, MAP_FIXED);
	else if (!strcmp(word, "munmap"))
		check(munmap(last, last_bytes) == 0);
	else if (!strcmp(word, "brk"))
		grow_break(number);
	else if (!strcmp(word, "mremap"))
		grow_last(number);
	else if (!strcmp(word, "unprotect"))
		check(mprotect(reserve, bytes, kReadWrite) == 0);
	else if (!strcmp(word, "protect"))
		check(mprotect(reserve, bytes, PROT_NONE) == 0);
	else if (!strcmp(word, "repeat"))
		map_and_unmap(number);
	else if (!strcmp(word, "touch"))
		touch(bytes);
	else if (!strcmp(word, "open"))
		open_files(number);
	else if (!strcmp(word, "threads"))
		start_threads(number);
	else if (!strcmp(word, "fork"))
		hand_over_to_child();
	else if (!strcmp(word, "exec"))
		start_anew();
	else if (!strcmp(word, "exit"))
		_exit(number);
	else
		check(!strcmp(word, "nop"));
}

static long data_kib(void)
{
	static char text[8192];
	int fd = open("/proc/self/status", O_RDONLY);
	ssize_t length = read(fd, text, sizeof(text) - 1);
	check(length > 0);
	close(fd);
	text[length] = 0;
	char *line = strstr(text, "VmData:");
	check(line != NULL);
	return strtol(line + 7, NULL, 10);
}

static char *put_number(char *at, long number)
{
	char digits[24];
	int count = 0;
	do
		digits[count++] = '0' + number % 10;
	while (number /= 10);
	while (count)
		*at++ = digits[--count];
	return at;
}

static void say_how_it_stands(void)
{
	char line[64], *at = put_number(line, getpid());
	*at++ = ' ';
	at = put_number(at, data_kib());
	*at++ = '\n';
	check(write(1, line, at - line) == at - line);
}

// A byte at a time: what belongs to the next reader of standard input stays there.
static int read_line(char *line, size_t size)
{
	for (size_t i = 0; i + 1 < size; i++) {
		if (read(0, line + i, 1) != 1)
			return 0;
		if (line[i] == '\n') {
			line[i] = 0;
			return 1;
		}
	}
	return 0;
}

int main(void)
{
	char line[64];
	page = sysconf(_SC_PAGESIZE);
	reserve = mmap(NULL, kReservePages * page, PROT_NONE, kPrivate, -1, 0);
	check(reserve != MAP_FAILED);
	say_how_it_stands();
	while (read_line(line, sizeof(line))) {
		char *number = strchr(line, ' ');
		if (number)
			*number++ = 0;
		operate(line, number ? strtol(number, NULL, 10) : 0);
		say_how_it_stands();
	}
	return 0;
}
