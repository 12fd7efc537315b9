package io.peregrine.verbs;

import io.peregrine.gvsp.RawPacketProvider.Request;
import io.peregrine.gvsp.RawPacketQueue;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.PollSet;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.nativeio.WakeEvent;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A raw packet queue pair of libibverbs ({@code IBV_QPT_RAW_PACKET}), with a flow rule for each endpoint. */
final class RawVerbs implements RawPacketQueue {
    /** Receives posted by one call. */
    private static final int BATCH = 64;

    private static final long DROPS_INTERVAL_NANOS = 200_000_000L;
    private static final int REQUEST_BYTES = VerbsLayout.RECV_WR_BYTES + MAX_PIECES * VerbsLayout.SGE_BYTES;
    private static final int EVENTS = 0;
    private static final int WAKE = 1;

    private final Cleanup cleanup;
    private final RawDevice device;
    private final int depth;
    private final RawCompletions completions;
    private final RawQueuePair queuePair;
    private final PreparedCall postCall;
    private final ByteBuffer requests = NativeMemory.allocate(BATCH * REQUEST_BYTES + 8);
    private final long requestsAddress = NativeMemory.address(requests);
    private final WakeEvent wake = new WakeEvent();
    private final PollSet descriptors;

    /** Receives that were begun and not posted, and the place of the next piece of the last one. */
    private int begun;

    private int pieceAt;
    private final long firstDrops;
    private long lastDrops;
    private long nextDropsAt = System.nanoTime();

    private RawVerbs(Request request, RdmaDevices devices, Cleanup cleanup) {
        this.cleanup = cleanup;
        cleanup.add(wake::close);
        device = RawDevice.open(request.local(), devices, cleanup);
        device.requireSteering(MAX_PIECES);
        depth = Math.min(request.depth(), device.maxPosted());
        completions = new RawCompletions(device, depth, request.completionVector(), cleanup);
        queuePair = new RawQueuePair(device, completions, new RawQueuePair.Room(0, 0, depth, MAX_PIECES), cleanup);
        postCall = VerbsOps.postReceive(
                device.context(), queuePair.address(), requestsAddress, requestsAddress + BATCH * REQUEST_BYTES);
        descriptors = new PollSet(completions.fileDescriptor(), wake.fileDescriptor());
        for (int i = 0; i < BATCH; i++) {
            int at = i * REQUEST_BYTES;
            requests.putLong(at + VerbsLayout.RECV_WR_SG_LIST, requestsAddress + at + VerbsLayout.RECV_WR_BYTES);
        }
        queuePair.initialize();
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

    private void createRule(InetSocketAddress endpoint) {
        long rule =
                FlowRules.create(device.context(), queuePair.address(), device.portNumber(), device.mac(), endpoint);
        if (rule == 0) {
            throw RawQueuePair.refused(
                    device.name() + " takes no flow rule for "
                            + endpoint.getAddress().getHostAddress() + ":" + endpoint.getPort(),
                    Libc.errno());
        }
        cleanup.add(() -> VerbsOps.destroyFlow(device.context(), rule));
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
        return completions.poll();
    }

    @Override
    public int id(int index) {
        return (int) completions.number(index);
    }

    @Override
    public int lengthBytes(int index) {
        return completions.status(index) == VerbsLayout.WC_SUCCESS ? completions.lengthBytes(index) : -1;
    }

    // ---- waiting

    @Override
    public void arm() {
        completions.arm();
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
        if (descriptors.ready(EVENTS)) {
            completions.takeEvents();
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
        return completions.busy();
    }

    @Override
    public void wakeUp() {
        wake.set();
    }

    // ---- life

    @Override
    public void stop() {
        begun = 0;
        queuePair.state(VerbsLayout.QPS_ERR);
    }

    @Override
    public void prepare() {
        queuePair.state(VerbsLayout.QPS_RESET);
        queuePair.initialize();
    }

    @Override
    public void start() {
        flush();
        queuePair.state(VerbsLayout.QPS_RTR);
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
