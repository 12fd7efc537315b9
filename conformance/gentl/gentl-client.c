/*
 * A GenTL consumer for tests: opens a camera through a vendor's producer (.cti) and does what it reads from standard input.
 * The declarations are written from the public documentation of GenTL 1.5.
 *
 *   gentl-client PRODUCER TEXT          opens the first device whose id contains TEXT; answers "ok ID"
 *
 * Commands, each answered by one line, "ok ..." or "error CODE FUNCTION":
 *   url                                 URL of the GenICam XML
 *   read ADDRESS LENGTH                 register memory, as hexadecimal digits (ADDRESS is hexadecimal)
 *   write ADDRESS DIGITS                register memory
 *   start BUFFERS BYTES                 announces and queues buffers, starts the data stream
 *   frame MILLISECONDS FILE             waits for a frame, writes its bytes to FILE, queues its buffer again
 *   measure SECONDS SECONDS             takes frames and queues their buffers again, for a warm-up and a time that is measured;
 *                                       prints "begin", "end", and a line of figures
 *   stop                                stops the data stream and revokes the buffers
 *   close                               closes all and ends
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int32_t status;
typedef void *handle;

#define ACCESS_CONTROL 3
#define EVENT_NEW_BUFFER 1
#define URL_INFO_URL 0
#define QUEUE_ALL_DISCARD 4
#define UNLIMITED UINT64_MAX
#define MAX_BUFFERS 64
#define MAX_LINE 65536
#define MAX_CHUNKS 64

enum { INFO_BASE = 0, INFO_TIMESTAMP = 3, INFO_INCOMPLETE = 7, INFO_FILLED = 9, INFO_WIDTH = 10, INFO_HEIGHT = 11,
       INFO_FRAME_ID = 16, INFO_PAYLOAD_TYPE = 19, INFO_PIXEL_FORMAT = 20, INFO_CONTAINS_CHUNKS = 30 };
enum { PART_BASE = 0, PART_SIZE = 1, PART_TYPE = 2, PART_FORMAT = 3, PART_WIDTH = 5, PART_HEIGHT = 6 };

#pragma pack(push, 1)
struct new_buffer { handle buffer; void *user; };
struct chunk { uint64_t id; ptrdiff_t offset; size_t length; };
#pragma pack(pop)

/* Functions of the producer. */
static status (*GCInitLib)(void);
static status (*GCCloseLib)(void);
static status (*GCReadPort)(handle, uint64_t, void *, size_t *);
static status (*GCWritePort)(handle, uint64_t, const void *, size_t *);
static status (*GCGetPortURLInfo)(handle, uint32_t, int32_t, int32_t *, void *, size_t *);
static status (*GCRegisterEvent)(handle, int32_t, handle *);
static status (*GCUnregisterEvent)(handle, int32_t);
static status (*EventGetData)(handle, void *, size_t *, uint64_t);
static status (*TLOpen)(handle *);
static status (*TLClose)(handle);
static status (*TLUpdateInterfaceList)(handle, uint8_t *, uint64_t);
static status (*TLGetNumInterfaces)(handle, uint32_t *);
static status (*TLGetInterfaceID)(handle, uint32_t, char *, size_t *);
static status (*TLOpenInterface)(handle, const char *, handle *);
static status (*IFClose)(handle);
static status (*IFUpdateDeviceList)(handle, uint8_t *, uint64_t);
static status (*IFGetNumDevices)(handle, uint32_t *);
static status (*IFGetDeviceID)(handle, uint32_t, char *, size_t *);
static status (*IFOpenDevice)(handle, const char *, int32_t, handle *);
static status (*DevClose)(handle);
static status (*DevGetPort)(handle, handle *);
static status (*DevGetDataStreamID)(handle, uint32_t, char *, size_t *);
static status (*DevOpenDataStream)(handle, const char *, handle *);
static status (*DSClose)(handle);
static status (*DSAnnounceBuffer)(handle, void *, size_t, void *, handle *);
static status (*DSRevokeBuffer)(handle, handle, void **, void **);
static status (*DSQueueBuffer)(handle, handle);
static status (*DSFlushQueue)(handle, int32_t);
static status (*DSStartAcquisition)(handle, int32_t, uint64_t);
static status (*DSStopAcquisition)(handle, int32_t);
static status (*DSGetBufferInfo)(handle, handle, int32_t, int32_t *, void *, size_t *);
static status (*DSGetBufferChunkData)(handle, handle, struct chunk *, size_t *);
static status (*DSGetNumBufferParts)(handle, handle, uint32_t *);
static status (*DSGetBufferPartInfo)(handle, handle, uint32_t, int32_t, int32_t *, void *, size_t *);

