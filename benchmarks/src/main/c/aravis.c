/*
 * Receives from cameras with Aravis, beside GvspReceiverMain and LatencyReceiverMain: same arguments, same figures.
 *
 *   aravis NUMBER WARM_UP_SECONDS SECONDS PICTURES|- PACKET_SIZE packet|socket BUFFER_BYTES [ARRIVALS stream|trigger]
 *
 * packet: packet socket when the process may open one; socket: UDP socket, with the system's buffer size if BUFFER_BYTES is 0.
 * ARRIVALS: a file for what LatencyReceiverMain describes. Without a warm-up the start of the streams is measured too, after a
 * pause of N seconds if the warm-up is -N.
 */
#include <arv.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#define BUFFERS 20
#define PICTURES 8
#define MOST_ARRIVALS 1000000
#define TRIGGER_PAUSE 5000

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static double process_seconds(void)
{
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

static double machine_seconds(void)
{
	unsigned long long v[8] = {0};
	FILE *f = fopen("/proc/stat", "r");
	if (!f || fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7) != 8)
		exit(1);
	fclose(f);
	return (v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) / 100.0;
}

static void check(GError *error, const char *what)
{
	if (error) {
		fprintf(stderr, "aravis: %s: %s\n", what, error->message);
		exit(1);
	}
}

static const unsigned char *pictures;
static size_t payload;
static guint64 good, bad, missing, corrupt;
static GMutex lock;

struct camera {
	ArvStream *stream;
	ArvCamera *device;
	int index;
	double warm, end;
};

struct arrival {
	int64_t camera, block, asked, arrived;
};

static struct arrival *arrivals;
static int arrived, triggered, from_start;

