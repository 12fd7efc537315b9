/* CPU time of this process, for programs that Java is compared with. */
#include <stdint.h>
#include <time.h>

static int64_t cpu_nanos(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
