package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An application that receives by RDMA, written from the interim mapping byte by byte. */
final class RdmaHost implements AutoCloseable {
    static final int SEND = 1;
    static final int WRITE = 2;
    static final int BASE = 0xB000;
    static final int MODE = BASE + 0x10;
    static final int NONCE_HIGH = BASE + 0x20;
    static final int NONCE_LOW = BASE + 0x24;
    static final long NONCE = 0x0123_4567_89AB_CDEFL;
    static final int GEV_ERROR = 0x8FFF;

    private static final long DONE = 1L << 40;
    private static final long OWN = 1L << 41;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** A block as the host sees it. In SEND mode the camera says no more than the container does. */
    record Block(
            int setId,
            int status,
            long blockId,
            long bytes,
            long dropped,
            List<Long> flowBytes,
            ByteBuffer container) {}

    final Client client;
    final int mode;
    final long[] flowSizes;
    private final RdmaTransport transport;
    private final CompletionQueue completions;
    private final List<MemoryRegion> registered = new ArrayList<>();
    private final List<ByteBuffer[]> sets = new ArrayList<>();
    private final List<MemoryRegion[]> setRegions = new ArrayList<>();
    private final ArrayDeque<Integer> announced = new ArrayDeque<>();
    private final ArrayDeque<Block> blocks = new ArrayDeque<>();
    private RdmaConnection connection;
    private ByteBuffer messages;
    private MemoryRegion messageRegion;
    private ByteBuffer doneMessages;
    private MemoryRegion doneRegion;
    private long[] filling;
    private int nextFlow;
    private int sendsPending;
    private int nextMessage;
    private boolean lost;

    /** Takes control and sets the camera up for RDMA; not connected yet. */
    RdmaHost(RdmaTransport transport, Client client, int mode) throws IOException {
        this.transport = transport;
        this.client = client;
        this.mode = mode;
        client.write(0x0A00, 2);
        client.write(0x0954, 0x1); // It writes no registers while it waits for blocks: no heartbeat.
        client.write(0x0D24, 0x80);
        ByteBuffer bootstrap = ByteBuffer.wrap(client.readMemory(client.read(0x0D3C), 16));
        ByteBuffer table = ByteBuffer.wrap(client.readMemory(bootstrap.getInt(8), bootstrap.getInt(12)))
                .order(ByteOrder.LITTLE_ENDIAN);
        flowSizes = new long[table.getInt(12)];
        for (int i = 0; i < flowSizes.length; i++) {
            flowSizes[i] = table.getLong(16 + 8 * i);
        }
        completions = transport.completionQueue(CompletionQueueSettings.of(4096));
        writeNonce();
        client.write(MODE, mode);
        client.write(
                0x0D18, ByteBuffer.wrap(transport.localAddress().getAddress()).getInt());
    }

    /** It is good for one connection. */
    private void writeNonce() throws IOException {
        client.write(NONCE_HIGH, (int) (NONCE >>> 32));
        client.write(NONCE_LOW, (int) NONCE);
    }

