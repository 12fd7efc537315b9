package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.ResendRequester;
import io.peregrine.stream.engine.StreamEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GvspSourceTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final ResendRequester NO_RESEND = (block, first, last, extended) -> {};
    private static final TestPackets PACKETS = TestPackets.standard(1000);

    private FlowSetPool pool;
    private GvspSource source;
    private StreamEngine channel;
    private DatagramChannel device;
    private InetAddress host;

    @BeforeEach
    void openBothSides() throws IOException {
        host = InetAddress.getByName("127.20.1.1");
        InetAddress camera = InetAddress.getByName("127.20.1.2");
        pool = FlowSetPool.allocate(4, new long[] {64 * 100}, 1 << 20);
        source = GvspSource.open(
                GvspSettings.defaults(host, camera)
                        .withPacketSizeBytes(1036)
                        .withResendEnabled(false)
                        .withFrameRetention(LONG),
                pool,
                NO_RESEND);
        channel = new StreamEngine(source);
        device = from("127.20.1.2");
    }

    @AfterEach
    void closeBothSides() throws IOException {
        channel.close();
        device.close();
    }

    private DatagramChannel from(String address) throws IOException {
        return DatagramChannel.open()
                .bind(new InetSocketAddress(address, 0))
                .connect(new InetSocketAddress(host, source.localPort()));
    }

    private void send(List<ByteBuffer> packets) throws IOException {
        for (ByteBuffer packet : packets) {
            device.write(packet.duplicate());
        }
    }

    private FlowSet take() throws InterruptedException {
        Optional<FlowSet> set = channel.poll(LONG);
        assertTrue(set.isPresent(), () -> "no frame: " + channel.statistics());
        return set.orElseThrow();
    }

    @Test
    void framesThatArriveAtTheSocketComeOutWholeAndInOrder() throws Exception {
        channel.start();
        for (int block = 1; block <= 20; block++) {
            send(PACKETS.image(block, 64, 100));
            FlowSet set = take();
            assertEquals(block, set.block().blockId());
            assertTrue(set.block().complete());
            byte[] pixels = new byte[6400];
            set.flow(0).get(0, pixels);
            org.junit.jupiter.api.Assertions.assertArrayEquals(TestPackets.pixels(block, 6400), pixels);
            set.release();
        }
        assertEquals(20, channel.statistics().get(Counter.FRAMES_COMPLETE));
    }

    @Test
    void packetsOfStrangersAreCountedAndNotTaken() throws Exception {
        channel.start();
        try (DatagramChannel stranger = from("127.20.1.3")) {
            for (ByteBuffer packet : PACKETS.image(1, 64, 100)) {
                stranger.write(packet.duplicate());
            }
        }
        send(PACKETS.image(2, 64, 100));
        FlowSet set = take();
        assertEquals(2, set.block().blockId());
        set.release();
        assertEquals(9, channel.statistics().get(Counter.PACKETS_FOREIGN_SOURCE));
        assertEquals(9, channel.statistics().get(Counter.PACKETS_RECEIVED));
    }

    @Test
    void stopDeliversWhatIsOpenAsIncomplete() throws Exception {
        channel.start();
        send(PACKETS.image(1, 64, 100).subList(0, 4));
        send(List.of(PACKETS.packet(0, 0, 3, 0, 0, new byte[100])));
        assertTrue(source.awaitTestPacket(136, LONG));
        channel.stop();
        assertFalse(channel.running());
        FlowSet set = take();
        assertEquals(Optional.of(IncompleteCause.STREAM_ENDED), set.block().incomplete());
        set.release();
        assertEquals(Optional.empty(), channel.poll(LONG));
    }

    @Test
    void testPacketsAreSeenBeforeTheStreamRuns() throws Exception {
        assertFalse(source.awaitTestPacket(1500, Duration.ofMillis(1)));
        device.write(PACKETS.packet(0, 0, 3, 0, 0, new byte[1500 - 36]));
        assertFalse(source.awaitTestPacket(1400, Duration.ofMillis(50)));
        assertTrue(source.awaitTestPacket(1500, LONG));
        assertFalse(source.awaitTestPacket(1500, Duration.ZERO));
        assertEquals(1, channel.statistics().get(Counter.TEST_PACKETS));
    }

    @Test
    void packetsOfAnEarlierAcquisitionAreNotTaken() throws Exception {
        send(PACKETS.image(7, 64, 100));
        channel.start();
        send(PACKETS.image(1, 64, 100));
        FlowSet set = take();
        assertEquals(1, set.block().blockId());
        set.release();
    }

    @Test
    void streamRunsAgainAfterStopWithIdsFromTheStart() throws Exception {
        for (int run = 0; run < 3; run++) {
            channel.start();
            for (int block = 1; block <= 3; block++) {
                send(PACKETS.image(block, 64, 100));
                FlowSet set = take();
                assertEquals(block, set.block().blockId());
                set.release();
            }
            channel.stop();
        }
        assertEquals(9, channel.statistics().get(Counter.FRAMES_COMPLETE));
        assertEquals(0, channel.statistics().get(Counter.FRAMES_DROPPED_NO_FLOW_SET));
    }

    @Test
    void deviceMaySendFromAnotherPortAfterANewStart() throws Exception {
        channel.start();
        send(PACKETS.image(1, 64, 100));
        take().release();
        channel.stop();
        channel.start();
        try (DatagramChannel otherPort = from("127.20.1.2")) {
            for (ByteBuffer packet : PACKETS.image(1, 64, 100)) {
                otherPort.write(packet.duplicate());
            }
            FlowSet set = take();
            assertTrue(set.block().complete());
            set.release();
        }
        assertEquals(0, channel.statistics().get(Counter.PACKETS_FOREIGN_PORT));
    }

    @Test
    void portThatTheDeviceTellsIsKeptFromStartToStart() throws Exception {
        source.sourcePort(((InetSocketAddress) device.getLocalAddress()).getPort());
        channel.start();
        try (DatagramChannel otherPort = from("127.20.1.2")) {
            otherPort.write(PACKETS.payload(9, 1, new byte[10]));
        }
        send(PACKETS.image(1, 64, 100));
        take().release();
        assertEquals(1, channel.statistics().get(Counter.PACKETS_FOREIGN_PORT));
    }

    @Test
    void streamEndsWhilePacketsComeWithoutAnEnd() throws Exception {
        CountDownLatch flooded = new CountDownLatch(1);
        try (StreamEngine flood = new StreamEngine(
                GvspSource.open(AssemblerRig.settings(), pool, NO_RESEND, counters -> new Flood(flooded)))) {
            flood.start();
            flooded.await();
            flood.stop();
            assertFalse(flood.running());
        }
    }

    /** Gives packets as long as they are wanted: at once only one. */
    private record Flood(CountDownLatch flooded) implements PacketReceiver {
        private static final int MANY = 1000;

        @Override
        public int receive(PacketSink into, long deadlineNanos) {
            ByteBuffer packet = PACKETS.payload(1, 7, new byte[1000]);
            int given = 0;
            do {
                into.onPacket(packet, 0, packet.limit(), System.nanoTime());
                given++;
                if (given == MANY) {
                    flooded.countDown();
                }
            } while (deadlineNanos - System.nanoTime() > 0 || (given >= MANY && !into.enough()));
            return given;
        }

        @Override
        public void wakeUp() {
            // It never waits.
        }

        @Override
        public int localPort() {
            return 4712;
        }

        @Override
        public int receiveBufferBytes() {
            return 0;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void socketBufferIsReadBack() {
        assertTrue(source.receiveBufferBytes() > 0);
        assertTrue(source.localPort() > 0);
    }

    @Test
    void closedStreamCannotBeStarted() {
        channel.close();
        channel.close();
        assertThrows(StreamException.class, channel::start);
    }

    @Test
    void addressOfNoInterfaceIsRefusedWithTheAddress() throws IOException {
        InetAddress elsewhere = InetAddress.getByName("192.0.2.77");
        StreamException failure = assertThrows(
                StreamException.class,
                () -> GvspSource.open(GvspSettings.defaults(elsewhere, elsewhere), pool, NO_RESEND));
        assertTrue(failure.getMessage().contains("192.0.2.77"));
    }
}
