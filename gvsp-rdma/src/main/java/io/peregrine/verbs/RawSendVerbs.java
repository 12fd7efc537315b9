package io.peregrine.verbs;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.nativeio.PollSet;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.rdma.RawSendProvider.Request;
import io.peregrine.rdma.RawSendQueue;
import io.peregrine.rdma.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A raw packet queue pair of libibverbs that sends. */
final class RawSendVerbs implements RawSendQueue {
    /** Most packets posted by one call. */
    private static final int MAX_BATCH = 64;

    private static final int REQUEST_BYTES = VerbsLayout.SEND_WR_BYTES + MAX_PIECES * VerbsLayout.SGE_BYTES;
    private static final long WAIT_NANOS = 100_000_000;

    /** Registered memory: its buffer stays reachable as long as the adapter may read it. */
    private record Region(ByteBuffer memory, long address, long region, int key) {}

    private final Cleanup cleanup;
    private final RawDevice device;
    private final int depth;
    private final int batch;
    private final int maxPoll;
    private final RawCompletions completions;
    private final RawQueuePair queuePair;
    private final PreparedCall postCall;
    private final ByteBuffer requests = NativeMemory.allocate(MAX_BATCH * REQUEST_BYTES + 8);
    private final long requestsAddress = NativeMemory.address(requests);
    private final PollSet descriptors;
    private final List<@Nullable Region> regions = new ArrayList<>();

    /** Packets that were begun and not posted, and the place of the next piece of the last one. */
    private int begun;

    private int pieceAt;
    private long sent = -1;
    private boolean broken;

    private RawSendVerbs(Request request, RdmaDevices devices, Cleanup cleanup) {
        this.cleanup = cleanup;
        maxPoll = request.maxPoll();
        device = RawDevice.open(request.local(), devices, cleanup);
        device.requirePieces(MAX_PIECES);
        depth = Math.min(request.depth(), device.maxPosted());
        // Each ends with a completion, so that the next are posted while these are sent.
        batch = Math.max(1, Math.min(MAX_BATCH, depth / 4));
        completions = new RawCompletions(device, depth, request.completionVector(), cleanup);
        // Some drivers make no queue pair that cannot receive.
        queuePair = new RawQueuePair(device, completions, new RawQueuePair.Room(depth, MAX_PIECES, 1, 1), cleanup);
        postCall = VerbsOps.postSend(
                device.context(), queuePair.address(), requestsAddress, requestsAddress + MAX_BATCH * REQUEST_BYTES);
        descriptors = new PollSet(completions.fileDescriptor());
        for (int i = 0; i < MAX_BATCH; i++) {
            int at = i * REQUEST_BYTES;
            requests.putLong(at + VerbsLayout.SEND_WR_SG_LIST, requestsAddress + at + VerbsLayout.SEND_WR_BYTES);
            requests.putInt(at + VerbsLayout.SEND_WR_OPCODE, VerbsLayout.WR_SEND);
        }
        queuePair.initialize();
        queuePair.state(VerbsLayout.QPS_RTR);
        queuePair.state(VerbsLayout.QPS_RTS);
    }

    /** Opens a queue that sends. */
    static RawSendVerbs open(Request request, RdmaDevices devices) {
        Cleanup cleanup = new Cleanup();
        try {
            return new RawSendVerbs(request, devices, cleanup);
        } catch (RuntimeException e) {
            cleanup.close();
            throw e;
        }
    }

    @Override
    public String deviceName() {
        return device.name();
    }

    @Override
    public byte[] mac() {
        return device.mac();
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public String limitRate(long kilobitsPerSecond) {
        ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.RATE_LIMIT_BYTES);
        attributes.putInt(0, (int) Math.min(kilobitsPerSecond, 0xFFFFFFFFL));
        int error = VerbsOps.limitRate(device.context(), queuePair.address(), NativeMemory.address(attributes));
        return error == 0 ? "" : Libc.text(error);
    }

    // ---- memory

    @Override
    public int register(ByteBuffer memory) {
        Region made;
        try {
            long address = NativeMemory.address(memory);
            long region = device.region(address, memory.capacity());
            made = new Region(memory, address, region, RawDevice.key(region));
        } catch (NativeUnavailableException e) {
            throw new RdmaException(e.getMessage(), e);
        }
        int free = regions.indexOf(null);
        if (free < 0) {
            regions.add(made);
            return regions.size() - 1;
        }
        regions.set(free, made);
        return free;
    }

    @Override
    public void unregister(int region) {
        Region known = regions.set(region, null);
        if (known != null) {
            device.deregister(known.region());
        }
    }

    // ---- posting

    @Override
    public void post(long number) {
        if (begun == batch) {
            flush();
        }
        int at = begun++ * REQUEST_BYTES;
        requests.putLong(at + VerbsLayout.SEND_WR_ID, number);
        requests.putLong(at + VerbsLayout.SEND_WR_NEXT, requestsAddress + at + REQUEST_BYTES);
        requests.putInt(at + VerbsLayout.SEND_WR_NUM_SGE, 0);
        requests.putInt(at + VerbsLayout.SEND_WR_FLAGS, 0);
        pieceAt = at + VerbsLayout.SEND_WR_BYTES;
    }

    @Override
    public void piece(int region, int offset, int lengthBytes) {
        Region from = regions.get(region);
        int at = (begun - 1) * REQUEST_BYTES;
        requests.putLong(pieceAt + VerbsLayout.SGE_ADDR, from.address() + offset);
        requests.putInt(pieceAt + VerbsLayout.SGE_LENGTH, lengthBytes);
        requests.putInt(pieceAt + VerbsLayout.SGE_LKEY, from.key());
        pieceAt += VerbsLayout.SGE_BYTES;
        requests.putInt(at + VerbsLayout.SEND_WR_NUM_SGE, requests.getInt(at + VerbsLayout.SEND_WR_NUM_SGE) + 1);
    }

    @Override
    public void flush() {
        if (begun > 0) {
            int last = (begun - 1) * REQUEST_BYTES;
            requests.putLong(last + VerbsLayout.SEND_WR_NEXT, 0);
            requests.putInt(last + VerbsLayout.SEND_WR_FLAGS, VerbsLayout.SEND_SIGNALED);
            begun = 0;
            int error = postCall.invoke();
            if (error != 0) {
                throw Errors.failed("Posting packets to " + device.name(), Math.abs(error));
            }
        }
    }

    // ---- completions

    @Override
    public long sent() {
        int count = completions.poll();
        for (int i = 0; i < count; i++) {
            int status = completions.status(i);
            if (broken) {
                continue;
            }
            if (status != VerbsLayout.WC_SUCCESS) {
                broken = true;
                throw new RdmaException(
                        "The adapter " + device.name() + " could not send a packet: completion status " + status);
            }
            sent = completions.number(i);
        }
        return sent;
    }

    @Override
    public boolean await(long number, long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        int polls = 1;
        while (sent() < number) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            if (completions.busy() || polls++ < maxPoll) {
                Thread.onSpinWait();
                continue;
            }
            // What completes before the interrupt is armed wakes nobody.
            completions.arm();
            if (sent() < number && descriptors.await(Math.min(left, WAIT_NANOS))) {
                completions.takeEvents();
            }
            polls = 1;
        }
        return true;
    }

    @Override
    public void close() {
        cleanup.close();
        regions.clear();
    }
}