    /** The private data of a request, as the mapping has it. */
    ByteBuffer greeting(int depth) {
        return ByteBuffer.allocate(32)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {'G', 'V', 'R', '0'})
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) mode)
                .putShort((short) flowSizes.length)
                .putInt(depth)
                .putLong(NONCE)
                .putLong(0)
                .flip();
    }

    /** Connects, with receives posted for that many flow sets; none is announced. */
    byte[] connect(int depth) throws IOException {
        return connect(depth, greeting(depth));
    }

    byte[] connect(int depth, ByteBuffer greeting) throws IOException {
        if (connection != null) {
            writeNonce();
        }
        return replay(depth, greeting);
    }

    /** Connects without writing a new nonce. */
    byte[] replay(int depth, ByteBuffer greeting) throws IOException {
        allocate(depth);
        connection = transport.prepare(
                new InetSocketAddress(client.cameraAddress(), client.read(BASE + 0x0C)),
                ConnectionSettings.of(completions, 256, (depth + 4) * (flowSizes.length + 1)));
        if (mode == WRITE) {
            for (int i = 0; i < depth + 4; i++) {
                postDone(i);
            }
        }
        byte[] answer = connection.connect(bytes(greeting), TIMEOUT);
        lost = false;
        return answer;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] array = new byte[buffer.remaining()];
        buffer.duplicate().get(array);
        return array;
    }

    private MemoryRegion register(ByteBuffer memory, RemoteAccess access) {
        MemoryRegion region = transport.register(RdmaMemory.of(memory), access);
        registered.add(region);
        return region;
    }

    private void allocate(int depth) {
        sets.clear();
        setRegions.clear();
        announced.clear();
        filling = new long[flowSizes.length];
        nextFlow = 0;
        for (int set = 0; set < depth; set++) {
            ByteBuffer[] flows = new ByteBuffer[flowSizes.length];
            MemoryRegion[] regions = new MemoryRegion[flows.length];
            for (int flow = 0; flow < flows.length; flow++) {
                flows[flow] = ByteBuffer.allocateDirect((int) flowSizes[flow]);
                regions[flow] = register(flows[flow], mode == WRITE ? RemoteAccess.WRITE : RemoteAccess.NONE);
            }
            sets.add(flows);
            setRegions.add(regions);
        }
        messages = ByteBuffer.allocateDirect(64 * messageBytes()).order(ByteOrder.LITTLE_ENDIAN);
        messageRegion = register(messages, RemoteAccess.NONE);
        doneMessages = ByteBuffer.allocateDirect((depth + 4) * doneBytes()).order(ByteOrder.LITTLE_ENDIAN);
        doneRegion = register(doneMessages, RemoteAccess.NONE);
    }

    private int messageBytes() {
        return 8 + 24 * flowSizes.length + 8;
    }

    private int doneBytes() {
        return 32 + 8 * flowSizes.length;
    }

    private void postDone(int index) {
        connection.postReceive(DONE | index, doneRegion, (long) index * doneBytes(), doneBytes());
    }

    /** Announces sets, and waits until the camera has the announcements. */
    void announce(int... setIds) {
        for (int set : setIds) {
            if (mode == SEND) {
                for (int flow = 0; flow < flowSizes.length; flow++) {
                    connection.postReceive(
                            (long) set << 16 | flow, setRegions.get(set)[flow], 0, (int) flowSizes[flow]);
                }
                announced.add(set);
            }
            sendMessage(announcement(set, set));
        }
        awaitSends();
    }

    /** Announces the first sets. */
    void announceFirst(int count) {
        announce(IntStream.range(0, count).toArray());
    }

    /** The message that announces the memory of a set under an id. */
    ByteBuffer announcement(int set, int setId) {
        int flows = mode == WRITE ? flowSizes.length : 0;
        ByteBuffer message = ByteBuffer.allocate(8 + 24 * flows).order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(setId).putShort((short) flows).putShort((short) 0);
        for (int flow = 0; flow < flows; flow++) {
            MemoryRegion region = setRegions.get(set)[flow];
            message.putLong(region.remoteAddress())
                    .putInt(region.remoteKey())
                    .putInt(0)
                    .putLong(flowSizes[flow]);
        }
        return message.flip();
    }

    /** Sends whatever bytes to the camera. */
    void sendMessage(ByteBuffer message) {
        int at = nextMessage % 64 * messageBytes();
        nextMessage++;
        int length = message.remaining();
        messages.put(at, message, message.position(), length);
        connection.postSend(OWN, messageRegion, at, length);
        sendsPending++;
        if (sendsPending >= 32) {
            awaitSends();
        }
    }

    private void awaitSends() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (sendsPending > 0 && !lost && deadline - System.nanoTime() > 0) {
            pollOrWait(deadline);
        }
    }

    private void pollOrWait(long deadline) {
        if (completions.poll(this::onCompletion) == 0) {
            if (connection.state() != RdmaConnection.State.CONNECTED) {
                lost = true;
                return;
            }
            completions.await(deadline);
        }
    }

    private void onCompletion(Completion completion) {
        long id = completion.workId();
        if (completion.connection() != connection) {
            return;
        }
        if (id == OWN) {
            sendsPending--;
        }
        if (completion.status() != Completion.Status.SUCCESS) {
            lost = true;
            return;
        }
        if ((id & DONE) != 0) {
            doneReceived((int) (id & 0xFFFF), completion.lengthBytes());
        } else if (id != OWN) {
            int set = (int) (id >>> 16);
            assertEquals(announced.peek(), set, "sets are filled in the order of the announcements");
            assertEquals(nextFlow, (int) (id & 0xFFFF), "flows are filled in order");
            filling[nextFlow++] = completion.lengthBytes();
            if (nextFlow == flowSizes.length) {
                announced.remove();
                nextFlow = 0;
                ByteBuffer container = container(set, filling);
                long blockId = container.order(ByteOrder.LITTLE_ENDIAN).getLong(16);
                List<Long> flowBytes = LongStream.of(filling).boxed().toList();
                blocks.add(new Block(set, 0, blockId, container.capacity(), -1, flowBytes, container));
            }
        }
    }

    private void doneReceived(int index, long length) {
        int at = index * doneBytes();
        assertEquals(doneBytes(), length, "length of DONE");
        assertEquals(flowSizes.length, doneMessages.getShort(at + 6), "flow count of DONE");
        int setId = doneMessages.getInt(at);
        long[] flowBytes = new long[flowSizes.length];
        for (int flow = 0; flow < flowBytes.length; flow++) {
            flowBytes[flow] = doneMessages.getLong(at + 32 + 8 * flow);
        }
        boolean plausible = setId >= 0 && setId < sets.size();
        blocks.add(new Block(
                setId,
                doneMessages.getShort(at + 4) & 0xFFFF,
                doneMessages.getLong(at + 8),
                doneMessages.getLong(at + 16),
                doneMessages.getLong(at + 24),
                LongStream.of(flowBytes).boxed().toList(),
                plausible ? container(setId, flowBytes) : ByteBuffer.allocate(0)));
        if (connection.state() == RdmaConnection.State.CONNECTED) {
            try {
                postDone(index);
            } catch (RdmaException e) {
                lost = true; // It ended in the meantime.
            }
        }
    }

    private ByteBuffer container(int set, long[] flowBytes) {
        long sum = 0;
        for (int flow = 0; flow < flowBytes.length; flow++) {
            sum += Math.min(flowBytes[flow], flowSizes[flow]);
        }
        ByteBuffer container = ByteBuffer.allocate((int) sum);
        for (int flow = 0; flow < flowBytes.length; flow++) {
            container.put(
                    sets.get(set)[flow].duplicate().clear().limit((int) Math.min(flowBytes[flow], flowSizes[flow])));
        }
        return container.flip();
    }

    /** The next block; empty when the connection ended first. */
    Optional<Block> next() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (blocks.isEmpty() && !lost) {
            if (deadline - System.nanoTime() <= 0) {
                throw new AssertionError("No block for " + TIMEOUT);
            }
            pollOrWait(deadline);
        }
        return Optional.ofNullable(blocks.poll());
    }

    /** Whether the connection ends. */
    boolean awaitLost() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!lost && deadline - System.nanoTime() > 0) {
            pollOrWait(Math.min(deadline, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50)));
        }
        return lost;
    }

    /** What can be said about the connection when a test fails. */
    @Override
    public String toString() {
        return "host " + connection.state() + " " + connection.failure() + " " + transport.counters();
    }

    void disconnect() {
        connection.close();
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        completions.close();
        registered.forEach(MemoryRegion::close);
        transport.close();
    }
}
