/*
 * What receivers and senders of raw packets call of libibverbs and librdmacm, over packet sockets (packet(7)) instead of an adapter.
 * Laid out by the system's headers of rdma-core, so that a caller with a wrong offset fails.
 *
 * As on an adapter, packets are written into the memory of posted receives when they arrive, by a thread that stands for the
 * adapter, whether the program looks or not; without a posted receive they are dropped. Where the kernel has joined packets
 * to runs (virtio_net_hdr), they are cut again.
 *
 * Sends are read from their memory by another thread, later, and leave by a packet socket of the interface.
 *
 * Compiled with -DDROPS_FILE=... : where the count of dropped packets goes, as in /sys/class/infiniband.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <infiniband/verbs.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#undef ibv_reg_mr
#undef ibv_query_port

enum { DEPTH = 32768, PIECES = 4, HEADERS = 42, NO_OFFLOAD = 0 };

/* Knobs and counts of the tests, by name: verbs_double_set, verbs_double_get. */
static struct { const char *name; long value; } knobs[] = {
  {"flow_steering", 1}, {"max_qp_wr", DEPTH}, {"max_cqe", DEPTH}, {"max_sge", PIECES}, {"extended", 1}, {"vectors", 4},
  {"bind_error", 0}, {"qp_error", 0}, {"init_error", 0}, {"flow_error", 0}, {"region_error", 0},
  {"open", 0}, {"vector", -1}, {"depth", 0}, {"armed", 0}, {"polls", 0}, {"rules", 0}, {"drops", 0},
  {"dmabuf_inode", 0}, {"dmabuf_iova", 0}, {"dmabuf_access", 0},
  /* send_hold: nothing is sent as long as it is set; send_fails: status of the sends that end while it is set. */
  {"rate_limit_error", EOPNOTSUPP}, {"send_hold", 0}, {"send_fails", 0},
  {"send_depth", 0}, {"rate_kbps", 0}, {"posted", 0}, {"sent", 0}, {"completed_sends", 0}, {"pieces", 0}, {"regions", 0},
};
static long *knob(const char *name) {
  for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) if (!strcmp(knobs[i].name, name)) return &knobs[i].value;
  abort();
}
void verbs_double_set(const char *name, long value) { __atomic_store_n(knob(name), value, __ATOMIC_SEQ_CST); }
long verbs_double_get(const char *name) { return __atomic_load_n(knob(name), __ATOMIC_SEQ_CST); }
static void count(const char *name, long by) { __atomic_add_fetch(knob(name), by, __ATOMIC_SEQ_CST); }

/* Everything that is made counts as open until it is destroyed. */
static void *make(size_t bytes) { count("open", 1); return calloc(1, bytes); }
static int destroy(void *thing) { count("open", -1); free(thing); return 0; }
static void *refuse(int error) { errno = error; return NULL; }

struct rule { struct ibv_flow flow; struct queue_pair *owner; uint8_t mac[6]; uint32_t address; uint16_t port; struct rule *next; };
struct completion_queue { struct ibv_cq cq; pthread_mutex_t lock; struct ibv_wc *entries; unsigned head, tail, depth; int armed; };
struct receive { uint64_t id; int pieces; struct ibv_sge piece[PIECES]; };
struct send { uint64_t id; int pieces, signaled; struct ibv_sge piece[PIECES]; };
struct queue_pair {
  struct ibv_qp qp; pthread_mutex_t lock; struct receive *posted; unsigned head, tail, depth; int most_pieces;
  int socket, stop, running; pthread_t adapter; struct rule *rules;
  struct send *sends; unsigned send_head, send_tail, send_depth; int most_send_pieces;
  int out, sending, ended; pthread_cond_t posted_more; pthread_t sender;
};
struct region { struct ibv_mr mr; struct region *next; };
static struct region *regions;
static pthread_mutex_t regions_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device device = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "double0"};
static struct verbs_context *verbs;
static int interface_index;

