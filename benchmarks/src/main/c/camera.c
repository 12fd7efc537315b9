/*
 * Cameras of the latency benchmark: GigE Vision devices that stamp each frame's departure.
 *
 *   camera NUMBER WIDTH HEIGHT MB_PER_SECOND LINK_MB_PER_SECOND STAMPS
 *
 * Camera I has the address 10.77.0.(I + 1) and sends Mono8 frames, at a mean rate of MB_PER_SECOND each (0: as fast as it can),
 * each frame's packets at LINK_MB_PER_SECOND (0: at the mean rate). One thread sends for all cameras, always the batch that is
 * due first, and spins before it. With TriggerMode on, each TriggerSoftware sends one frame at once.
 *
 * STAMPS is a file that both ends map: for each camera and each block id four 64-bit times of CLOCK_MONOTONIC in nanoseconds: just
 * before the frame's last batch of packets went to the kernel, just after it, when the software trigger was read, and 0.
 *
 * Prints "ready"; answers each line of its input with a line of what was sent so far; ends with its input.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT 3956
#define MEMORY 0xa000
#define BLOCKS 65536
#define STAMPS_PER_BLOCK 4
#define BATCH 32
#define HEADER 8
#define IP_UDP 28
#define SPIN_NANOS 200000
#define CATCH_UP_NANOS 20000000

/* Bootstrap registers of GigE Vision, then the camera's own. */
enum {
	R_VERSION = 0x0, R_MODE = 0x4, R_MAC_LOW = 0xc, R_IP_OPTIONS = 0x10, R_IP_CURRENT = 0x14, R_ADDRESS = 0x24, R_MASK = 0x34,
	R_MANUFACTURER = 0x48, R_MODEL = 0x68, R_DEVICE_VERSION = 0x88, R_SERIAL = 0xd8, R_FIRST_URL = 0x200, R_INTERFACES = 0x600,
	R_STREAM_CHANNELS = 0x904, R_CAPABILITY = 0x934, R_HEARTBEAT = 0x938, R_TICKS_LOW = 0x940, R_TIMESTAMP_CONTROL = 0x944,
	R_TIMESTAMP_HIGH = 0x948, R_PRIVILEGE = 0xa00, R_HOST_PORT = 0xd00, R_PACKET_SIZE = 0xd04, R_DESTINATION = 0xd18,
	R_SOURCE_PORT = 0xd1c,
	R_WIDTH = 0x9000, R_HEIGHT = 0x9004, R_PIXEL_FORMAT = 0x9008, R_PAYLOAD_SIZE = 0x900c, R_ACQUISITION = 0x9010, R_LOCKED = 0x9014,
	R_TRIGGER_MODE = 0x9018, R_TRIGGER = 0x901c, R_ACQUISITION_MODE = 0x9020, R_TRIGGER_SOURCE = 0x9024, R_TRIGGER_SELECTOR = 0x9028
};

struct camera {
	uint8_t memory[MEMORY];
	int control, stream;
	struct sockaddr_in host;
	atomic_int running;
	uint64_t *stamps, heard, triggered_at, due, next_frame;
	uint32_t block, packet, packets, data;
	int started;
	atomic_uint current, handed; /* block, and how many of its packets the kernel has */
	atomic_ulong frames, sent, resent, failures;
};

struct batch {
	struct mmsghdr messages[BATCH];
	struct iovec parts[BATCH][2];
	uint8_t headers[BATCH][64];
	int count, last;
	size_t bytes;
};

static struct camera *cameras;
static int number;
static double rate, link_rate;
static uint8_t *image;
static uint32_t image_bytes;
static char xml[8192];
static size_t xml_bytes;

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "camera: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, value >> 16);
	put16(at + 2, value);
}

