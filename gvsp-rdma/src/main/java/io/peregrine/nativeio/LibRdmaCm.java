package io.peregrine.nativeio;

/**
 * The functions of {@code librdmacm.so.1}, the RDMA connection manager. Pointers are {@code long}; a call that fails
 * returns -1 (or a null pointer) and leaves the reason in {@link Libc#errno()}. Source: rdma-core,
 * {@code rdma/rdma_cma.h}.
 */
public final class LibRdmaCm {
    /** File name of the library. */
    public static final String FILE_NAME = "librdmacm.so.1";

    private static final String PROBLEM =
            SharedLibrary.bind(LibRdmaCm.class, FILE_NAME, "librdmacm1 (Debian, Ubuntu) or librdmacm (Fedora, RHEL)");

    private LibRdmaCm() {}

    /** Why the calls of this class are not possible; empty when they are. */
    public static String problem() {
        return PROBLEM;
    }

    /** {@code struct rdma_event_channel *rdma_create_event_channel(void)}. */
    public static native long rdma_create_event_channel();

    /** {@code void rdma_destroy_event_channel(struct rdma_event_channel *)}. */
    public static native void rdma_destroy_event_channel(long channel);

    /** {@code int rdma_create_id(struct rdma_event_channel *, struct rdma_cm_id **, void *, enum rdma_port_space)}. */
    public static native int rdma_create_id(long channel, long id, long context, int portSpace);

    /** {@code int rdma_destroy_id(struct rdma_cm_id *)}; waits until every event of the identifier is acknowledged. */
    public static native int rdma_destroy_id(long id);

    /** {@code int rdma_bind_addr(struct rdma_cm_id *, struct sockaddr *)}. */
    public static native int rdma_bind_addr(long id, long address);

    /** {@code int rdma_resolve_addr(struct rdma_cm_id *, struct sockaddr *, struct sockaddr *, int)}. */
    public static native int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis);

    /** {@code int rdma_resolve_route(struct rdma_cm_id *, int)}. */
    public static native int rdma_resolve_route(long id, int timeoutMillis);

    /** {@code int rdma_set_option(struct rdma_cm_id *, int, int, void *, size_t)}. */
    public static native int rdma_set_option(long id, int level, int name, long value, long valueLength);

    /** {@code int rdma_init_qp_attr(struct rdma_cm_id *, struct ibv_qp_attr *, int *)}. */
    public static native int rdma_init_qp_attr(long id, long attributes, long mask);

    /** {@code int rdma_listen(struct rdma_cm_id *, int)}. */
    public static native int rdma_listen(long id, int backlog);

    /** {@code int rdma_connect(struct rdma_cm_id *, struct rdma_conn_param *)}. */
    public static native int rdma_connect(long id, long parameters);

    /** {@code int rdma_establish(struct rdma_cm_id *)}. */
    public static native int rdma_establish(long id);

    /** {@code int rdma_accept(struct rdma_cm_id *, struct rdma_conn_param *)}. */
    public static native int rdma_accept(long id, long parameters);

    /** {@code int rdma_reject(struct rdma_cm_id *, const void *, uint8_t)}. */
    public static native int rdma_reject(long id, long privateData, int length);

    /** {@code int rdma_notify(struct rdma_cm_id *, enum ibv_event_type)}. */
    public static native int rdma_notify(long id, int event);

    /** {@code int rdma_disconnect(struct rdma_cm_id *)}. */
    public static native int rdma_disconnect(long id);

    /** {@code int rdma_get_cm_event(struct rdma_event_channel *, struct rdma_cm_event **)}. */
    public static native int rdma_get_cm_event(long channel, long event);

    /** {@code int rdma_ack_cm_event(struct rdma_cm_event *)}. */
    public static native int rdma_ack_cm_event(long event);

    /** {@code __be16 rdma_get_src_port(struct rdma_cm_id *)}; only the low 16 bits count, in network order. */
    public static native int rdma_get_src_port(long id);
}
