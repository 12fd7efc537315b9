package io.peregrine.nativeio;

/**
 * The functions of {@code libibverbs.so.1} that it exports; those of the data path, which its header defines inline,
 * are in {@link VerbsOps}. Pointers and sizes are {@code long}. Source: rdma-core, {@code infiniband/verbs.h}.
 */
public final class LibIbverbs {
    /** File name of the library. */
    public static final String FILE_NAME = "libibverbs.so.1";

    private static final String PROBLEM = SharedLibrary.bind(
            LibIbverbs.class, FILE_NAME, "libibverbs1 (Debian, Ubuntu) or libibverbs (Fedora, RHEL)");

    private LibIbverbs() {}

    /** Why the calls of this class are not possible; empty when they are. */
    public static String problem() {
        return PROBLEM;
    }

    /** {@code struct ibv_device **ibv_get_device_list(int *)}. */
    public static native long ibv_get_device_list(long count);

    /** {@code void ibv_free_device_list(struct ibv_device **)}. */
    public static native void ibv_free_device_list(long list);

    /** {@code const char *ibv_get_device_name(struct ibv_device *)}. */
    public static native long ibv_get_device_name(long device);

    /** {@code int ibv_query_port(struct ibv_context *, uint8_t, struct ibv_port_attr *)}; an error number. */
    public static native int ibv_query_port(long context, int port, long attributes);

    /** {@code int ibv_query_device(struct ibv_context *, struct ibv_device_attr *)}; an error number. */
    public static native int ibv_query_device(long context, long attributes);

    /** {@code struct ibv_pd *ibv_alloc_pd(struct ibv_context *)}. */
    public static native long ibv_alloc_pd(long context);

    /** {@code int ibv_dealloc_pd(struct ibv_pd *)}. */
    public static native int ibv_dealloc_pd(long domain);

    /** {@code struct ibv_mr *ibv_reg_mr(struct ibv_pd *, void *, size_t, int)}. */
    public static native long ibv_reg_mr(long domain, long address, long length, int access);

    /** {@code int ibv_dereg_mr(struct ibv_mr *)}. */
    public static native int ibv_dereg_mr(long region);

    /** {@code struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *)}. */
    public static native long ibv_create_comp_channel(long context);

    /** {@code int ibv_destroy_comp_channel(struct ibv_comp_channel *)}. */
    public static native int ibv_destroy_comp_channel(long channel);

    /** {@code struct ibv_cq *ibv_create_cq(struct ibv_context *, int, void *, struct ibv_comp_channel *, int)}. */
    public static native long ibv_create_cq(long context, int entries, long userContext, long channel, int vector);

    /** {@code int ibv_destroy_cq(struct ibv_cq *)}. */
    public static native int ibv_destroy_cq(long queue);

    /** {@code int ibv_get_cq_event(struct ibv_comp_channel *, struct ibv_cq **, void **)}. */
    public static native int ibv_get_cq_event(long channel, long queue, long userContext);

    /** {@code void ibv_ack_cq_events(struct ibv_cq *, unsigned int)}. */
    public static native void ibv_ack_cq_events(long queue, int count);

    /** {@code struct ibv_srq *ibv_create_srq(struct ibv_pd *, struct ibv_srq_init_attr *)}. */
    public static native long ibv_create_srq(long domain, long attributes);

    /** {@code int ibv_destroy_srq(struct ibv_srq *)}. */
    public static native int ibv_destroy_srq(long queue);

    /** {@code struct ibv_qp *ibv_create_qp(struct ibv_pd *, struct ibv_qp_init_attr *)}. */
    public static native long ibv_create_qp(long domain, long attributes);

    /** {@code int ibv_modify_qp(struct ibv_qp *, struct ibv_qp_attr *, int)}; an error number. */
    public static native int ibv_modify_qp(long queuePair, long attributes, int mask);

    /** {@code int ibv_destroy_qp(struct ibv_qp *)}. */
    public static native int ibv_destroy_qp(long queuePair);

    /** {@code int ibv_get_async_event(struct ibv_context *, struct ibv_async_event *)}. */
    public static native int ibv_get_async_event(long context, long event);

    /** {@code void ibv_ack_async_event(struct ibv_async_event *)}. */
    public static native void ibv_ack_async_event(long event);
}