static uint32_t get16(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

static uint32_t get32(const uint8_t *at)
{
	return get16(at) << 16 | get16(at + 2);
}

static void describe(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	xml_bytes += vsnprintf(xml + xml_bytes, sizeof xml - xml_bytes, format, arguments);
	va_end(arguments);
}

static void integer(const char *name, int at, const char *access)
{
	describe("<Integer Name=\"%s\"><pValue>%sRegister</pValue></Integer><IntReg Name=\"%sRegister\"><Address>%d</Address><Length>4"
		 "</Length><AccessMode>%s</AccessMode><pPort>Device</pPort><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>\n",
		 name, name, name, at, access);
}

static void choice(const char *name, int at, const char *first, int first_value, const char *second, int second_value)
{
	describe("<Enumeration Name=\"%s\"><EnumEntry Name=\"%s\"><Value>%d</Value></EnumEntry><EnumEntry Name=\"%s\"><Value>%d</Value>"
		 "</EnumEntry><pValue>%sChoice</pValue></Enumeration>\n", name, first, first_value, second, second_value, name);
	describe("<IntReg Name=\"%sChoice\"><Address>%d</Address><Length>4</Length><AccessMode>RW</AccessMode><pPort>Device</pPort>"
		 "<Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>\n", name, at);
}

static void command(const char *name, int at, int value)
{
	describe("<Command Name=\"%s\"><pValue>%sCommand</pValue><CommandValue>%d</CommandValue></Command>\n", name, name, value);
	describe("<IntReg Name=\"%sCommand\"><Address>%d</Address><Length>4</Length><AccessMode>RW</AccessMode><pPort>Device</pPort>"
		 "<Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>\n", name, at);
}

static void describe_device(void)
{
	describe("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<RegisterDescription ModelName=\"Stamping\" VendorName=\"Peregrine\" "
		 "ToolTip=\"\" StandardNameSpace=\"GEV\" SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\" SchemaSubMinorVersion=\"0\" "
		 "MajorVersion=\"1\" MinorVersion=\"0\" SubMinorVersion=\"0\" ProductGuid=\"0\" VersionGuid=\"0\" "
		 "xmlns=\"http://www.genicam.org/GenApi/Version_1_1\">\n<Category Name=\"Root\">");
	const char *features[] = {"Width", "Height", "PixelFormat", "PayloadSize", "AcquisitionMode", "AcquisitionStart",
				  "AcquisitionStop", "TLParamsLocked", "TriggerSelector", "TriggerMode", "TriggerSource",
				  "TriggerSoftware", "GevSCPSPacketSize"};
	for (size_t i = 0; i < sizeof features / sizeof *features; i++)
		describe("<pFeature>%s</pFeature>", features[i]);
	describe("</Category>\n");
	integer("Width", R_WIDTH, "RO");
	integer("Height", R_HEIGHT, "RO");
	integer("PayloadSize", R_PAYLOAD_SIZE, "RO");
	integer("TLParamsLocked", R_LOCKED, "RW");
	choice("PixelFormat", R_PIXEL_FORMAT, "Mono8", 0x01080001, "Mono16", 0x01100007);
	choice("AcquisitionMode", R_ACQUISITION_MODE, "SingleFrame", 0, "Continuous", 1);
	choice("TriggerSelector", R_TRIGGER_SELECTOR, "FrameStart", 0, "LineStart", 1);
	choice("TriggerMode", R_TRIGGER_MODE, "Off", 0, "On", 1);
	choice("TriggerSource", R_TRIGGER_SOURCE, "Software", 0, "Line0", 1);
	command("AcquisitionStart", R_ACQUISITION, 1);
	command("AcquisitionStop", R_ACQUISITION, 0);
	command("TriggerSoftware", R_TRIGGER, 1);
	describe("<Integer Name=\"GevSCPSPacketSize\"><pValue>PacketSizeField</pValue><Min>576</Min><Max>16384</Max><Inc>4</Inc></Integer>"
		 "<MaskedIntReg Name=\"PacketSizeField\"><Address>%d</Address><Length>4</Length><AccessMode>RW</AccessMode><pPort>Device"
		 "</pPort><LSB>31</LSB><MSB>16</MSB><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></MaskedIntReg>\n", R_PACKET_SIZE);
	describe("<Port Name=\"Device\"/>\n</RegisterDescription>\n");
	if (xml_bytes >= sizeof xml)
		exit(1);
}

static uint32_t packet_size(struct camera *c)
{
	return get16(c->memory + R_PACKET_SIZE + 2);
}

/* Header of a packet, with what leader and trailer hold; returns its bytes. */
static int header(struct camera *c, uint8_t *at, uint32_t block, uint32_t packet, uint32_t packets)
{
	int format = packet == 0 ? 1 : packet == packets - 1 ? 2 : 3;
	memset(at, 0, 64);
	put16(at + 2, block);
	put32(at + 4, packet);
	at[4] = format;
	if (format == 3)
		return HEADER;
	put16(at + HEADER + 2, 1);
	if (format == 2) {
		put32(at + HEADER + 4, get32(c->memory + R_HEIGHT));
		return HEADER + 8;
	}
	uint64_t time = now();
	put32(at + HEADER + 4, time >> 32);
	put32(at + HEADER + 8, time);
	put32(at + HEADER + 12, get32(c->memory + R_PIXEL_FORMAT));
	put32(at + HEADER + 16, get32(c->memory + R_WIDTH));
	put32(at + HEADER + 20, get32(c->memory + R_HEIGHT));
	return HEADER + 36;
}

static struct iovec payload(struct camera *c, uint32_t packet, uint32_t packets)
{
	uint32_t data = c->data, at = packet == 0 || packet == packets - 1 ? image_bytes : (packet - 1) * data;
	return (struct iovec){image + at, image_bytes - at < data ? image_bytes - at : data};
}

static void begin_frame(struct camera *c)
{
	c->block = c->block % 65535 + 1;
	c->packet = 0;
}

static void begin_stream(struct camera *c)
{
	c->host = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(get16(c->memory + R_HOST_PORT + 2))};
	memcpy(&c->host.sin_addr, c->memory + R_DESTINATION, 4);
	c->data = packet_size(c) - IP_UDP - HEADER;
	c->packets = (image_bytes + c->data - 1) / c->data + 2;
	c->block = 0;
	begin_frame(c);
	c->due = c->next_frame = now();
}

