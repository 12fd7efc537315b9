/*
 * Copies as CopyMain does, with memcpy. Reads the data bytes of a packet from each line, and prints the CPU nanoseconds that
 * copying took.
 *
 *   copy RING_BYTES FRAMES_BYTES HEAD_BYTES COPIED_BYTES
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	size_t ring_bytes = atoll(argv[1]), frames_bytes = atoll(argv[2]), head = atoll(argv[3]), all = atoll(argv[4]);
	char *ring = malloc(ring_bytes), *frames = malloc(frames_bytes), line[32];
	if (!ring || !frames)
		return 1;
	memset(ring, 1, ring_bytes);
	memset(frames, 2, frames_bytes);
	size_t from = 0, to = 0;
	while (fgets(line, sizeof line, stdin)) {
		size_t data = atoll(line);
		int64_t start = cpu_nanos();
		for (size_t copied = 0; copied < all; copied += data) {
			if (from + head + data > ring_bytes)
				from = 0;
			if (to + data > frames_bytes)
				to = 0;
			memcpy(frames + to, ring + from + head, data);
			from += head + data;
			to += data;
		}
		printf("%lld\n", (long long)(cpu_nanos() - start));
		fflush(stdout);
	}
	return frames[frames_bytes / 2] == 0;
}