static handle producer, transport_layer, interface, device, port, stream, event;
static handle buffers[MAX_BUFFERS];
static uint32_t buffer_count;

static void load(const char *path) {
    producer = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!producer) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
#define BIND(name) \
    if (!(*(void **)&name = dlsym(producer, #name))) { fprintf(stderr, "no function %s\n", #name); exit(2); }
    BIND(GCInitLib) BIND(GCCloseLib) BIND(GCReadPort) BIND(GCWritePort) BIND(GCGetPortURLInfo) BIND(GCRegisterEvent)
    BIND(GCUnregisterEvent) BIND(EventGetData) BIND(TLOpen) BIND(TLClose) BIND(TLUpdateInterfaceList)
    BIND(TLGetNumInterfaces) BIND(TLGetInterfaceID) BIND(TLOpenInterface) BIND(IFClose) BIND(IFUpdateDeviceList)
    BIND(IFGetNumDevices) BIND(IFGetDeviceID) BIND(IFOpenDevice) BIND(DevClose) BIND(DevGetPort)
    BIND(DevGetDataStreamID) BIND(DevOpenDataStream) BIND(DSClose) BIND(DSAnnounceBuffer) BIND(DSRevokeBuffer)
    BIND(DSQueueBuffer) BIND(DSFlushQueue) BIND(DSStartAcquisition) BIND(DSStopAcquisition) BIND(DSGetBufferInfo)
    BIND(DSGetBufferChunkData) BIND(DSGetNumBufferParts) BIND(DSGetBufferPartInfo)
#undef BIND
}

/* Answers with the first call that fails. */
static bool failed(status result, const char *function) {
    if (result == 0) {
        return false;
    }
    printf("error %d %s\n", (int)result, function);
    return true;
}

#define TRY(function, ...) \
    do { if (failed(function(__VA_ARGS__), #function)) return false; } while (0)

static bool open_device(const char *text) {
    char id[512], found[512];
    uint32_t interfaces, devices;
    TRY(GCInitLib);
    TRY(TLOpen, &transport_layer);
    TRY(TLUpdateInterfaceList, transport_layer, NULL, 1000);
    TRY(TLGetNumInterfaces, transport_layer, &interfaces);
    for (uint32_t i = 0; i < interfaces; i++) {
        size_t size = sizeof id;
        TRY(TLGetInterfaceID, transport_layer, i, id, &size);
        TRY(TLOpenInterface, transport_layer, id, &interface);
        TRY(IFUpdateDeviceList, interface, NULL, 2000);
        TRY(IFGetNumDevices, interface, &devices);
        for (uint32_t d = 0; d < devices; d++) {
            size = sizeof found;
            TRY(IFGetDeviceID, interface, d, found, &size);
            if (strstr(found, text)) {
                TRY(IFOpenDevice, interface, found, ACCESS_CONTROL, &device);
                TRY(DevGetPort, device, &port);
                size = sizeof id;
                TRY(DevGetDataStreamID, device, 0, id, &size);
                TRY(DevOpenDataStream, device, id, &stream);
                printf("ok %s\n", found);
                return true;
            }
        }
        TRY(IFClose, interface);
        interface = NULL;
    }
    printf("error 0 no device with %s in its id at %u interfaces\n", text, interfaces);
    return false;
}

static bool url(void) {
    char text[1024];
    size_t size = sizeof text;
    int32_t type;
    TRY(GCGetPortURLInfo, port, 0, URL_INFO_URL, &type, text, &size);
    printf("ok %s\n", text);
    return true;
}

static bool read_port(uint64_t address, size_t length) {
    unsigned char *bytes = malloc(length ? length : 1);
    size_t size = length;
    status result = GCReadPort(port, address, bytes, &size);
    if (!failed(result, "GCReadPort")) {
        printf("ok ");
        for (size_t i = 0; i < size; i++) {
            printf("%02x", bytes[i]);
        }
        printf("\n");
    }
    free(bytes);
    return result == 0;
}

static bool write_port(uint64_t address, const char *digits) {
    unsigned char bytes[4096];
    size_t size = strlen(digits) / 2;
    if (size > sizeof bytes) {
        printf("error 0 too long\n");
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        unsigned value;
        sscanf(digits + 2 * i, "%2x", &value);
        bytes[i] = (unsigned char)value;
    }
    TRY(GCWritePort, port, address, bytes, &size);
    printf("ok\n");
    return true;
}

static bool start(uint32_t count, size_t bytes) {
    if (count > MAX_BUFFERS || buffer_count > 0) {
        printf("error 0 buffers\n");
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        TRY(DSAnnounceBuffer, stream, malloc(bytes), bytes, (void *)(uintptr_t)i, &buffers[i]);
        buffer_count = i + 1;
        TRY(DSQueueBuffer, stream, buffers[i]);
    }
    TRY(GCRegisterEvent, stream, EVENT_NEW_BUFFER, &event);
    TRY(DSStartAcquisition, stream, 0, UNLIMITED);
    printf("ok\n");
    return true;
}

/* One number of a buffer or part; -1 when the producer does not give it. */
static long long number(handle buffer, int32_t part, int32_t command) {
    uint64_t value = 0;
    size_t size = sizeof value;
    int32_t type;
    status result = part < 0 ? DSGetBufferInfo(stream, buffer, command, &type, &value, &size)
                             : DSGetBufferPartInfo(stream, buffer, (uint32_t)part, command, &type, &value, &size);
    return result == 0 ? (long long)value : -1;
}

static bool frame(uint64_t milliseconds, const char *path) {
    struct new_buffer data;
    size_t size = sizeof data;
    TRY(EventGetData, event, &data, &size, milliseconds);
    const char *base = (const char *)(intptr_t)number(data.buffer, -1, INFO_BASE);
    long long filled = number(data.buffer, -1, INFO_FILLED);
    FILE *file = fopen(path, "wb");
    if (!file || (filled > 0 && fwrite(base, 1, (size_t)filled, file) != (size_t)filled) || fclose(file)) {
        perror(path);
        exit(2);
    }
    printf("ok id=%lld incomplete=%lld filled=%lld payload=%lld width=%lld height=%lld format=%lld timestamp=%lld"
           " contains=%lld",
           number(data.buffer, -1, INFO_FRAME_ID), number(data.buffer, -1, INFO_INCOMPLETE), filled,
           number(data.buffer, -1, INFO_PAYLOAD_TYPE), number(data.buffer, -1, INFO_WIDTH),
           number(data.buffer, -1, INFO_HEIGHT), number(data.buffer, -1, INFO_PIXEL_FORMAT),
           number(data.buffer, -1, INFO_TIMESTAMP), number(data.buffer, -1, INFO_CONTAINS_CHUNKS));
    struct chunk chunks[MAX_CHUNKS];
    size_t count = 0;
    if (DSGetBufferChunkData(stream, data.buffer, NULL, &count) == 0 && count > 0 && count <= MAX_CHUNKS) {
        size_t room = count;
        if (DSGetBufferChunkData(stream, data.buffer, chunks, &room) == 0) {
            for (size_t i = 0; i < count; i++) {
                printf(" chunk=%llx:%lld:%zu", (unsigned long long)chunks[i].id, (long long)chunks[i].offset,
                       chunks[i].length);
            }
        }
    }
    uint32_t parts = 0;
    if (DSGetNumBufferParts(stream, data.buffer, &parts) == 0) {
        for (uint32_t i = 0; i < parts; i++) {
            int32_t part = (int32_t)i;
            printf(" part=%lld:%lld:%lld:%lld:%lld:%lld",
                   number(data.buffer, part, PART_BASE) - (long long)(intptr_t)base, number(data.buffer, part, PART_SIZE),
                   number(data.buffer, part, PART_TYPE), number(data.buffer, part, PART_FORMAT),
                   number(data.buffer, part, PART_WIDTH), number(data.buffer, part, PART_HEIGHT));
        }
    }
    printf("\n");
    return DSQueueBuffer(stream, data.buffer) == 0;
}

static double clock_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Time that the processors were busy, of all processes (proc(5)). */
static double machine_seconds(void) {
    unsigned long long user = 0, low = 0, system = 0, idle, wait, interrupt = 0, soft = 0;
    FILE *file = fopen("/proc/stat", "r");
    if (!file || fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &low, &system, &idle, &wait, &interrupt, &soft) != 7) {
        perror("/proc/stat");
        exit(2);
    }
    fclose(file);
    return (double)(user + low + system + interrupt + soft) / (double)sysconf(_SC_CLK_TCK);
}

static void measure(double warm_up, double seconds) {
    uint64_t good = 0, bad = 0, delivered = 0;
    long long first = 0, last = 0;
    double begin = clock_seconds(CLOCK_MONOTONIC), process = 0, machine = 0, started = 0;
    bool measuring = false;
    for (;;) {
        double now = clock_seconds(CLOCK_MONOTONIC);
        if (!measuring && now >= begin + warm_up) {
            measuring = true;
            printf("begin\n");
            process = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
            machine = machine_seconds();
            started = now = clock_seconds(CLOCK_MONOTONIC);
        }
        if (measuring && now >= started + seconds) {
            break;
        }
        struct new_buffer data;
        size_t size = sizeof data;
        if (EventGetData(event, &data, &size, 200) != 0) {
            continue;
        }
        if (measuring) {
            long long id = number(data.buffer, -1, INFO_FRAME_ID);
            bool whole = number(data.buffer, -1, INFO_INCOMPLETE) == 0;
            good += whole;
            bad += !whole;
            first = delivered == 0 ? id : first;
            last = id;
            delivered++;
        }
        DSQueueBuffer(stream, data.buffer);
    }
    double elapsed = clock_seconds(CLOCK_MONOTONIC) - started;
    process = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - process;
    machine = machine_seconds() - machine;
    uint64_t missing = delivered > 0 && (uint64_t)(last - first + 1) > delivered ? (uint64_t)(last - first + 1) - delivered : 0;
    printf("end\ngood=%" PRIu64 " bad=%" PRIu64 " corrupt=0 seconds=%.3f process=%.3f machine=%.2f missing=%" PRIu64 "\n",
           good, bad, elapsed, process, machine, missing);
}

static bool stop(void) {
    TRY(DSStopAcquisition, stream, 0);
    TRY(DSFlushQueue, stream, QUEUE_ALL_DISCARD);
    TRY(GCUnregisterEvent, stream, EVENT_NEW_BUFFER);
    while (buffer_count > 0) {
        void *memory, *user;
        TRY(DSRevokeBuffer, stream, buffers[--buffer_count], &memory, &user);
        free(memory);
    }
    printf("ok\n");
    return true;
}

static bool close_all(void) {
    TRY(DSClose, stream);
    TRY(DevClose, device);
    TRY(IFClose, interface);
    TRY(TLClose, transport_layer);
    TRY(GCCloseLib);
    printf("ok\n");
    return true;
}

int main(int count, char **arguments) {
    static char line[MAX_LINE], text[MAX_LINE];
    unsigned long long a, b;
    if (count != 3) {
        fprintf(stderr, "usage: gentl-client PRODUCER TEXT\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    load(arguments[1]);
    if (!open_device(arguments[2])) {
        return 1;
    }
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "url", 3) == 0) {
            url();
        } else if (sscanf(line, "read %llx %llu", &a, &b) == 2) {
            read_port(a, (size_t)b);
        } else if (sscanf(line, "write %llx %65535s", &a, text) == 2) {
            write_port(a, text);
        } else if (sscanf(line, "measure %llu %llu", &a, &b) == 2) {
            measure((double)a, (double)b);
        } else if (sscanf(line, "start %llu %llu", &a, &b) == 2) {
            start((uint32_t)a, (size_t)b);
        } else if (sscanf(line, "frame %llu %65535s", &a, text) == 2) {
            frame(a, text);
        } else if (strncmp(line, "stop", 4) == 0) {
            stop();
        } else if (strncmp(line, "close", 5) == 0) {
            return close_all() ? 0 : 1;
        } else {
            printf("error 0 unknown command\n");
        }
    }
    return 1;
}