static void fill(struct camera *c, struct batch *b)
{
	b->count = 0;
	b->bytes = 0;
	while (b->count < BATCH && c->packet < c->packets) {
		struct iovec *parts = b->parts[b->count];
		parts[0] = (struct iovec){b->headers[b->count], header(c, b->headers[b->count], c->block, c->packet, c->packets)};
		parts[1] = payload(c, c->packet, c->packets);
		b->messages[b->count].msg_hdr = (struct msghdr){
			.msg_name = &c->host, .msg_namelen = sizeof c->host, .msg_iov = parts, .msg_iovlen = parts[1].iov_len ? 2 : 1};
		b->bytes += parts[1].iov_len;
		b->count++;
		c->packet++;
	}
	b->last = c->packet == c->packets;
}

static void send_batch(struct camera *c, struct batch *b)
{
	volatile uint64_t *stamps = c->stamps + (size_t)c->block * STAMPS_PER_BLOCK;
	if (c->current != c->block)
		c->handed = 0;
	c->current = c->block;
	if (b->last) {
		stamps[2] = c->triggered_at;
		stamps[0] = now();
	}
	for (int k = 0; k < b->count;) {
		int sent = sendmmsg(c->stream, b->messages + k, b->count - k, 0);
		if (sent > 0) {
			k += sent;
		} else {
			c->failures++;
			k += errno != ENOBUFS && errno != EAGAIN && errno != EINTR;
		}
	}
	c->sent += b->count;
	c->handed += b->count;
	if (b->last) {
		stamps[1] = now();
		c->frames++;
	}
}

static void *send_all(void *unused)
{
	static struct batch batch;
	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		struct camera *next = NULL;
		for (struct camera *c = cameras; c < cameras + number; c++) {
			if (!c->running || get32(c->memory + R_TRIGGER_MODE)) {
				c->started = 0;
				continue;
			}
			if (!c->started)
				begin_stream(c);
			c->started = 1;
			next = !next || c->due < next->due ? c : next;
		}
		uint64_t time = now();
		if (!next || (next->due > time && next->due - time > 1000000)) {
			nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
			continue;
		}
		if (next->due > time + SPIN_NANOS)
			nanosleep(&(struct timespec){.tv_nsec = next->due - time - SPIN_NANOS}, NULL);
		fill(next, &batch);
		while (now() < next->due)
			;
		time = now();
		if (next->due + CATCH_UP_NANOS < time)
			next->due = next->next_frame = time;
		send_batch(next, &batch);
		next->due += link_rate > 0 ? batch.bytes * 1e3 / link_rate : 0;
		if (batch.last) {
			begin_frame(next);
			next->next_frame += rate > 0 ? image_bytes * 1e3 / rate : 0;
			next->due = next->next_frame > next->due ? next->next_frame : next->due;
		}
	}
	return unused;
}

static void send_triggered(struct camera *c)
{
	static struct batch batch;
	do {
		fill(c, &batch);
		send_batch(c, &batch);
	} while (!batch.last);
	begin_frame(c);
}

static void resend(struct camera *c, uint32_t block, uint32_t first, uint32_t last)
{
	uint8_t start[64];
	if (block == c->current && c->handed == 0)
		return;
	/* What was not sent yet comes anyway. */
	if (block == c->current && last >= c->handed)
		last = c->handed - 1;
	for (uint32_t p = first; p <= last && p < c->packets; p++) {
		struct iovec parts[2] = {{start, header(c, start, block, p, c->packets)}, payload(c, p, c->packets)};
		struct msghdr message = {.msg_name = &c->host, .msg_namelen = sizeof c->host, .msg_iov = parts, .msg_iovlen = 2};
		sendmsg(c->stream, &message, 0);
		c->resent++;
	}
}

