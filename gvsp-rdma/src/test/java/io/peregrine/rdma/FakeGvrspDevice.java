package io.peregrine.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.stream.RdmaMode;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The device's side of the interim mapping, written from its description and driven by a test: it does what the test
 * says when the test says so, right or wrong. No class of the host's side that knows bytes is used.
 */
final class FakeGvrspDevice implements GvrspControl {
    static final long NONCE = 0x0102030405060708L;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int RECEIVES = 64;
    private static final int MAX_ANNOUNCEMENT = 8 + 24 * 2;

    record Target(long address, int key, long length) {}

    record Announcement(int setId, List<Target> flows) {}

    final FakeFabric.Transport transport;
    private final long[] flowSizes;
    private final InetSocketAddress endpoint;
    private final ArrayDeque<Announcement> announced = new ArrayDeque<>();
    private final CompletionQueue queue;
    private final RdmaMemory inbox = RdmaMemory.of(ByteBuffer.allocateDirect(RECEIVES * MAX_ANNOUNCEMENT));
    private final MemoryRegion inboxRegion;
    private volatile FakeFabric.Connection connection;

    final List<String> log = new ArrayList<>();
    volatile RdmaMode mode = RdmaMode.SEND;
    volatile long expectedNonce = NONCE;
    volatile long containerBytes;
    volatile int refusals;
    volatile int refusalStatus = 0x8007;
    volatile boolean deaf;
    volatile int connects;
    volatile long dropped;

    FakeGvrspDevice(FakeFabric fabric, long... flowSizes) {
        this(fabric, "127.0.0.2", flowSizes);
    }

    FakeGvrspDevice(FakeFabric fabric, String address, long... flowSizes) {
        transport = fabric.transport(address);
        this.flowSizes = flowSizes.clone();
        containerBytes = java.util.Arrays.stream(flowSizes).sum();
        queue = transport.completionQueue(CompletionQueueSettings.of(1000));
        inboxRegion = transport.register(inbox);
        endpoint = transport.onConnect(7471, this::asked);
    }

    // ---- registers

    @Override
    public synchronized GvrspSession open(RdmaMode wanted) {
        mode = wanted;
        log.add("open " + wanted);
        return new GvrspSession(0, wanted, NONCE, endpoint);
    }

    /** Lets nobody in by the nonce before. */
    @Override
    public synchronized GvrspSession renew(GvrspSession session) {
        expectedNonce++;
        return session.withNonce(expectedNonce);
    }

    @Override
    public synchronized long blocksDropped() {
        return dropped;
    }

    @Override
    public synchronized void close() {
        FakeFabric.Connection current = connection;
        log.add("close, " + (current == null ? "never connected" : current.state()));
    }

    // ---- connection

    private synchronized void asked(FakeFabric.Request request) {
        connects++;
        ByteBuffer data = ByteBuffer.wrap(request.privateData()).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(56, data.remaining());
        assertEquals('G' | 'V' << 8 | 'R' << 16 | '0' << 24, data.getInt(0));
        assertEquals(flowSizes.length, data.getShort(10));
        assertTrue(data.getInt(12) > 0);
        if (deaf) {
            return;
        }
        int status = refusals > 0
                ? refusalStatus
                : data.getLong(16) != expectedNonce
                        ? 0x8006
                        : data.getShort(8) != (mode == RdmaMode.SEND ? 1 : 2) ? 0x8002 : 0;
        if (status != 0) {
            refusals--;
            request.reject(little(6)
                    .put(new byte[] {'G', 'V', 'R', '0'})
                    .putShort((short) status)
                    .array());
            return;
        }
        announced.clear();
        FakeFabric.Connection made = request.prepareOn(transport, ConnectionSettings.of(queue, 64, RECEIVES));
        for (int i = 0; i < RECEIVES; i++) {
            made.postReceive(i, inboxRegion, (long) i * MAX_ANNOUNCEMENT, MAX_ANNOUNCEMENT);
        }
        connection = made;
        made.accept(
                little(16)
                        .put(new byte[] {'G', 'V', 'R', '0'})
                        .putShort((short) 0)
                        .putShort((short) 0)
                        .putLong(containerBytes)
                        .array(),
                LONG);
    }

