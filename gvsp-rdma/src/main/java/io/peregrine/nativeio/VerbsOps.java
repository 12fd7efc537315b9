package io.peregrine.nativeio;

import java.util.List;

/**
 * The calls of the data path, which {@code infiniband/verbs.h} defines inline: each goes through a function pointer in
 * {@code struct ibv_context}. The offsets are those of rdma-core on 64-bit systems and have not changed since its first
 * version of this interface.
 */
public final class VerbsOps {
    /** {@code ibv_context.ops.poll_cq}. */
    public static final int POLL_CQ_OFFSET = 96;
    /** {@code ibv_context.ops.req_notify_cq}. */
    public static final int REQ_NOTIFY_CQ_OFFSET = 104;
    /** {@code ibv_context.ops.post_srq_recv}. */
    public static final int POST_SRQ_RECV_OFFSET = 168;
    /** {@code ibv_context.ops.post_send}. */
    public static final int POST_SEND_OFFSET = 208;
    /** {@code ibv_context.ops.post_recv}. */
    public static final int POST_RECV_OFFSET = 216;

    private VerbsOps() {}

    /** The function pointers that this class calls, by name of the function, for a check before first use. */
    public static List<Function> functions(long context) {
        return List.of(
                function("poll_cq", context, POLL_CQ_OFFSET),
                function("req_notify_cq", context, REQ_NOTIFY_CQ_OFFSET),
                function("post_srq_recv", context, POST_SRQ_RECV_OFFSET),
                function("post_send", context, POST_SEND_OFFSET),
                function("post_recv", context, POST_RECV_OFFSET));
    }

    /**
     * A function of the device's driver.
     *
     * @param name its name
     * @param address where it is
     */
    public record Function(String name, long address) {}

    private static Function function(String name, long context, int offset) {
        return new Function(name, pointer(context, offset));
    }

    private static long pointer(long context, int offset) {
        return NativeMemory.buffer(context + offset, 8).getLong(0);
    }

    /** {@code int poll_cq(struct ibv_cq *, int, struct ibv_wc *)}: number of completions, negative on error. */
    public static PreparedCall pollCompletionQueue(long context, long queue, int entries, long completions) {
        return new PreparedCall(
                Interfaces.POINTER_INT_POINTER, pointer(context, POLL_CQ_OFFSET), queue, entries, completions);
    }

    /** {@code int req_notify_cq(struct ibv_cq *, int)}: an error number. */
    public static PreparedCall requestNotification(long context, long queue) {
        return new PreparedCall(Interfaces.POINTER_INT, pointer(context, REQ_NOTIFY_CQ_OFFSET), queue, 0);
    }

    /** {@code int post_send(struct ibv_qp *, struct ibv_send_wr *, struct ibv_send_wr **)}: an error number. */
    public static PreparedCall postSend(long context, long queuePair, long request, long badRequest) {
        return new PreparedCall(
                Interfaces.THREE_POINTERS, pointer(context, POST_SEND_OFFSET), queuePair, request, badRequest);
    }

    /** {@code int post_recv(struct ibv_qp *, struct ibv_recv_wr *, struct ibv_recv_wr **)}: an error number. */
    public static PreparedCall postReceive(long context, long queuePair, long request, long badRequest) {
        return new PreparedCall(
                Interfaces.THREE_POINTERS, pointer(context, POST_RECV_OFFSET), queuePair, request, badRequest);
    }

    /** {@code int post_srq_recv(struct ibv_srq *, struct ibv_recv_wr *, struct ibv_recv_wr **)}: an error number. */
    public static PreparedCall postSharedReceive(long context, long queue, long request, long badRequest) {
        return new PreparedCall(
                Interfaces.THREE_POINTERS, pointer(context, POST_SRQ_RECV_OFFSET), queue, request, badRequest);
    }

    /** Prepared when first needed, since that needs native access. */
    private static final class Interfaces {
        static final CallInterface POINTER_INT_POINTER = new CallInterface("pip");
        static final CallInterface POINTER_INT = new CallInterface("pi");
        static final CallInterface THREE_POINTERS = new CallInterface("ppp");
    }
}