/* ---- the adapter */

static void push(struct completion_queue *queue, struct ibv_wc *entry) {
  pthread_mutex_lock(&queue->lock);
  if (queue->tail - queue->head < queue->depth) queue->entries[queue->tail++ % queue->depth] = *entry;
  else fprintf(stderr, "verbs double: completion queue overrun\n"), abort();
  int wake = queue->armed;
  queue->armed = 0;
  pthread_mutex_unlock(&queue->lock);
  if (wake) eventfd_write(queue->cq.channel->fd, 1);
}

static int registered(struct ibv_sge *piece) {
  pthread_mutex_lock(&regions_lock);
  int found = 0;
  for (struct region *r = regions; r && !found; r = r->next)
    found = r->mr.lkey == piece->lkey && piece->addr >= (uintptr_t)r->mr.addr
        && piece->addr + piece->length <= (uintptr_t)r->mr.addr + r->mr.length;
  pthread_mutex_unlock(&regions_lock);
  return found;
}

static void drop(void) {
  count("drops", 1);
#ifdef DROPS_FILE
  char text[32];
  int file = open(DROPS_FILE, O_CREAT | O_WRONLY | O_CLOEXEC, 0644), length = sprintf(text, "%ld\n", verbs_double_get("drops"));
  if (write(file, text, length) != length) abort();
  close(file);
#endif
}

static void arrive(struct queue_pair *qp, const uint8_t *headers, const uint8_t *data, size_t data_bytes) {
  pthread_mutex_lock(&qp->lock);
  if (qp->qp.state != IBV_QPS_RTR || qp->head == qp->tail) {
    int full = qp->qp.state == IBV_QPS_RTR;
    pthread_mutex_unlock(&qp->lock);
    if (full) drop();
    return;
  }
  struct receive *into = &qp->posted[qp->head++ % qp->depth];
  size_t total = HEADERS + data_bytes, at = 0;
  int status = IBV_WC_SUCCESS;
  for (int i = 0; i < into->pieces && at < total && !status; i++) {
    if (!registered(&into->piece[i])) { status = IBV_WC_LOC_PROT_ERR; break; }
    uint8_t *to = (uint8_t *)into->piece[i].addr;
    size_t room = into->piece[i].length;
    while (room && at < total) {
      size_t from = at < HEADERS ? at : at - HEADERS, n = at < HEADERS ? HEADERS - at : total - at;
      if (n > room) n = room;
      memcpy(to, (at < HEADERS ? headers : data) + from, n);
      to += n; at += n; room -= n;
    }
  }
  if (!status && at < total) status = IBV_WC_LOC_LEN_ERR;
  struct ibv_wc entry = {.wr_id = into->id, .status = status, .opcode = IBV_WC_RECV, .byte_len = total, .qp_num = qp->qp.qp_num};
  pthread_mutex_unlock(&qp->lock);
  push((struct completion_queue *)qp->qp.recv_cq, &entry);
}

/* Whether a rule takes a packet, which must be one that the stack would understand as UDP without options or fragments. */
static int wanted(struct queue_pair *qp, const uint8_t *packet) {
  if (packet[12] != 8 || packet[13] || packet[14] != 0x45 || packet[23] != 17) return 0;
  int found = 0;
  pthread_mutex_lock(&qp->lock);
  for (struct rule *r = qp->rules; r && !found; r = r->next)
    /* Loopback interfaces have no MAC addresses. */
    found = !memcmp(packet + 30, &r->address, 4) && !memcmp(packet + 36, &r->port, 2)
        && (!memcmp(packet, r->mac, 6) || !memcmp(packet, "\0\0\0\0\0\0", 6));
  pthread_mutex_unlock(&qp->lock);
  return found;
}

