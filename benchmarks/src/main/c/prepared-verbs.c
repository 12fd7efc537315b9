/*
 * The tests' double of libibverbs, with an adapter to which an endless GVSP stream has arrived already: every posted receive
 * completes at the next poll. As an adapter does without the processor's help, it writes headers into the receives; payload
 * is left as it lies. prepared_nanos tells what its own calls took, which on an adapter are the driver's.
 */
#define rdma_bind_addr socket_bind_addr
#include "verbs-double.c"
#undef rdma_bind_addr
#include <time.h>

enum { GVSP_BLOCK = HEADERS + 2, GVSP_PACKET = HEADERS + 5, LARGEST = 256 };
struct template { uint8_t bytes[LARGEST]; size_t written, length; };
static struct template leader, data, trailer;
static long packets, next_packet;
static uint16_t block = 1;
static int batch = 64, timed;
static long nanos;
static struct queue_pair *stream_queue;

static void fill(struct template *t, const uint8_t *bytes, size_t written, size_t length) {
  if (written > LARGEST) abort();
  memcpy(t->bytes, bytes, written);
  t->written = written;
  t->length = length;
}
/* kind: 0 leader, 1 data, 2 trailer. written: bytes that are written, Ethernet header and all; length: of the whole packet. */
void prepared_packet(int kind, const uint8_t *bytes, long written, long length) {
  fill(kind == 0 ? &leader : kind == 1 ? &data : &trailer, bytes, written, length);
}
void prepared_stream(long data_packets, int batch_packets, int measure) {
  packets = data_packets; batch = batch_packets; timed = measure; nanos = 0;
}
long prepared_nanos(void) { return nanos; }

static long now(void) {
  struct timespec t;
  if (!timed) return 0;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void scatter(struct receive *into, const uint8_t *from, size_t bytes) {
  for (int i = 0; i < into->pieces && bytes; i++) {
    size_t n = bytes < into->piece[i].length ? bytes : into->piece[i].length;
    memcpy((void *)into->piece[i].addr, from, n);
    from += n;
    bytes -= n;
  }
}

static int prepared_poll_cq(struct ibv_cq *c, int most, struct ibv_wc *to) {
  struct queue_pair *qp = stream_queue;
  if (!packets || !qp || qp->qp.state != IBV_QPS_RTR) return poll_cq(c, most, to);
  long start = now();
  int n = 0;
  for (; n < most && n < batch && qp->head != qp->tail; n++) {
    struct receive *into = &qp->posted[qp->head++ % qp->depth];
    struct template *t = next_packet == 0 ? &leader : next_packet <= packets ? &data : &trailer;
    *(uint16_t *)(t->bytes + GVSP_BLOCK) = htons(block);
    t->bytes[GVSP_PACKET] = next_packet >> 16;
    t->bytes[GVSP_PACKET + 1] = next_packet >> 8;
    t->bytes[GVSP_PACKET + 2] = next_packet;
    scatter(into, t->bytes, t->written);
    to[n] = (struct ibv_wc){.wr_id = into->id, .opcode = IBV_WC_RECV, .byte_len = t->length, .qp_num = qp->qp.qp_num};
    if (++next_packet == packets + 2) {
      next_packet = 0;
      /* 0 is no block. */
      if (!++block) block = 1;
    }
  }
  nanos += now() - start;
  return n;
}

static int prepared_post_recv(struct ibv_qp *q, struct ibv_recv_wr *work, struct ibv_recv_wr **bad) {
  long start = now();
  stream_queue = (struct queue_pair *)q;
  int error = post_recv(q, work, bad);
  nanos += now() - start;
  return error;
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *a) {
  int error = socket_bind_addr(id, a);
  if (!error) {
    id->verbs->ops.poll_cq = prepared_poll_cq;
    id->verbs->ops.post_recv = prepared_post_recv;
  }
  return error;
}