static int64_t nanos(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

static void receive(struct camera *camera, double until, int count)
{
	ArvStream *stream = camera->stream;
	guint64 first = 0, last = 0, delivered = 0;
	while (now() < until) {
		int64_t asked = 0;
		if (triggered) {
			g_usleep(TRIGGER_PAUSE);
			asked = nanos();
			arv_camera_execute_command(camera->device, "TriggerSoftware", NULL);
		}
		ArvBuffer *buffer = arv_stream_timeout_pop_buffer(stream, 200000);
		int64_t time = nanos();
		if (!buffer)
			continue;
		int success = arv_buffer_get_status(buffer) == ARV_BUFFER_STATUS_SUCCESS, wrong = 0;
		if (success && pictures) {
			size_t size;
			const void *data = arv_buffer_get_data(buffer, &size);
			guint64 picture = (arv_buffer_get_frame_id(buffer) - 1) % PICTURES;
			wrong = size != payload || memcmp(data, pictures + picture * payload, payload);
		}
		guint64 id = arv_buffer_get_frame_id(buffer);
		first = from_start ? 1 : delivered == 0 || id < first ? id : first;
		last = id > last ? id : last;
		delivered++;
		g_mutex_lock(&lock);
		good += count && success;
		bad += count && !success;
		corrupt += wrong;
		if (arrivals && count && success && arrived < MOST_ARRIVALS)
			arrivals[arrived++] = (struct arrival){camera->index, id, asked, time};
		g_mutex_unlock(&lock);
		arv_stream_push_buffer(stream, buffer);
	}
	g_mutex_lock(&lock);
	/* Aravis delivers a frame once more when one of its packets comes after its end. */
	missing += count && delivered && last - first + 1 > delivered ? last - first + 1 - delivered : 0;
	g_mutex_unlock(&lock);
}

static void *warm_up(void *data)
{
	struct camera *camera = data;
	receive(camera, camera->warm, 0);
	return NULL;
}

static void *measure(void *data)
{
	struct camera *camera = data;
	receive(camera, camera->end, 1);
	return NULL;
}

static void all(int number, struct camera *cameras, GThreadFunc function)
{
	GThread *threads[number];
	for (int i = 0; i < number; i++)
		threads[i] = g_thread_new("user", function, cameras + i);
	for (int i = 0; i < number; i++)
		g_thread_join(threads[i]);
}

int main(int argc, char **argv)
{
	if (argc != 8 && argc != 10)
		return 2;
	int number = atoi(argv[1]);
	double warm = atof(argv[2]), seconds = atof(argv[3]);
	double pause = warm < 0 ? -warm : 0;
	from_start = warm <= 0;
	warm = warm < 0 ? 0 : warm;
	int packet_size = atoi(argv[5]), socket_only = !strcmp(argv[6], "socket"), buffer_bytes = atoi(argv[7]);
	ArvCamera *devices[number];
	struct camera cameras[number];
	GError *error = NULL;
	if (argc == 10) {
		arrivals = malloc(MOST_ARRIVALS * sizeof *arrivals);
		memset(arrivals, 0, MOST_ARRIVALS * sizeof *arrivals);
		triggered = !strcmp(argv[9], "trigger");
	}
	double opening = now(), opening_process = process_seconds();
	for (int i = 0; i < number; i++) {
		char name[32];
		snprintf(name, sizeof name, "10.77.0.%d", i + 1);
		devices[i] = arv_camera_new(name, &error);
		check(error, name);
		arv_camera_gv_set_packet_size(devices[i], packet_size, &error);
		check(error, "packet size");
		if (socket_only)
			arv_camera_gv_set_stream_options(devices[i], ARV_GV_STREAM_OPTION_PACKET_SOCKET_DISABLED);
		if (triggered)
			arv_camera_set_string(devices[i], "TriggerMode", "On", &error);
		check(error, "trigger");
		payload = arv_camera_get_payload(devices[i], &error);
		check(error, "payload");
		cameras[i].stream = arv_camera_create_stream(devices[i], NULL, NULL, &error);
		check(error, "stream");
		if (buffer_bytes)
			g_object_set(cameras[i].stream, "socket-buffer", ARV_GV_STREAM_SOCKET_BUFFER_FIXED, "socket-buffer-size", buffer_bytes, NULL);
		for (int b = 0; b < BUFFERS; b++) {
			ArvBuffer *buffer = arv_buffer_new(payload, NULL);
			size_t size;
			memset((void *)arv_buffer_get_data(buffer, &size), 0, payload);
			arv_stream_push_buffer(cameras[i].stream, buffer);
		}
	}
	if (strcmp(argv[4], "-")) {
		pictures = mmap(NULL, PICTURES * payload, PROT_READ, MAP_SHARED, open(argv[4], O_RDONLY), 0);
		if (pictures == MAP_FAILED)
			return 1;
	}
	opening_process = process_seconds() - opening_process;
	opening = now() - opening;
	g_usleep(pause * 1e6);
	double process = process_seconds(), machine = machine_seconds(), start = now();
	for (int i = 0; i < number; i++) {
		arv_camera_start_acquisition(devices[i], &error);
		check(error, "start");
	}
	double begin = now(), starting = begin - start;
	for (int i = 0; i < number; i++) {
		cameras[i].device = devices[i];
		cameras[i].index = i;
		cameras[i].warm = begin + warm;
		cameras[i].end = begin + warm + seconds;
	}
	if (!from_start) {
		all(number, cameras, warm_up);
		process = process_seconds();
		machine = machine_seconds();
		start = now();
	}
	printf("begin\n");
	fflush(stdout);
	all(number, cameras, measure);
	double elapsed = now() - start;
	process = process_seconds() - process;
	machine = machine_seconds() - machine;
	printf("end\n");
	fflush(stdout);
	if (arrivals) {
		FILE *file = fopen(argv[8], "w");
		if (!file || fwrite(arrivals, sizeof *arrivals, arrived, file) != (size_t)arrived || fclose(file))
			return 1;
	}
	guint64 packets = 0, requested = 0, resent = 0, underruns = 0;
	for (int i = 0; i < number; i++) {
		ArvStream *s = cameras[i].stream;
		packets += arv_stream_get_info_uint64_by_name(s, "n_received_packets");
		requested += arv_stream_get_info_uint64_by_name(s, "n_resend_requests");
		resent += arv_stream_get_info_uint64_by_name(s, "n_resent_packets");
		underruns += arv_stream_get_info_uint64_by_name(s, "n_underruns");
		arv_camera_stop_acquisition(devices[i], NULL);
	}
	printf("good=%lu bad=%lu corrupt=%lu seconds=%.3f process=%.2f machine=%.2f packets=%lu requested=%lu resent=%lu underruns=%lu missing=%lu open=%.4f openProcess=%.4f start=%.4f\n",
	       good, bad, corrupt, elapsed, process, machine, packets, requested, resent, underruns, missing, opening, opening_process, starting);
	for (int i = 0; i < number; i++) {
		g_clear_object(&cameras[i].stream);
		g_clear_object(&devices[i]);
	}
	arv_shutdown();
	return 0;
}