static void take(struct queue_pair *qp, uint8_t *buffer, ssize_t length) {
  struct virtio_net_hdr *offload = (struct virtio_net_hdr *)buffer;
  uint8_t *packet = buffer + sizeof *offload;
  length -= sizeof *offload;
  if (length < HEADERS || !wanted(qp, packet)) return;
  size_t data = length - HEADERS, segment = offload->gso_type == NO_OFFLOAD ? data : offload->gso_size, at = 0;
  do {
    size_t n = data - at < segment ? data - at : segment;
    if (offload->gso_type != NO_OFFLOAD) {
      *(uint16_t *)(packet + 16) = htons(28 + n);
      *(uint16_t *)(packet + 38) = htons(8 + n);
    }
    arrive(qp, packet, packet + HEADERS + at, n);
    at += n;
  } while (at < data);
}

static void *adapter(void *argument) {
  struct queue_pair *qp = argument;
  static __thread uint8_t buffer[sizeof(struct virtio_net_hdr) + (1 << 17)];
  struct pollfd wait[2] = {{qp->socket, POLLIN, 0}, {qp->stop, POLLIN, 0}};
  while (poll(wait, 2, -1) >= 0 && !wait[1].revents) {
    for (;;) {
      struct sockaddr_ll from;
      socklen_t from_length = sizeof from;
      ssize_t length = recvfrom(qp->socket, buffer, sizeof buffer, MSG_DONTWAIT, (void *)&from, &from_length);
      if (length < 0) break;
      if (from.sll_pkttype != PACKET_OUTGOING) take(qp, buffer, length);
    }
  }
  return NULL;
}

/* Reads a packet from its memory and sends it; returns the status of its completion. */
static int leave(struct queue_pair *qp, struct send *work, uint8_t *packet) {
  size_t length = 0;
  for (int i = 0; i < work->pieces; i++) {
    if (!registered(&work->piece[i])) return IBV_WC_LOC_PROT_ERR;
    if (length + work->piece[i].length > 1 << 17) return IBV_WC_LOC_LEN_ERR;
    memcpy(packet + length, (void *)work->piece[i].addr, work->piece[i].length);
    length += work->piece[i].length;
  }
  if (verbs_double_get("send_fails")) return verbs_double_get("send_fails");
  struct pollfd room = {qp->out, POLLOUT, 0};
  while (send(qp->out, packet, length, 0) < 0) {
    if (errno == EMSGSIZE) return IBV_WC_LOC_LEN_ERR;
    if (errno != EAGAIN && errno != ENOBUFS && errno != EINTR) return IBV_WC_GENERAL_ERR;
    poll(&room, 1, 1);
  }
  return IBV_WC_SUCCESS;
}

static void *sender(void *argument) {
  struct queue_pair *qp = argument;
  static __thread uint8_t packet[1 << 17];
  pthread_mutex_lock(&qp->lock);
  while (!qp->ended) {
    if (qp->send_head == qp->send_tail || verbs_double_get("send_hold")) {
      struct timespec soon;
      clock_gettime(CLOCK_REALTIME, &soon);
      soon.tv_nsec += 1000000;
      if (soon.tv_nsec >= 1000000000) { soon.tv_sec++; soon.tv_nsec -= 1000000000; }
      pthread_cond_timedwait(&qp->posted_more, &qp->lock, &soon);
      continue;
    }
    struct send *work = &qp->sends[qp->send_head % qp->send_depth];
    pthread_mutex_unlock(&qp->lock);
    int status = leave(qp, work, packet);
    struct ibv_wc entry = {.wr_id = work->id, .status = status, .opcode = IBV_WC_SEND, .qp_num = qp->qp.qp_num};
    /* Its place may be used again as soon as there is room. */
    int tells = work->signaled || status;
    if (!status) count("sent", 1);
    pthread_mutex_lock(&qp->lock);
    qp->send_head++;
    /* As on an adapter, nothing is sent after a failure. */
    if (status) { qp->qp.state = IBV_QPS_ERR; qp->send_head = qp->send_tail; }
    /* There is room for the next when this is known to be sent. */
    pthread_mutex_unlock(&qp->lock);
    if (tells) { count("completed_sends", 1); push((struct completion_queue *)qp->qp.send_cq, &entry); }
    pthread_mutex_lock(&qp->lock);
  }
  pthread_mutex_unlock(&qp->lock);
  return NULL;
}

