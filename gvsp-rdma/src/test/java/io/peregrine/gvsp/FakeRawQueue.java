package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.NativeMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A raw packet queue without an adapter: the test says what arrives. Writes only where it was allowed to. */
final class FakeRawQueue implements RawPacketQueue {
    private static final int MOST_COMPLETIONS = 64;

    private record Region(long address, long lengthBytes) {}

    private record Piece(long address, int lengthBytes, int key) {}

    private record Receive(int id, List<Piece> pieces) {}

    private record Completion(int id, int lengthBytes) {}

    private final int depth;
    private final List<Region> regions = new ArrayList<>();
    private final Deque<Receive> posted = new ArrayDeque<>();
    private final Deque<Completion> completed = new ArrayDeque<>();
    private final List<Completion> polled = new ArrayList<>();
    private Receive begun;
    private boolean running;
    private long drops;

    FakeRawQueue(int depth) {
        this.depth = depth;
    }

    /** A packet arrives. */
    void arrive(byte[] packet) {
        if (!running || posted.isEmpty()) {
            drops++;
            return;
        }
        Receive receive = posted.poll();
        int at = 0;
        for (Piece piece : receive.pieces()) {
            int bytes = Math.min(piece.lengthBytes(), packet.length - at);
            NativeMemory.buffer(piece.address(), piece.lengthBytes()).put(0, packet, at, bytes);
            at += bytes;
        }
        completed.add(new Completion(receive.id(), at == packet.length ? at : -1));
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int register(long address, long lengthBytes) {
        regions.add(new Region(address, lengthBytes));
        return regions.size() - 1;
    }

    @Override
    public void post(int id) {
        assertTrue(posted.stream().noneMatch(receive -> receive.id() == id), "posted twice");
        assertTrue(completed.stream().noneMatch(completion -> completion.id() == id), "posted before it was polled");
        begun = new Receive(id, new ArrayList<>());
        posted.add(begun);
        assertTrue(posted.size() <= depth);
    }

    @Override
    public void piece(long address, int lengthBytes, int key) {
        Region region = regions.get(key);
        assertTrue(lengthBytes > 0 && address >= region.address());
        assertTrue(address + lengthBytes <= region.address() + region.lengthBytes());
        begun.pieces().add(new Piece(address, lengthBytes, key));
        assertTrue(begun.pieces().size() <= MAX_PIECES);
    }

    @Override
    public void flush() {}

    @Override
    public int poll() {
        polled.clear();
        while (polled.size() < MOST_COMPLETIONS && !completed.isEmpty()) {
            polled.add(completed.poll());
        }
        return polled.size();
    }

    @Override
    public int id(int index) {
        return polled.get(index).id();
    }

    @Override
    public int lengthBytes(int index) {
        return polled.get(index).lengthBytes();
    }

    @Override
    public void arm() {}

    @Override
    public void await(long timeoutNanos) {}

    @Override
    public void pause(long timeoutNanos) {}

    @Override
    public boolean busy() {
        return false;
    }

    @Override
    public void wakeUp() {}

    @Override
    public void stop() {
        running = false;
        posted.forEach(receive -> completed.add(new Completion(receive.id(), -1)));
        posted.clear();
    }

    @Override
    public void prepare() {}

    @Override
    public void start() {
        running = true;
    }

    @Override
    public long drops() {
        return drops;
    }

    @Override
    public void close() {
        running = false;
        posted.clear();
    }

    /** An Ethernet packet with UDP data. */
    static byte[] ethernet(int source, int sourcePort, int destination, int port, ByteBuffer data) {
        int bytes = data.remaining();
        ByteBuffer packet = ByteBuffer.allocate(RawUdp.HEADER_BYTES + bytes);
        packet.putShort(12, (short) 0x0800).put(14, (byte) 0x45).putShort(16, (short) (28 + bytes));
        packet.put(22, (byte) 64).put(23, (byte) 17).putInt(26, source).putInt(30, destination);
        packet.putShort(34, (short) sourcePort).putShort(36, (short) port).putShort(38, (short) (8 + bytes));
        packet.put(RawUdp.HEADER_BYTES, data, data.position(), bytes);
        return packet.array();
    }
}
