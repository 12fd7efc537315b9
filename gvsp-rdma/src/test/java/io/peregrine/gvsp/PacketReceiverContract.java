package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.MmsgSocket;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every way of receiving UDP packets has to do. */
@Timeout(30)
abstract class PacketReceiverContract {
    /** Waiting tasks would fill a shared pool. */
    private static final Executor OWN_THREAD = task -> new Thread(task, "waiter").start();

    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final StreamCounters statistics = new StreamCounters();
    private PacketReceiver receiver;
    private DatagramChannel device;

    @BeforeEach
    void open() throws IOException {
        receiver = open(4 << 20);
        device = from("127.20.2.2", receiver);
    }

    private PacketReceiver open(int bufferBytes) throws IOException {
        return open(InetAddress.getByName("127.20.2.1"), InetAddress.getByName("127.20.2.2"), bufferBytes, statistics);
    }

    abstract PacketReceiver open(InetAddress local, InetAddress device, int bufferBytes, StreamCounters counters);

    private static DatagramChannel from(String address, PacketReceiver to) throws IOException {
        return DatagramChannel.open()
                .bind(new InetSocketAddress(address, 0))
                .connect(new InetSocketAddress("127.20.2.1", to.localPort()));
    }

    @AfterEach
    void close() throws IOException {
        // None was opened where the host does not allow this way of receiving.
        if (receiver != null) {
            receiver.close();
            device.close();
        }
    }

    private static ByteBuffer numbered(int number, int length) {
        return ByteBuffer.allocate(length).putInt(0, number);
    }

    /** Takes what is there, in one call where the way of receiving has it all at once. */
    int take(PacketReceiver from, int packets, PacketSink into) {
        return from.receive(into, System.nanoTime() + LONG_NANOS);
    }

    /**
     * Sends a packet of each of the blocks 1 to 10, of which the receiver is to let in all but half of the blocks 3 to
     * 8: 3, 5 and 7 stay out.
     */
    static void sendTenBlocksWithThreeOfThemKeptOut(MmsgSocket sender, int local, PacketReceiver to, boolean extended) {
        TestPackets packets = extended ? TestPackets.extended(100) : TestPackets.standard(100);
        for (int id = 1; id <= 10; id++) {
            if (id == 3 || id == 9) {
                assertTrue(to.admit(id == 3 ? BlockNumber.ALL / 2 : BlockNumber.ALL));
            }
            // The lowest byte is what the share depends on.
            long blockId = extended ? 0x1234_5678_9A00L + id : 0x5500 + id;
            ByteBuffer packet = packets.packet(0, 0, 3, blockId, 1, new byte[50 + id]);
            int at = sender.begin(local, to.localPort(), packet.limit());
            sender.sending().put(at, packet, 0, packet.limit());
            sender.commit();
            sender.flush();
        }
    }

    /** Notes the lowest byte of the block ids that come. */
    static PacketSink idsTo(List<Long> seen) {
        return (packet, offset, length, now) -> seen.add(GvspHeader.blockId(packet, offset) & 0xFF);
    }