static int start_sending(struct queue_pair *qp) {
  if (qp->sending || !qp->send_depth) return 0;
  qp->out = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (qp->out < 0) return errno;
  struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_ifindex = interface_index};
  if (bind(qp->out, (void *)&at, sizeof at)) { int error = errno; close(qp->out); return error; }
  qp->sending = 1;
  return pthread_create(&qp->sender, NULL, sender, qp);
}

static void stop_sending(struct queue_pair *qp) {
  if (!qp->sending) return;
  pthread_mutex_lock(&qp->lock);
  qp->ended = 1;
  pthread_cond_signal(&qp->posted_more);
  pthread_mutex_unlock(&qp->lock);
  pthread_join(qp->sender, NULL);
  close(qp->out);
  qp->sending = 0;
}

static int start(struct queue_pair *qp) {
  /* An adapter without a rule for a queue pair gives it nothing. */
  if (qp->running || !qp->rules) return 0;
  qp->socket = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (qp->socket < 0) return errno;
  int buffer = 512 << 20, on = 1;
  setsockopt(qp->socket, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
  setsockopt(qp->socket, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on);
  struct packet_mreq all = {.mr_ifindex = interface_index, .mr_type = PACKET_MR_ALLMULTI};
  setsockopt(qp->socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all);
  struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP), .sll_ifindex = interface_index};
  if (bind(qp->socket, (void *)&at, sizeof at)) { int error = errno; close(qp->socket); return error; }
  qp->stop = eventfd(0, EFD_CLOEXEC);
  qp->running = 1;
  return pthread_create(&qp->adapter, NULL, adapter, qp);
}

static void stop(struct queue_pair *qp) {
  if (!qp->running) return;
  eventfd_write(qp->stop, 1);
  pthread_join(qp->adapter, NULL);
  close(qp->stop);
  close(qp->socket);
  qp->running = 0;
}

/* ---- calls that verbs.h makes through the context */

static int poll_cq(struct ibv_cq *c, int most, struct ibv_wc *to) {
  struct completion_queue *queue = (struct completion_queue *)c;
  int n = 0;
  pthread_mutex_lock(&queue->lock);
  while (n < most && queue->head != queue->tail) to[n++] = queue->entries[queue->head++ % queue->depth];
  pthread_mutex_unlock(&queue->lock);
  count("polls", 1);
  return n;
}

/* Only what completes from now on wakes: as on an adapter, what is there already does not. */
static int req_notify_cq(struct ibv_cq *c, int solicited) {
  struct completion_queue *queue = (struct completion_queue *)c;
  if (!c->channel || solicited) return EINVAL;
  pthread_mutex_lock(&queue->lock);
  queue->armed = 1;
  pthread_mutex_unlock(&queue->lock);
  count("armed", 1);
  return 0;
}

static int post_recv(struct ibv_qp *q, struct ibv_recv_wr *work, struct ibv_recv_wr **bad) {
  struct queue_pair *qp = (struct queue_pair *)q;
  int error = 0;
  pthread_mutex_lock(&qp->lock);
  for (; work && !error; work = work->next) {
    if (qp->tail - qp->head >= qp->depth) error = ENOMEM;
    else if (work->num_sge < 0 || work->num_sge > qp->most_pieces || qp->qp.state == IBV_QPS_RESET) error = EINVAL;
    else {
      struct receive *r = &qp->posted[qp->tail++ % qp->depth];
      r->id = work->wr_id;
      r->pieces = work->num_sge;
      memcpy(r->piece, work->sg_list, work->num_sge * sizeof *work->sg_list);
    }
    if (error) { *bad = work; break; }
  }
  pthread_mutex_unlock(&qp->lock);
  return error;
}