static void test_packet(struct camera *c)
{
	static uint8_t zeros[65536];
	struct sockaddr_in host = {.sin_family = AF_INET, .sin_port = htons(get16(c->memory + R_HOST_PORT + 2))};
	memcpy(&host.sin_addr, c->memory + R_DESTINATION, 4);
	sendto(c->stream, zeros, packet_size(c) - IP_UDP, 0, (void *)&host, sizeof host);
}

static void write_register(struct camera *c, uint32_t at, uint32_t value)
{
	if (at + 4 > MEMORY)
		return;
	put32(c->memory + at, at == R_PACKET_SIZE ? value & 0x7fffffff : value);
	if (at == R_TIMESTAMP_CONTROL && value & 2) {
		uint64_t time = now();
		put32(c->memory + R_TIMESTAMP_HIGH, time >> 32);
		put32(c->memory + R_TIMESTAMP_HIGH + 4, time);
	}
	if (at == R_ACQUISITION) {
		if (value && get32(c->memory + R_TRIGGER_MODE))
			begin_stream(c);
		c->running = value;
	}
	if (at == R_PRIVILEGE && !value)
		c->running = 0;
}

static void read_memory(struct camera *c, uint32_t at, uint32_t bytes, uint8_t *out)
{
	for (uint32_t i = 0; i < bytes; i++, at++)
		out[i] = at < MEMORY ? c->memory[at] : at - MEMORY < xml_bytes ? xml[at - MEMORY] : 0;
}

/* One GVCP command. */
static void answer(struct camera *c)
{
	uint8_t in[1024], out[1024] = {0};
	struct sockaddr_in from;
	socklen_t from_bytes = sizeof from;
	ssize_t got = recvfrom(c->control, in, sizeof in, 0, (void *)&from, &from_bytes);
	if (got < 8 || in[0] != 0x42)
		return;
	c->heard = now();
	uint32_t code = get16(in + 2), length = get16(in + 4), bytes = 0, status = 0, first = length >= 4 ? get32(in + 8) : 0;
	int tests = 0, triggers = 0;
	if (length + 8 > got)
		return;
	switch (code) {
	case 0x2: /* discovery */
		bytes = 0xf8;
		memcpy(out + 8, c->memory, bytes);
		break;
	case 0x40: /* packet resend */
		if (length >= 12)
			resend(c, get16(in + 10), get32(in + 12) & 0xffffff, get32(in + 16) & 0xffffff);
		return;
	case 0x80: /* read registers */
		for (uint32_t i = 0; i + 4 <= length; i += 4, bytes += 4)
			read_memory(c, get32(in + 8 + i), 4, out + 8 + i);
		break;
	case 0x82: /* write registers */
		for (uint32_t i = 0; i + 8 <= length; i += 8) {
			uint32_t at = get32(in + 8 + i), value = get32(in + 12 + i);
			write_register(c, at, value);
			tests += at == R_PACKET_SIZE && value >> 31;
			triggers += at == R_TRIGGER && value;
		}
		put16(out + 10, length / 8);
		bytes = 4;
		break;
	case 0x84: /* read memory */
		bytes = 4 + (length >= 8 ? get16(in + 14) : 0);
		if (bytes > sizeof out - 8)
			return;
		put32(out + 8, first);
		read_memory(c, first, bytes - 4, out + 12);
		break;
	case 0x86: /* write memory */
		for (uint32_t i = 4; i + 4 <= length; i += 4) {
			uint32_t at = first + i - 4, value = get32(in + 8 + i);
			write_register(c, at, value);
			tests += at == R_PACKET_SIZE && value >> 31;
			triggers += at == R_TRIGGER && value;
		}
		put16(out + 10, length - 4);
		bytes = 4;
		break;
	default:
		status = 0x8001;
	}
	if (code == 0x2 || in[1] & 1) {
		put16(out, status);
		put16(out + 2, code + 1);
		put16(out + 4, bytes);
		memcpy(out + 6, in + 6, 2);
		sendto(c->control, out, 8 + bytes, 0, (void *)&from, from_bytes);
	}
	if (tests)
		test_packet(c);
	if (triggers && c->running && get32(c->memory + R_TRIGGER_MODE)) {
		c->triggered_at = c->heard;
		send_triggered(c);
	}
}