    FakeFabric.Connection connection() {
        return connection;
    }

    private static ByteBuffer little(int length) {
        return ByteBuffer.wrap(new byte[length]).order(ByteOrder.LITTLE_ENDIAN);
    }

    // ---- announcements

    /** Waits until so many flow sets are announced and not used. */
    FakeGvrspDevice awaitAnnounced(int count) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (announcedNow() < count) {
            assertTrue(System.nanoTime() - deadline < 0, () -> "only " + announcedNow() + " announced");
            queue.await(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertEquals(count, announcedNow());
        return this;
    }

    synchronized int announcedNow() {
        while (queue.poll(this::onCompletion) > 0) {
            // As long as there is any.
        }
        return announced.size();
    }

    /** The flow set that is used next. */
    synchronized Optional<Announcement> nextAnnounced() {
        announcedNow();
        return Optional.ofNullable(announced.peek());
    }

    private void onCompletion(Completion completion) {
        if (completion.operation() != Completion.Operation.RECEIVE
                || completion.status() != Completion.Status.SUCCESS
                || completion.connection() != connection) {
            return;
        }
        int slot = (int) completion.workId();
        ByteBuffer text = ByteBuffer.allocate(MAX_ANNOUNCEMENT).order(ByteOrder.LITTLE_ENDIAN);
        inbox.get((long) slot * MAX_ANNOUNCEMENT, text, (int) completion.lengthBytes());
        text.flip();
        int flows = text.getShort(4);
        assertEquals(mode == RdmaMode.SEND ? 0 : flowSizes.length, flows);
        assertEquals(8 + 24 * flows, text.remaining());
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < flows; i++) {
            targets.add(
                    new Target(text.getLong(8 + 24 * i), text.getInt(8 + 24 * i + 8), text.getLong(8 + 24 * i + 16)));
        }
        announced.add(new Announcement(text.getInt(0), targets));
        if (completion.connection().state() == RdmaConnection.State.CONNECTED) {
            connection.postReceive(slot, inboxRegion, (long) slot * MAX_ANNOUNCEMENT, MAX_ANNOUNCEMENT);
        }
    }

    // ---- blocks

    private MemoryRegion memory(byte[] bytes) {
        ByteBuffer direct = ByteBuffer.allocateDirect(Math.max(1, bytes.length));
        direct.put(0, bytes);
        return transport.register(RdmaMemory.of(direct));
    }

    void sendMessage(byte[] bytes) {
        connection.postSend(1000, memory(bytes), 0, bytes.length);
    }

    /** Sends a block as one should. */
    void send(byte[]... flows) {
        announcedNow();
        announced.remove();
        for (byte[] flow : flows) {
            sendMessage(flow);
        }
    }

    /** Writes the flows of a block, and tells nobody. */
    Announcement write(byte[]... flows) {
        announcedNow();
        Announcement target = announced.remove();
        for (int i = 0; i < flows.length; i++) {
            connection.postWrite(
                    2000,
                    memory(flows[i]),
                    0,
                    flows[i].length,
                    target.flows().get(i).address(),
                    target.flows().get(i).key());
        }
        return target;
    }

    /** Tells that a block was written. */
    void done(int setId, int status, long blockId, long total, long... lengths) {
        byte[] bytes = new byte[32 + 8 * lengths.length];
        ByteBuffer text = ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(setId)
                .putShort((short) status)
                .putShort((short) lengths.length)
                .putLong(blockId)
                .putLong(total)
                .putLong(dropped);
        for (long length : lengths) {
            text.putLong(length);
        }
        sendMessage(bytes);
    }

    /** Writes a block as one should. */
    void writeBlock(long blockId, byte[]... flows) {
        Announcement target = write(flows);
        long total = 0;
        long[] lengths = new long[flows.length];
        for (int i = 0; i < flows.length; i++) {
            lengths[i] = flows[i].length;
            total += lengths[i];
        }
        done(target.setId(), 0, blockId, total, lengths);
    }
}