static int post_send(struct ibv_qp *q, struct ibv_send_wr *work, struct ibv_send_wr **bad) {
  struct queue_pair *qp = (struct queue_pair *)q;
  int error = 0;
  pthread_mutex_lock(&qp->lock);
  for (; work && !error; work = work->next) {
    if (qp->qp.state != IBV_QPS_RTS || work->opcode != IBV_WR_SEND || work->send_flags & ~IBV_SEND_SIGNALED
        || work->num_sge < 1 || work->num_sge > qp->most_send_pieces || work->sg_list[0].length < 14) error = EINVAL;
    else if (qp->send_tail - qp->send_head >= qp->send_depth) error = ENOMEM;
    else {
      struct send *s = &qp->sends[qp->send_tail++ % qp->send_depth];
      s->id = work->wr_id;
      s->signaled = work->send_flags & IBV_SEND_SIGNALED;
      s->pieces = work->num_sge;
      memcpy(s->piece, work->sg_list, work->num_sge * sizeof *work->sg_list);
      count("posted", 1);
      count("pieces", work->num_sge);
    }
    if (error) { *bad = work; break; }
  }
  pthread_cond_signal(&qp->posted_more);
  pthread_mutex_unlock(&qp->lock);
  return error;
}

static int modify_qp_rate_limit(struct ibv_qp *q, struct ibv_qp_rate_limit_attr *a) {
  if (verbs_double_get("rate_limit_error")) return verbs_double_get("rate_limit_error");
  if (q->state != IBV_QPS_RTS || a->max_burst_sz || a->typical_pkt_sz || a->comp_mask) return EINVAL;
  verbs_double_set("rate_kbps", a->rate_limit);
  return 0;
}

static struct ibv_flow *create_flow(struct ibv_qp *q, struct ibv_flow_attr *a) {
  struct queue_pair *qp = (struct queue_pair *)q;
  struct rule rule = {.owner = qp};
  char *at = (char *)(a + 1);
  int has = 0;
  if (verbs_double_get("flow_error")) return refuse(verbs_double_get("flow_error"));
  if (a->type != IBV_FLOW_ATTR_NORMAL || a->port != 1 || a->flags || a->comp_mask || a->priority) return refuse(EINVAL);
  for (int i = 0; i < a->num_of_specs; i++) {
    struct ibv_flow_spec *s = (void *)at;
    if (s->hdr.type == IBV_FLOW_SPEC_ETH && s->hdr.size == sizeof s->eth) {
      static const uint8_t all[6] = {255, 255, 255, 255, 255, 255};
      if (memcmp(s->eth.mask.dst_mac, all, 6) || s->eth.mask.ether_type != 0xffff || s->eth.val.ether_type != htons(ETH_P_IP)
          || s->eth.mask.vlan_tag) return refuse(EINVAL);
      memcpy(rule.mac, s->eth.val.dst_mac, 6);
      has |= 1;
    } else if (s->hdr.type == IBV_FLOW_SPEC_IPV4 && s->hdr.size == sizeof s->ipv4) {
      if (s->ipv4.mask.dst_ip != ~0u || s->ipv4.mask.src_ip) return refuse(EINVAL);
      rule.address = s->ipv4.val.dst_ip;
      has |= 2;
    } else if (s->hdr.type == IBV_FLOW_SPEC_UDP && s->hdr.size == sizeof s->tcp_udp) {
      if (s->tcp_udp.mask.dst_port != 0xffff || s->tcp_udp.mask.src_port) return refuse(EINVAL);
      rule.port = s->tcp_udp.val.dst_port;
      has |= 4;
    } else return refuse(EINVAL);
    at += s->hdr.size;
  }
  if (has != 7 || at - (char *)a != a->size) return refuse(EINVAL);
  struct rule *made = make(sizeof *made);
  *made = rule;
  made->flow.context = &verbs->context;
  pthread_mutex_lock(&qp->lock);
  made->next = qp->rules;
  qp->rules = made;
  pthread_mutex_unlock(&qp->lock);
  count("rules", 1);
  return &made->flow;
}

