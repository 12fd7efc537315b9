/*
 * Frames by UDP with nothing else in between: what the system itself takes for packets. One copy into the kernel, one out of it.
 *
 *   plain-udp send ADDRESS PORT BYTES DATA BATCH                   to the one that reports to ADDRESS
 *   plain-udp send ADDRESS PORT BYTES DATA BATCH GROUP CONSUMERS   to a multicast group, when so many report
 *   plain-udp receive ADDRESS PORT BYTES DATA BATCH [GROUP INTERFACE]
 *
 * DATA bytes of a frame are in each packet, after a header of 32. BATCH packets go with one system call: 1 is sendmsg and recvmsg,
 * more are sendmmsg and recvmmsg; 0 is as many as the system cuts and joins (UDP_SEGMENT, UDP_GRO). A receiver reports how far it is
 * after each quarter of the window of 1 MiB, the sender waits for the slowest, so that nothing is lost; what is lost all the same makes
 * a frame bad. For each line of input it prints its figures since the line before.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "cpu.h"

#define WINDOW (1 << 20)
#define PAGE 1024
#define PAGE_SHIFT 40
#define HEADER 32
#define MAX_BATCH 64
#define MAX_RUN 65507
#define FRAMES 10
#define MAX_TIMES 65536
#define MAX_CONSUMERS 8

static uint32_t bytes, data, batch;
/* Whether all packets of a batch are one message, which the system cuts. */
static int runs;
static int s;
/* Where frames go to, and who reported how far it is. */
static int out;
static uint32_t consumers, reporting;
static struct sockaddr_in sender, reporters[MAX_CONSUMERS];
static uint64_t reports[MAX_CONSUMERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t frames, bad, times[MAX_TIMES];
static uint32_t timed;

static void fail(const char *what)
{
	fprintf(stderr, "plain-udp: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static uint64_t *at(uint8_t *frame, uint32_t offset)
{
	return (uint64_t *)(frame + offset);
}

static void count(int good, uint64_t made)
{
	pthread_mutex_lock(&lock);
	frames += good;
	bad += !good;
	if (good && made && timed < MAX_TIMES)
		times[timed++] = now() - made;
	pthread_mutex_unlock(&lock);
}

static uint32_t length(uint32_t offset)
{
	return bytes - offset < data ? bytes - offset : data;
}

/* Takes a report; 0 if there is none. */
static int take_report(int flags)
{
	struct sockaddr_in from;
	socklen_t from_bytes = sizeof from;
	uint64_t position;
	uint32_t k = 0;
	if (recvfrom(s, &position, sizeof position, flags, (void *)&from, &from_bytes) != sizeof position)
		return 0;
	while (k < reporting && reporters[k].sin_addr.s_addr != from.sin_addr.s_addr)
		k++;
	if (k == reporting && reporting < consumers)
		reporters[reporting++] = from;
	if (k < reporting && position > reports[k])
		reports[k] = position;
	return 1;
}

static uint64_t slowest(void)
{
	uint64_t least = reports[0];
	for (uint32_t k = 1; k < reporting; k++)
		least = reports[k] < least ? reports[k] : least;
	return least;
}

/* Waits until the slowest receiver is so far that there is room in the window. */
static void await(uint64_t sent)
{
	while (take_report(sent - slowest() >= WINDOW ? 0 : MSG_DONTWAIT) || sent - slowest() >= WINDOW)
		;
}

static void report(uint64_t position)
{
	sendto(s, &position, sizeof position, 0, (void *)&sender, sizeof sender);
}

static void *send_all(void *unused)
{
	static uint64_t headers[MAX_BATCH][HEADER / 8];
	struct iovec parts[MAX_BATCH][2];
	struct mmsghdr messages[MAX_BATCH];
	uint64_t sent = 0;
	uint8_t *frame = aligned_alloc(4096, (bytes + 4095) & ~4095u);
	while (reporting < consumers)
		take_report(0);
	if (out == s && connect(s, (void *)&reporters[0], sizeof reporters[0]))
		fail("receiver");
	for (uint64_t number = 1;; number++) {
		for (uint64_t page = 0; page < bytes / PAGE; page++)
			*at(frame, page * PAGE) = number ^ page << PAGE_SHIFT;
		*at(frame, 8) = now();
		for (uint32_t offset = 0; offset < bytes;) {
			uint32_t many = 0;
			for (; many < batch && offset < bytes; many++, offset += length(offset)) {
				headers[many][0] = number;
				headers[many][1] = offset;
				parts[many][0] = (struct iovec){headers[many], HEADER};
				parts[many][1] = (struct iovec){frame + offset, length(offset)};
				messages[many].msg_hdr = (struct msghdr){.msg_iov = parts[many], .msg_iovlen = 2};
				sent += length(offset);
			}
			struct msghdr run = {.msg_iov = parts[0], .msg_iovlen = 2 * many};
			while (runs && sendmsg(out, &run, 0) < 0)
				;
			for (uint32_t k = runs ? many : 0; k < many;) {
				int done = batch == 1 ? sendmsg(out, &messages[k].msg_hdr, 0) > 0 : sendmmsg(out, messages + k, many - k, 0);
				k += done > 0 ? done : 0;
			}
			await(sent);
		}
		count(1, 0);
	}
	return unused;
}

static int whole(uint8_t *frame)
{
	uint64_t number = *at(frame, 0);
	for (uint64_t page = 0; page < bytes / PAGE; page++)
		if (*at(frame, page * PAGE) != (number ^ page << PAGE_SHIFT))
			return 0;
	return 1;
}

static void *receive_all(void *unused)
{
	static uint64_t headers[MAX_BATCH][HEADER / 8];
	struct iovec parts[MAX_BATCH][2];
	struct mmsghdr messages[MAX_BATCH];
	uint8_t *memory[FRAMES];
	uint64_t position = 0, reported = 0, number = 1, missing = 0;
	uint32_t expected = 0;
	for (int i = 0; i < FRAMES; i++)
		memory[i] = aligned_alloc(4096, (bytes + 4095) & ~4095u);
	for (struct pollfd ready = {s, POLLIN, 0}; poll(&ready, 1, 200) <= 0;)
		report(0);
	for (;;) {
		/* Each packet goes to its place, as long as none is lost: batches end with a frame. */
		uint8_t *frame = memory[number % FRAMES];
		uint32_t many = 0;
		for (uint32_t offset = expected; many < batch && offset < bytes; many++, offset += length(offset)) {
			parts[many][0] = (struct iovec){headers[many], HEADER};
			parts[many][1] = (struct iovec){frame + offset, length(offset)};
			messages[many].msg_hdr = (struct msghdr){.msg_iov = parts[many], .msg_iovlen = 2};
		}
		struct msghdr run = {.msg_iov = parts[0], .msg_iovlen = 2 * many};
		int got = runs	       ? (recvmsg(s, &run, 0) + (int)(HEADER + data) - 1) / (int)(HEADER + data)
			  : batch == 1 ? (recvmsg(s, &messages[0].msg_hdr, 0) > 0)
				       : recvmmsg(s, messages, many, MSG_WAITFORONE, NULL);
		for (int k = 0; k < got; k++) {
			if (headers[k][0] != number || headers[k][1] != expected) {
				/* The rest of this frame and of the batch does not matter: begin with the next frame. */
				missing = 1;
				number = headers[k][0];
				expected = headers[k][1];
			}
			position = (number - 1) * (uint64_t)bytes + expected + length(expected);
			expected += length(expected);
			if (expected == bytes) {
				count(!missing && whole(frame), *at(frame, 8));
				missing = 0;
				expected = 0;
				number++;
			}
		}
		if (position - reported >= WINDOW / 4) {
			reported = position;
			report(position);
		}
	}
	return unused;
}

static int by_size(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return one < other ? -1 : one > other;
}

static int udp(int buffer)
{
	int made = socket(AF_INET, SOCK_DGRAM, 0);
	setsockopt(made, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
	setsockopt(made, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
	return made;
}

int main(int argc, char **argv)
{
	if (argc != 7 && argc != 9)
		return 2;
	int sending = !strcmp(argv[1], "send"), buffer = 4 << 20;
	struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[3]))};
	sender = group;
	inet_pton(AF_INET, argv[2], &sender.sin_addr);
	bytes = atoi(argv[4]);
	data = atoi(argv[5]);
	batch = atoi(argv[6]) > MAX_BATCH ? MAX_BATCH : atoi(argv[6]);
	runs = !batch;
	if (runs)
		batch = MAX_RUN / (HEADER + data) > MAX_BATCH ? MAX_BATCH : MAX_RUN / (HEADER + data);
	consumers = 1;
	out = s = udp(buffer);
	if (argc == 7) {
		if (sending ? bind(s, (void *)&sender, sizeof sender) : connect(s, (void *)&sender, sizeof sender))
			fail("socket");
	} else if (sending) {
		uint8_t loop = 0;
		out = udp(buffer);
		consumers = atoi(argv[8]) > MAX_CONSUMERS ? MAX_CONSUMERS : atoi(argv[8]);
		inet_pton(AF_INET, argv[7], &group.sin_addr);
		if (bind(s, (void *)&sender, sizeof sender) || setsockopt(out, IPPROTO_IP, IP_MULTICAST_IF, &sender.sin_addr, 4) ||
		    setsockopt(out, IPPROTO_IP, IP_MULTICAST_LOOP, &loop, 1) || connect(out, (void *)&group, sizeof group))
			fail("group");
	} else {
		struct ip_mreq join;
		inet_pton(AF_INET, argv[7], &join.imr_multiaddr);
		inet_pton(AF_INET, argv[8], &join.imr_interface);
		if (bind(s, (void *)&group, sizeof group) || setsockopt(s, IPPROTO_IP, IP_ADD_MEMBERSHIP, &join, sizeof join))
			fail("group");
	}
	int cut = HEADER + data, join = 1;
	if (runs && (setsockopt(out, IPPROTO_UDP, UDP_SEGMENT, &cut, sizeof cut) || setsockopt(s, IPPROTO_UDP, UDP_GRO, &join, sizeof join)))
		fail("runs");
	pthread_t thread;
	if (pthread_create(&thread, NULL, sending ? send_all : receive_all, NULL))
		fail("thread");
	uint64_t since = now(), frames_before = 0, bad_before = 0;
	int64_t cpu = 0;
	char line[16];
	while (fgets(line, sizeof line, stdin)) {
		pthread_mutex_lock(&lock);
		uint64_t time = now(), good = frames, wrong = bad, last = timed ? timed - 1 : 0;
		int64_t spent = cpu_nanos();
		qsort(times, timed, sizeof *times, by_size);
		printf("seconds=%.3f frames=%lu bad=%lu lost=0 cpu=%.3f p50=%lu p999=%lu\n", (time - since) / 1e9, good - frames_before,
		       wrong - bad_before, (spent - cpu) / 1e9, times[timed / 2] / 1000, times[last - last / 1000] / 1000);
		fflush(stdout);
		timed = 0;
		pthread_mutex_unlock(&lock);
		frames_before = good;
		bad_before = wrong;
		cpu = spent;
		since = time;
	}
	return 0;
}
