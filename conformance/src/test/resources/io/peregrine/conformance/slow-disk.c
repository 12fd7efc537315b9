/* A disk that takes SLOW_DISK_BYTES a second, as a program sees it: preloaded, it delays what the program writes at positions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
    long long nanos = count * 1000000000LL / atoll(getenv("SLOW_DISK_BYTES"));
    struct timespec wait = {nanos / 1000000000LL, nanos % 1000000000LL};
    nanosleep(&wait, NULL);
    return real(file, bytes, count, at);
}