static int destroy_flow(struct ibv_flow *f) {
  struct rule *rule = (struct rule *)f, **p = &rule->owner->rules;
  pthread_mutex_lock(&rule->owner->lock);
  while (*p != rule) p = &(*p)->next;
  *p = rule->next;
  pthread_mutex_unlock(&rule->owner->lock);
  count("rules", -1);
  return destroy(rule);
}

/* ---- librdmacm */

struct rdma_event_channel *rdma_create_event_channel(void) { return make(sizeof(struct rdma_event_channel)); }
void rdma_destroy_event_channel(struct rdma_event_channel *c) { destroy(c); }
int rdma_create_id(struct rdma_event_channel *c, struct rdma_cm_id **id, void *user, enum rdma_port_space space) {
  *id = make(sizeof **id);
  (*id)->channel = c;
  (*id)->context = user;
  (*id)->ps = space;
  return 0;
}
int rdma_destroy_id(struct rdma_cm_id *id) { return destroy(id); }

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *a) {
  uint32_t wanted = ((struct sockaddr_in *)a)->sin_addr.s_addr;
  struct ifaddrs *all, *i;
  if (verbs_double_get("bind_error")) { errno = verbs_double_get("bind_error"); return -1; }
  if (a->sa_family != AF_INET || getifaddrs(&all)) return -1;
  for (i = all; i; i = i->ifa_next) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
    uint32_t has = ((struct sockaddr_in *)i->ifa_addr)->sin_addr.s_addr;
    /* All of 127.0.0.0/8 belongs to the loopback interface. */
    if (has == wanted || ((i->ifa_flags & IFF_LOOPBACK) && (wanted & htonl(0xff000000)) == (has & htonl(0xff000000)))) break;
  }
  interface_index = i ? (int)if_nametoindex(i->ifa_name) : 0;
  freeifaddrs(all);
  if (!i) { errno = ENODEV; return -1; }
  if (!verbs) verbs = calloc(1, sizeof *verbs);
  verbs->sz = sizeof *verbs;
  verbs->ibv_create_flow = create_flow;
  verbs->ibv_destroy_flow = destroy_flow;
  verbs->modify_qp_rate_limit = modify_qp_rate_limit;
  struct ibv_context *c = &verbs->context;
  c->device = &device;
  c->abi_compat = verbs_double_get("extended") ? __VERBS_ABI_IS_EXTENDED : NULL;
  c->num_comp_vectors = verbs_double_get("vectors");
  c->ops.poll_cq = poll_cq;
  c->ops.req_notify_cq = req_notify_cq;
  c->ops.post_recv = post_recv;
  c->ops.post_send = post_send;
  c->cmd_fd = c->async_fd = -1;
  id->verbs = c;
  id->port_num = 1;
  return 0;
}

/* ---- libibverbs */

const char *ibv_get_device_name(struct ibv_device *d) { return d->name; }

int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *a) {
  memset(a, 0, sizeof *a);
  a->device_cap_flags = verbs_double_get("flow_steering") ? IBV_DEVICE_MANAGED_FLOW_STEERING : 0;
  a->max_qp_wr = verbs_double_get("max_qp_wr");
  a->max_cqe = verbs_double_get("max_cqe");
  a->max_sge = verbs_double_get("max_sge");
  a->max_mr_size = ~0ull;
  return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *c) {
  struct ibv_pd *p = make(sizeof *p);
  p->context = c;
  return p;
}
int ibv_dealloc_pd(struct ibv_pd *p) { return destroy(p); }

