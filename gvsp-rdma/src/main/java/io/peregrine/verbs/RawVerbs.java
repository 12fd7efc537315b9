package io.peregrine.verbs;

import io.peregrine.gvsp.RawPacketProvider.Request;
import io.peregrine.gvsp.RawPacketQueue;
import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.nativeio.PollSet;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.nativeio.WakeEvent;
import io.peregrine.rdma.RdmaException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A raw packet queue pair of libibverbs ({@code IBV_QPT_RAW_PACKET}), with a flow rule for each endpoint. */
final class RawVerbs implements RawPacketQueue {
    /** Completions taken, and receives posted, by one call. */
    private static final int BATCH = 64;

    private static final int ACKNOWLEDGE_BATCH = 64;
    private static final long DROPS_INTERVAL_NANOS = 200_000_000L;
    private static final int REQUEST_BYTES = VerbsLayout.RECV_WR_BYTES + MAX_PIECES * VerbsLayout.SGE_BYTES;
    private static final int EPERM = 1;
    private static final int EINVAL = 22;
    private static final int EVENTS = 0;
    private static final int WAKE = 1;

    private final Cleanup cleanup;
    private final RawDevice device;
    private final int depth;
    private final long channel;
    private final long queue;
    private final long queuePair;
    private final WorkCompletions completions = new WorkCompletions(BATCH);
    private final PreparedCall pollCall;
    private final PreparedCall notifyCall;
    private final PreparedCall postCall;
    private final ByteBuffer requests = NativeMemory.allocate(BATCH * REQUEST_BYTES + 8);
    private final long requestsAddress = NativeMemory.address(requests);
    private final ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.QP_ATTR_BYTES);
    private final ByteBuffer eventMemory = NativeMemory.allocate(16);
    private final long eventAddress = NativeMemory.address(eventMemory);
    private final WakeEvent wake = new WakeEvent();
    private final PollSet descriptors;

    /** Receives that were begun and not posted, and the place of the next piece of the last one. */
    private int begun;

    private int pieceAt;
    private boolean armed;
    private int unacknowledged;
    private final long firstDrops;
    private long lastDrops;
    private long nextDropsAt = System.nanoTime();

    private RawVerbs(Request request, RdmaDevices devices, Cleanup cleanup) {
        this.cleanup = cleanup;
        cleanup.add(wake::close);
        device = RawDevice.open(request.local(), devices, MAX_PIECES, cleanup);
        depth = Math.min(request.depth(), device.maxReceives());
        boolean busy = request.completionVector() < 0;
        channel = busy
                ? 0
                : cleanup.add(
                        LibIbverbs.ibv_create_comp_channel(device.context()), LibIbverbs::ibv_destroy_comp_channel);
        if (!busy && (channel == 0 || !Libc.setNonBlocking(descriptor()))) {
            throw RawDevice.unavailable(device.name() + " makes no completion channel");
        }
        int vector = busy ? 0 : request.completionVector() % device.completionVectors();
        queue = cleanup.add(
                LibIbverbs.ibv_create_cq(device.context(), depth, 0, channel, vector), LibIbverbs::ibv_destroy_cq);
        if (queue == 0) {
            throw RawDevice.unavailable(device.name() + " makes no completion queue of " + depth + " entries");
        }
        cleanup.add(this::acknowledge);
        queuePair = createQueuePair();
        pollCall = VerbsOps.pollCompletionQueue(device.context(), queue, BATCH, completions.address());
        notifyCall = VerbsOps.requestNotification(device.context(), queue);
        postCall = VerbsOps.postReceive(
                device.context(), queuePair, requestsAddress, requestsAddress + BATCH * REQUEST_BYTES);
        descriptors = new PollSet(busy ? -1 : descriptor(), wake.fileDescriptor());
        for (int i = 0; i < BATCH; i++) {
            int at = i * REQUEST_BYTES;
            requests.putLong(at + VerbsLayout.RECV_WR_SG_LIST, requestsAddress + at + VerbsLayout.RECV_WR_BYTES);
        }
        initialize();
        for (InetSocketAddress endpoint : request.endpoints()) {
            createRule(endpoint);
        }
        firstDrops = device.drops();
    }

    /** Opens a queue, not started. */
    static RawVerbs open(Request request, RdmaDevices devices) {
        Cleanup cleanup = new Cleanup();
        try {
            return new RawVerbs(request, devices, cleanup);
        } catch (RuntimeException e) {
            cleanup.close();
            throw e;
        }
    }

    private int descriptor() {
        return NativeMemory.buffer(channel, VerbsLayout.COMP_CHANNEL_BYTES).getInt(VerbsLayout.COMP_CHANNEL_FD);
    }

    private long createQueuePair() {
        ByteBuffer wanted = NativeMemory.allocate(VerbsLayout.QP_INIT_BYTES);
        wanted.putLong(VerbsLayout.QP_INIT_SEND_CQ, queue);
        wanted.putLong(VerbsLayout.QP_INIT_RECV_CQ, queue);
        wanted.putInt(VerbsLayout.QP_INIT_MAX_RECV_WR, depth);
        wanted.putInt(VerbsLayout.QP_INIT_MAX_RECV_SGE, MAX_PIECES);
        wanted.putInt(VerbsLayout.QP_INIT_QP_TYPE, VerbsLayout.QPT_RAW_PACKET);
        long made = cleanup.add(
                LibIbverbs.ibv_create_qp(device.domain(), NativeMemory.address(wanted)), LibIbverbs::ibv_destroy_qp);
        if (made == 0) {
            throw refused("no queue pair for raw packets of " + device.name(), Libc.errno());
        }
        ByteBuffer fields = NativeMemory.buffer(made, VerbsLayout.QP_BYTES_READ);
        if (fields.getLong(VerbsLayout.QP_CONTEXT) != device.context()
                || fields.getLong(VerbsLayout.QP_PD) != device.domain()) {
            throw RawDevice.unknownLayout("ibv_qp");
        }
        return made;
    }

    private void createRule(InetSocketAddress endpoint) {
        long rule = FlowRules.create(device.context(), queuePair, device.portNumber(), device.mac(), endpoint);
        if (rule == 0) {
            throw refused(
                    device.name() + " takes no flow rule for "
                            + endpoint.getAddress().getHostAddress() + ":" + endpoint.getPort(),
                    Libc.errno());
        }
        cleanup.add(() -> VerbsOps.destroyFlow(device.context(), rule));
    }

    private NativeUnavailableException refused(String what, int error) {
        String why = switch (error) {
            case EPERM, Libc.EACCES ->
                ". The right CAP_NET_RAW is missing: run as root, or give it to java" + " (setcap cap_net_raw+ep)";
            case EINVAL -> ". The adapter cannot do this, or the right CAP_NET_RAW is missing";
            default -> "";
        };
        return new NativeUnavailableException(what + ": " + Libc.text(error) + why, null);
    }

    private void initialize() {
        attributes.putInt(VerbsLayout.QP_ATTR_STATE, VerbsLayout.QPS_INIT);
        attributes.put(VerbsLayout.QP_ATTR_PORT_NUM, (byte) device.portNumber());
        int error = LibIbverbs.ibv_modify_qp(
                queuePair, NativeMemory.address(attributes), VerbsLayout.QP_STATE_MASK | VerbsLayout.QP_PORT_MASK);
        if (error != 0) {
            throw refused("the queue pair for raw packets of " + device.name() + " cannot be prepared", error);
        }
    }

    private void state(int state) {
        attributes.putInt(VerbsLayout.QP_ATTR_STATE, state);
        int error = LibIbverbs.ibv_modify_qp(queuePair, NativeMemory.address(attributes), VerbsLayout.QP_STATE_MASK);
        if (error != 0) {
            throw Errors.failed(
                    "Moving the queue pair for raw packets of " + device.name() + " to state " + state, error);
        }
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int register(long address, long lengthBytes) {
        return device.register(address, lengthBytes);
    }

    // ---- posting

    @Override
    public void post(int id) {
        if (begun == BATCH) {
            flush();
        }
        int at = begun++ * REQUEST_BYTES;
        requests.putLong(at + VerbsLayout.RECV_WR_ID, id);
        requests.putLong(at + VerbsLayout.RECV_WR_NEXT, requestsAddress + at + REQUEST_BYTES);
        requests.putInt(at + VerbsLayout.RECV_WR_NUM_SGE, 0);
        pieceAt = at + VerbsLayout.RECV_WR_BYTES;
    }

    @Override
    public void piece(long address, int lengthBytes, int key) {
        int at = (begun - 1) * REQUEST_BYTES;
        requests.putLong(pieceAt + VerbsLayout.SGE_ADDR, address);
        requests.putInt(pieceAt + VerbsLayout.SGE_LENGTH, lengthBytes);
        requests.putInt(pieceAt + VerbsLayout.SGE_LKEY, key);
        pieceAt += VerbsLayout.SGE_BYTES;
        requests.putInt(at + VerbsLayout.RECV_WR_NUM_SGE, requests.getInt(at + VerbsLayout.RECV_WR_NUM_SGE) + 1);
    }

    @Override
    public void flush() {
        if (begun > 0) {
            requests.putLong((begun - 1) * REQUEST_BYTES + VerbsLayout.RECV_WR_NEXT, 0);
            begun = 0;
            int error = postCall.invoke();
            if (error != 0) {
                throw Errors.failed("Posting receives to " + device.name(), Math.abs(error));
            }
        }
    }

    // ---- completions

    @Override
    public int poll() {
        int count = pollCall.invoke();
        if (count < 0) {
            throw new RdmaException("The completion queue of " + device.name() + " cannot be read: error " + count);
        }
        return count;
    }

    @Override
    public int id(int index) {
        return (int) completions.memory().getLong(index * VerbsLayout.WC_BYTES + VerbsLayout.WC_WR_ID);
    }

    @Override
    public int lengthBytes(int index) {
        int at = index * VerbsLayout.WC_BYTES;
        return completions.memory().getInt(at + VerbsLayout.WC_STATUS) == VerbsLayout.WC_SUCCESS
                ? completions.memory().getInt(at + VerbsLayout.WC_BYTE_LEN)
                : -1;
    }

    // ---- waiting

    @Override
    public void arm() {
        if (!busy() && !armed) {
            int error = notifyCall.invoke();
            if (error != 0) {
                throw Errors.failed("Asking for completion events", Math.abs(error));
            }
            armed = true;
        }
    }

    @Override
    public void await(long timeoutNanos) {
        if (busy()) {
            Thread.onSpinWait();
            return;
        }
        if (!descriptors.await(Math.max(0, timeoutNanos))) {
            return;
        }
        if (descriptors.ready(WAKE)) {
            wake.clear();
        }
        while (descriptors.ready(EVENTS) && LibIbverbs.ibv_get_cq_event(channel, eventAddress, eventAddress + 8) == 0) {
            armed = false;
            unacknowledged++;
        }
        if (unacknowledged >= ACKNOWLEDGE_BATCH) {
            acknowledge();
        }
    }

    private void acknowledge() {
        if (unacknowledged > 0) {
            LibIbverbs.ibv_ack_cq_events(queue, unacknowledged);
            unacknowledged = 0;
        }
    }

    @Override
    public void pause(long timeoutNanos) {
        if (descriptors.await(Math.max(0, timeoutNanos), WAKE)) {
            wake.clear();
        }
    }

    @Override
    public boolean busy() {
        return channel == 0;
    }

    @Override
    public void wakeUp() {
        wake.set();
    }

    // ---- life

    @Override
    public void stop() {
        begun = 0;
        state(VerbsLayout.QPS_ERR);
    }

    @Override
    public void prepare() {
        state(VerbsLayout.QPS_RESET);
        initialize();
    }

    @Override
    public void start() {
        flush();
        state(VerbsLayout.QPS_RTR);
    }

    @Override
    public long drops() {
        long now = System.nanoTime();
        if (now - nextDropsAt >= 0) {
            nextDropsAt = now + DROPS_INTERVAL_NANOS;
            lastDrops = Math.max(lastDrops, device.drops() - firstDrops);
        }
        return lastDrops;
    }

    @Override
    public void close() {
        cleanup.close();
    }
}
