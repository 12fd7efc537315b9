package io.peregrine.nativeio;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
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

    /** {@code ibv_context.abi_compat}: all bits set where {@code struct verbs_context} surrounds the context. */
    public static final int ABI_COMPAT_OFFSET = 320;
    /** Bytes of {@code ibv_context}, the last member of {@code verbs_context}. */
    public static final int CONTEXT_BYTES = 328;
    /** {@code verbs_context.sz}, from the context. */
    public static final int EXTENDED_SIZE_OFFSET = -8;
    /** {@code verbs_context.ibv_create_flow}, from the context. */
    public static final int CREATE_FLOW_OFFSET = -80;
    /** {@code verbs_context.ibv_destroy_flow}, from the context. */
    public static final int DESTROY_FLOW_OFFSET = -96;

    /** {@code verbs_context.modify_qp_rate_limit}, from the context. */
    public static final int RATE_LIMIT_OFFSET = -216;

    private static final long EXTENDED_ABI = -1;

    private VerbsOps() {}

    /**
     * Whether the driver has flow rules ({@code verbs_get_ctx_op} of the header): only then are the calls for them
     * possible.
     */
    public static boolean hasFlowRules(long context) {
        return has(context, CREATE_FLOW_OFFSET) && has(context, DESTROY_FLOW_OFFSET);
    }

    private static boolean has(long context, int offset) {
        return pointer(context, ABI_COMPAT_OFFSET) == EXTENDED_ABI
                && pointer(context, EXTENDED_SIZE_OFFSET) >= CONTEXT_BYTES - offset
                && pointer(context, offset) != 0;
    }

    /**
     * {@code int ibv_modify_qp_rate_limit(struct ibv_qp *, struct ibv_qp_rate_limit_attr *)}: an error number, that of
     * an unsupported operation where the driver has no such function.
     */
    public static int limitRate(long context, long queuePair, long attributes) {
        return has(context, RATE_LIMIT_OFFSET)
                ? Function.getFunction(new Pointer(pointer(context, RATE_LIMIT_OFFSET)))
                        .invokeInt(new Object[] {queuePair, attributes})
                : Libc.EOPNOTSUPP;
    }

    /**
     * {@code struct ibv_flow *ibv_create_flow(struct ibv_qp *, struct ibv_flow_attr *)}: null on failure, with the
     * reason in {@link Libc#errno()}.
     */
    public static long createFlow(long context, long queuePair, long attributes) {
        return Function.getFunction(new Pointer(pointer(context, CREATE_FLOW_OFFSET)))
                .invokeLong(new Object[] {queuePair, attributes});
    }

    /** {@code int ibv_destroy_flow(struct ibv_flow *)}: an error number. */
    public static int destroyFlow(long context, long flow) {
        return Function.getFunction(new Pointer(pointer(context, DESTROY_FLOW_OFFSET)))
                .invokeInt(new Object[] {flow});
    }

    /** The function pointers that this class calls, by name of the function, for a check before first use. */
    public static List<Op> functions(long context) {
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
    public record Op(String name, long address) {}

    private static Op function(String name, long context, int offset) {
        return new Op(name, pointer(context, offset));
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