struct ibv_mr *ibv_reg_mr(struct ibv_pd *p, void *address, size_t length, int access) {
  static uint32_t key = 0x1000;
  if (verbs_double_get("region_error")) return refuse(verbs_double_get("region_error"));
  if (!(access & IBV_ACCESS_LOCAL_WRITE)) return refuse(EINVAL);
  struct region *r = make(sizeof *r);
  r->mr = (struct ibv_mr){.context = p->context, .pd = p, .addr = address, .length = length};
  pthread_mutex_lock(&regions_lock);
  r->mr.lkey = r->mr.rkey = key += 0x11;
  r->next = regions;
  regions = r;
  pthread_mutex_unlock(&regions_lock);
  count("regions", 1);
  return &r->mr;
}
/* As libibverbs does it, the region's address is the offset. */
struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *p, uint64_t offset, size_t length, uint64_t iova, int fd, int access) {
  struct stat file;
  if (fstat(fd, &file)) return NULL;
  if ((offset ^ iova) & 4095 || offset + length > (uint64_t)file.st_size) return refuse(EINVAL);
  struct ibv_mr *m = ibv_reg_mr(p, (void *)offset, length, access);
  if (m) verbs_double_set("dmabuf_inode", file.st_ino), verbs_double_set("dmabuf_iova", iova), verbs_double_set("dmabuf_access", access);
  return m;
}
int ibv_dereg_mr(struct ibv_mr *m) {
  pthread_mutex_lock(&regions_lock);
  struct region **p = &regions;
  while (*p != (struct region *)m) p = &(*p)->next;
  *p = (*p)->next;
  pthread_mutex_unlock(&regions_lock);
  count("regions", -1);
  return destroy(m);
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *c) {
  struct ibv_comp_channel *h = make(sizeof *h);
  h->context = c;
  h->fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
  return h;
}
int ibv_destroy_comp_channel(struct ibv_comp_channel *h) { close(h->fd); return destroy(h); }

struct ibv_cq *ibv_create_cq(struct ibv_context *c, int entries, void *user, struct ibv_comp_channel *h, int vector) {
  if (vector < 0 || vector >= c->num_comp_vectors || entries < 1 || entries > verbs_double_get("max_cqe")) return refuse(EINVAL);
  struct completion_queue *q = make(sizeof *q);
  q->cq.context = c;
  q->cq.channel = h;
  q->cq.cq_context = user;
  q->cq.cqe = q->depth = entries;
  q->entries = calloc(entries, sizeof *q->entries);
  pthread_mutex_init(&q->lock, NULL);
  verbs_double_set("vector", h ? vector : -1);
  return &q->cq;
}
int ibv_destroy_cq(struct ibv_cq *c) { free(((struct completion_queue *)c)->entries); return destroy(c); }
int ibv_get_cq_event(struct ibv_comp_channel *h, struct ibv_cq **q, void **user) {
  eventfd_t value;
  if (eventfd_read(h->fd, &value)) return -1;
  *q = NULL;
  *user = NULL;
  return 0;
}
void ibv_ack_cq_events(struct ibv_cq *q, unsigned n) {}

struct ibv_qp *ibv_create_qp(struct ibv_pd *p, struct ibv_qp_init_attr *a) {
  if (verbs_double_get("qp_error")) return refuse(verbs_double_get("qp_error"));
  if (a->qp_type != IBV_QPT_RAW_PACKET) return refuse(EOPNOTSUPP);
  if (!a->recv_cq || !a->send_cq || a->srq || a->cap.max_recv_wr > verbs_double_get("max_qp_wr") || a->cap.max_recv_wr < 1
      || a->cap.max_recv_sge > verbs_double_get("max_sge") || a->cap.max_recv_sge < 1
      || a->cap.max_send_wr > verbs_double_get("max_qp_wr") || a->cap.max_send_sge > verbs_double_get("max_sge")) return refuse(EINVAL);
  struct queue_pair *q = make(sizeof *q);
  static uint32_t number = 0x70;
  q->qp = (struct ibv_qp){.context = p->context, .pd = p, .recv_cq = a->recv_cq, .send_cq = a->send_cq, .qp_num = ++number,
      .qp_type = a->qp_type, .state = IBV_QPS_RESET};
  q->depth = a->cap.max_recv_wr;
  q->most_pieces = a->cap.max_recv_sge;
  q->posted = calloc(q->depth, sizeof *q->posted);
  q->send_depth = a->cap.max_send_wr;
  q->most_send_pieces = a->cap.max_send_sge;
  q->sends = calloc(q->send_depth + 1, sizeof *q->sends);
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->posted_more, NULL);
  if (q->send_depth) verbs_double_set("send_depth", q->send_depth);
  else verbs_double_set("depth", q->depth);
  return &q->qp;
}