    @Test
    void oneCallTakesAllThatIsThere() throws IOException {
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            device.write(numbered(i, 100 + i));
        }
        int count = take(receiver, 5, (packet, offset, length, now) -> {
            assertEquals(ByteOrder.BIG_ENDIAN, packet.order());
            assertTrue(offset + length <= packet.limit());
            seen.add(packet.getInt(offset) + "/" + length);
        });
        assertEquals(5, count);
        assertEquals(List.of("0/100", "1/101", "2/102", "3/103", "4/104"), seen);
    }

    @Test
    void strangersAreCountedAndNotHandedOver() throws IOException {
        List<Integer> seen = new ArrayList<>();
        PacketSink sink = (packet, offset, length, now) -> seen.add(packet.getInt(offset));
        try (DatagramChannel stranger = from("127.20.2.3", receiver)) {
            stranger.write(numbered(1, 64));
            device.write(numbered(2, 64));
            stranger.write(numbered(3, 64));
            device.write(numbered(4, 64));
            assertEquals(4, take(receiver, 4, sink));
        }
        assertEquals(List.of(2, 4), seen);
        assertEquals(2, statistics.get(Counter.PACKETS_FOREIGN_SOURCE));
    }

    @Test
    void anotherPortThanThatOfTheFirstPacketIsCountedAndNotHandedOver() throws IOException {
        List<Integer> seen = new ArrayList<>();
        try (DatagramChannel otherPort = from("127.20.2.2", receiver)) {
            device.write(numbered(1, 64));
            otherPort.write(numbered(2, 64));
            device.write(numbered(3, 64));
            take(receiver, 3, (packet, offset, length, now) -> seen.add(packet.getInt(offset)));
        }
        assertEquals(List.of(1, 3), seen);
        assertEquals(1, statistics.get(Counter.PACKETS_FOREIGN_PORT));
    }

    @Test
    void portThatTheDeviceTellsIsTheOnlyOne() throws IOException {
        List<Integer> seen = new ArrayList<>();
        try (DatagramChannel otherPort = from("127.20.2.2", receiver)) {
            receiver.expectFrom(((InetSocketAddress) device.getLocalAddress()).getPort());
            otherPort.write(numbered(1, 64));
            device.write(numbered(2, 64));
            take(receiver, 2, (packet, offset, length, now) -> seen.add(packet.getInt(offset)));
        }
        assertEquals(List.of(2), seen);
        assertEquals(1, statistics.get(Counter.PACKETS_FOREIGN_PORT));
    }

    @Test
    void sinkThatHasEnoughIsGivenNoMoreForNow() throws IOException {
        for (int i = 0; i < 5; i++) {
            device.write(numbered(i, 100));
        }
        AtomicInteger given = new AtomicInteger();
        receiver.receive(
                new PacketSink() {
                    @Override
                    public void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
                        given.incrementAndGet();
                    }

                    @Override
                    public boolean enough() {
                        return true;
                    }
                },
                System.nanoTime());
        assertEquals(0, given.get());
        assertEquals(5, take(receiver, 5, (packet, offset, length, now) -> {}));
    }

    @Test
    void deadlineThatHasPassedDoesNotWait() {
        assertEquals(0, receiver.receive((packet, offset, length, now) -> {}, System.nanoTime() - 1));
    }

    @Test
    void wakeUpEndsTheWaiting() throws Exception {
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(
                () -> receiver.receive((packet, offset, length, now) -> {}, System.nanoTime() + LONG_NANOS * 10),
                OWN_THREAD);
        receiver.wakeUp();
        assertEquals(0, waiting.get(20, TimeUnit.SECONDS));
    }

    @Test
    void closingEndsTheWaiting() throws Exception {
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(
                () -> receiver.receive((packet, offset, length, now) -> {}, System.nanoTime() + LONG_NANOS * 10),
                OWN_THREAD);
        receiver.close();
        receiver.close();
        assertEquals(0, waiting.get(20, TimeUnit.SECONDS));
    }

    @Test
    void emptyAndLargestDatagramsPass() throws IOException {
        List<Integer> lengths = new ArrayList<>();
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName("127.20.2.2"))) {
            socket.send(new DatagramPacket(new byte[0], 0, device.getRemoteAddress()));
        }
        device.write(ByteBuffer.allocate(65507));
        take(receiver, 2, (packet, offset, length, now) -> lengths.add(length));
        assertEquals(List.of(0, 65507), lengths);
    }

    @Test
    void packetsThatTheKernelDropsAreCounted() throws IOException {
        Needs.that(Files.isReadable(Path.of("/proc/net/udp")), "/proc/net/udp of Linux");
        try (PacketReceiver small = open(4096);
                DatagramChannel sender = from("127.20.2.2", small)) {
            for (int i = 0; i < 200; i++) {
                sender.write(numbered(i, 8000));
            }
            // Some learn of drops with the next packet only.
            int received = small.receive((packet, offset, length, now) -> {}, System.nanoTime());
            sender.write(numbered(200, 8000));
            long begin = System.nanoTime();
            while (received + statistics.get(Counter.KERNEL_DROPS) < 201 && System.nanoTime() - begin < LONG_NANOS) {
                received += small.receive((packet, offset, length, now) -> {}, System.nanoTime() + SHORT_NANOS);
            }
            assertTrue(received < 201);
            assertEquals(201 - received, statistics.get(Counter.KERNEL_DROPS));
        }
    }
}