static void *control_all(void *unused)
{
	struct pollfd sockets[number];
	for (;;) {
		for (int i = 0; i < number; i++)
			sockets[i] = (struct pollfd){.fd = cameras[i].control, .events = POLLIN};
		poll(sockets, number, 200);
		for (int i = 0; i < number; i++) {
			struct camera *c = cameras + i;
			if (sockets[i].revents)
				answer(c);
			else if (get32(c->memory + R_PRIVILEGE) && now() - c->heard > get32(c->memory + R_HEARTBEAT) * 1000000ull)
				write_register(c, R_PRIVILEGE, 0);
		}
	}
	return unused;
}

static int bound(struct in_addr address, int port)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0), buffer = 4 << 20;
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = address};
	if (setsockopt(s, SOL_SOCKET, SO_SNDBUFFORCE, &buffer, sizeof buffer) || bind(s, (void *)&at, sizeof at))
		fail("socket");
	return s;
}

static void set_up(struct camera *c, int index, int width, int height)
{
	char text[32];
	struct in_addr address;
	snprintf(text, sizeof text, "10.77.0.%d", index + 1);
	inet_pton(AF_INET, text, &address);
	c->control = bound(address, PORT);
	c->stream = bound(address, 0);
	struct sockaddr_in own;
	socklen_t own_bytes = sizeof own;
	getsockname(c->stream, (void *)&own, &own_bytes);
	uint8_t *m = c->memory;
	put32(m + R_VERSION, 0x00010002);
	put32(m + R_MODE, 0x80000001); /* big endian, UTF-8 */
	put32(m + R_MAC_LOW, 0x02000001 + index);
	put32(m + R_IP_OPTIONS, 4);
	put32(m + R_IP_CURRENT, 4);
	memcpy(m + R_ADDRESS, &address, 4);
	put32(m + R_MASK, 0xffffff00);
	strcpy((char *)m + R_MANUFACTURER, "Peregrine");
	strcpy((char *)m + R_MODEL, "Stamping");
	strcpy((char *)m + R_DEVICE_VERSION, "1");
	snprintf((char *)m + R_SERIAL, 16, "STAMP%d", index);
	snprintf((char *)m + R_FIRST_URL, 512, "Local:stamping.xml;%x;%zx", MEMORY, xml_bytes);
	put32(m + R_INTERFACES, 1);
	put32(m + R_STREAM_CHANNELS, 1);
	put32(m + R_CAPABILITY, 7); /* several registers at once, write memory, packet resend */
	put32(m + R_HEARTBEAT, 3000);
	put32(m + R_TICKS_LOW, 1000000000);
	put32(m + R_PACKET_SIZE, 1500);
	put32(m + R_SOURCE_PORT, ntohs(own.sin_port));
	put32(m + R_WIDTH, width);
	put32(m + R_HEIGHT, height);
	put32(m + R_PAYLOAD_SIZE, image_bytes);
	put32(m + R_PIXEL_FORMAT, 0x01080001);
	put32(m + R_ACQUISITION_MODE, 1);
}

int main(int argc, char **argv)
{
	if (argc != 7)
		return 2;
	number = atoi(argv[1]);
	int width = atoi(argv[2]), height = atoi(argv[3]);
	rate = atof(argv[4]);
	link_rate = atof(argv[5]) > 0 ? atof(argv[5]) : rate;
	image_bytes = width * height;
	image = malloc(image_bytes);
	for (uint32_t i = 0; i < image_bytes; i++)
		image[i] = i % width + i / width;
	describe_device();
	int file = open(argv[6], O_RDWR | O_CREAT | O_TRUNC, 0644);
	size_t each = (size_t)BLOCKS * STAMPS_PER_BLOCK * sizeof(uint64_t);
	if (file < 0 || ftruncate(file, number * each))
		fail(argv[6]);
	uint8_t *stamps = mmap(NULL, number * each, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (stamps == MAP_FAILED)
		fail(argv[6]);
	memset(stamps, 0, number * each);
	cameras = calloc(number, sizeof *cameras);
	for (int i = 0; i < number; i++) {
		cameras[i].stamps = (uint64_t *)(stamps + i * each);
		set_up(cameras + i, i, width, height);
	}
	pthread_t control, sender;
	if (pthread_create(&control, NULL, control_all, NULL) || pthread_create(&sender, NULL, send_all, NULL))
		fail("threads");
	printf("ready\n");
	fflush(stdout);
	char line[16];
	while (fgets(line, sizeof line, stdin)) {
		unsigned long frames = 0, sent = 0, resent = 0, failures = 0;
		for (int i = 0; i < number; i++) {
			frames += cameras[i].frames;
			sent += cameras[i].sent;
			resent += cameras[i].resent;
			failures += cameras[i].failures;
		}
		printf("blocks=%lu packets=%lu resent=%lu failures=%lu\n", frames, sent, resent, failures);
		fflush(stdout);
	}
	return 0;
}