int ibv_modify_qp(struct ibv_qp *p, struct ibv_qp_attr *a, int mask) {
  struct queue_pair *q = (struct queue_pair *)p;
  int from = p->state, to = a->qp_state, error = 0;
  if (!(mask & IBV_QP_STATE)) return EINVAL;
  if (to == IBV_QPS_INIT) {
    if (verbs_double_get("init_error")) return verbs_double_get("init_error");
    if (from != IBV_QPS_RESET || mask != (IBV_QP_STATE | IBV_QP_PORT) || a->port_num != 1) return EINVAL;
  } else if (to == IBV_QPS_RTR) {
    if (from != IBV_QPS_INIT || mask != IBV_QP_STATE) return EINVAL;
    if ((error = start(q))) return error;
  } else if (to == IBV_QPS_RTS) {
    if (from != IBV_QPS_RTR || mask != IBV_QP_STATE) return EINVAL;
    if ((error = start_sending(q))) return error;
  } else if (to != IBV_QPS_ERR && to != IBV_QPS_RESET) return EINVAL;
  pthread_mutex_lock(&q->lock);
  p->state = to;
  unsigned flushed = to == IBV_QPS_ERR ? q->tail - q->head : 0;
  unsigned first = q->head;
  if (to == IBV_QPS_ERR || to == IBV_QPS_RESET) q->head = q->tail;
  pthread_mutex_unlock(&q->lock);
  for (unsigned i = 0; i < flushed; i++) {
    struct ibv_wc entry = {.wr_id = q->posted[(first + i) % q->depth].id, .status = IBV_WC_WR_FLUSH_ERR, .qp_num = p->qp_num};
    push((struct completion_queue *)p->recv_cq, &entry);
  }
  return 0;
}

int ibv_destroy_qp(struct ibv_qp *p) {
  struct queue_pair *q = (struct queue_pair *)p;
  if (q->rules) return EBUSY;
  stop(q);
  stop_sending(q);
  free(q->posted);
  free(q->sends);
  return destroy(q);
}

/* ---- what a receiver of raw packets does not call */

/* By their names in the library: their prototypes do not matter. */
#define UNUSED(name, result) \
  long unused_##name(void) __asm__(#name); \
  long unused_##name(void) { errno = ENOSYS; return result; }
UNUSED(ibv_get_device_list, 0) UNUSED(ibv_create_srq, 0) UNUSED(ibv_free_device_list, 0) UNUSED(ibv_query_port, -1)
UNUSED(ibv_destroy_srq, -1) UNUSED(ibv_get_async_event, -1) UNUSED(ibv_ack_async_event, -1) UNUSED(rdma_resolve_addr, -1)
UNUSED(rdma_resolve_route, -1) UNUSED(rdma_set_option, -1) UNUSED(rdma_init_qp_attr, -1) UNUSED(rdma_listen, -1)
UNUSED(rdma_connect, -1) UNUSED(rdma_establish, -1) UNUSED(rdma_accept, -1) UNUSED(rdma_reject, -1) UNUSED(rdma_notify, -1)
UNUSED(rdma_disconnect, -1) UNUSED(rdma_get_cm_event, -1) UNUSED(rdma_ack_cm_event, -1) UNUSED(rdma_get_src_port, 0)
