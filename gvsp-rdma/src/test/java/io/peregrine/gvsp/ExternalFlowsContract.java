package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.GuardedMemory;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamEngine;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every way of receiving GVSP writes into memory of the user's, and nowhere else. */
@Timeout(60)
abstract class ExternalFlowsContract {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long GIBIBYTE = 1L << 30;
    private static final int PACKET_BYTES = 1400;
    private static final int SETS = 3;

    private final AtomicInteger releases = new AtomicInteger();
    private final List<List<GuardedMemory>> memory = new ArrayList<>();
    private StreamEngine engine;
    private DatagramChannel device;

    /** Opens a receiver, or skips the test where that is not possible. */
    abstract PacketReceiver open(GvspSettings settings, StreamCounters counters);

    private void start(Path folder, boolean extended, long... flowBytes) throws Exception {
        InetAddress local = InetAddress.getByName("127.20.31.1");
        InetAddress from = InetAddress.getByName("127.20.31.2");
        List<List<FlowMemory>> sets = new ArrayList<>();
        for (int set = 0; set < SETS; set++) {
            List<GuardedMemory> flows = new ArrayList<>();
            for (long bytes : flowBytes) {
                flows.add(
                        bytes < GIBIBYTE
                                ? GuardedMemory.of(bytes)
                                : GuardedMemory.inSparseFile(folder.resolve("flow" + set + flows.size()), bytes));
            }
            memory.add(flows);
            sets.add(flows.stream().map(GuardedMemory::flow).toList());
        }
        ExternalMemory external = new ExternalMemory(sets, releases::incrementAndGet);
        GvspSettings settings = GvspSettings.defaults(local, from)
                .withPacketSizeBytes(PACKET_BYTES + 28 + (extended ? 20 : 8))
                .withResendEnabled(false)
                .withFrameRetention(Duration.ofMillis(200));
        GvspSource source = GvspSource.open(
                settings,
                external.pool(flowBytes),
                (block, first, last, ext) -> {},
                counters -> open(settings, counters));
        engine = new StreamEngine(source);
        external.release();
        engine.start();
        device = DatagramChannel.open()
                .bind(new InetSocketAddress(from, 0))
                .connect(new InetSocketAddress(local, source.localPort()));
    }

    @AfterEach
    void nothingWasWrittenOutside() throws Exception {
        if (engine != null) {
            engine.close();
            assertEquals(1, releases.get());
        }
        if (device != null) {
            device.close();
        }
        memory.forEach(flows -> flows.forEach(GuardedMemory::assertNothingBeyond));
        memory.forEach(flows -> flows.forEach(GuardedMemory::close));
    }

    private void send(ByteBuffer... packets) throws Exception {
        for (ByteBuffer packet : packets) {
            device.write(packet.duplicate());
        }
    }

    private FlowSet next() throws Exception {
        return engine.poll(LONG)
                .orElseThrow(() -> new AssertionError("no frame: " + engine.end() + " " + engine.statistics()));
    }

    private GuardedMemory memoryOf(FlowSet set, int flow) {
        GuardedMemory expected = memory.get(set.index()).get(flow);
        assertEquals(expected.address(), set.nativeAddress(flow).orElseThrow());
        return expected;
    }

    private static byte[] data(int seed, int count) {
        return TestPackets.pixels(seed, count);
    }

    @Test
    void everyByteOfAFrameIsInTheUsersMemory() throws Exception {
        int width = 500;
        int height = 201;
        start(null, false, (long) width * height);
        TestPackets packets = TestPackets.standard(PACKET_BYTES);
        for (int block = 1; block <= 3 * SETS; block++) {
            for (ByteBuffer packet : packets.image(block, width, height)) {
                send(packet);
            }
            FlowSet set = next();
            assertEquals(Optional.empty(), set.block().incomplete());
            assertArrayEquals(data(block, width * height), memoryOf(set, 0).bytes(0, width * height));
            set.release();
        }
    }

    @Test
    void flowsOfAContainerAreInTheirPiecesOfMemory() throws Exception {
        start(null, true, 5000, 777);
        TestPackets packets = TestPackets.extended(PACKET_BYTES);
        for (int block = 1; block <= 3; block++) {
            send(
                    packets.genDcLeader(block, 77, 5777, false, 200),
                    packets.genDcPayload(block, 1, 0, 0, 0x80 | 0x30, data(block, 1380)),
                    packets.genDcPayload(block, 2, 0, 1380, 0, data(block + 50, 1380)),
                    packets.genDcPayload(block, 3, 0, 2760, 0, data(block + 60, 1380)),
                    packets.genDcPayload(block, 4, 0, 4140, 0, data(block + 70, 860)),
                    packets.genDcPayload(block, 5, 1, 0, 0, data(block + 90, 777)),
                    packets.trailer(0x000B, block, 6));
            FlowSet set = next();
            GuardedMemory first = memoryOf(set, 0);
            assertArrayEquals(data(block, 1380), first.bytes(0, 1380));
            assertArrayEquals(data(block + 50, 1380), first.bytes(1380, 1380));
            assertArrayEquals(data(block + 60, 1380), first.bytes(2760, 1380));
            assertArrayEquals(data(block + 70, 860), first.bytes(4140, 860));
            assertArrayEquals(data(block + 90, 777), memoryOf(set, 1).bytes(0, 777));
            set.release();
        }
    }

    @Test
    void frameLargerThanTheMemoryIsCutAndCounted() throws Exception {
        start(null, false, 5001);
        TestPackets packets = TestPackets.standard(PACKET_BYTES);
        for (ByteBuffer packet : packets.image(1, 300, 100)) {
            send(packet);
        }
        FlowSet set = next();
        assertEquals(
                Optional.of(IncompleteCause.DATA_LARGER_THAN_FLOW_SET),
                set.block().incomplete());
        assertArrayEquals(data(1, 5001), memoryOf(set, 0).bytes(0, 5001));
        set.release();
    }

    @Test
    void placesBeyondTheMemoryAreNotWritten() throws Exception {
        start(null, true, 5000, 777);
        TestPackets packets = TestPackets.extended(PACKET_BYTES);
        send(
                packets.genDcLeader(1, 77, Long.MAX_VALUE, false, 200),
                packets.genDcPayload(1, 1, 0, 0, 0x80 | 0x30, data(1, 1380)),
                packets.genDcPayload(1, 2, 0, 4999, 0, data(2, 1380)),
                packets.genDcPayload(1, 3, 0, 5000, 0, data(3, 1380)),
                packets.genDcPayload(1, 4, 0, Long.MAX_VALUE - 10, 0, data(4, 1380)),
                packets.genDcPayload(1, 5, 0, 1L << 32, 0, data(5, 1380)),
                packets.genDcPayload(1, 6, 1, 700, 0, data(6, 1380)),
                packets.genDcPayload(1, 7, 2, 0, 0, data(7, 1380)),
                packets.trailer(0x000B, 1, 8));
        FlowSet set = next();
        assertTrue(set.block().incomplete().isPresent());
        assertArrayEquals(data(1, 1380), memoryOf(set, 0).bytes(0, 1380));
        assertArrayEquals(data(2, 1), memoryOf(set, 0).bytes(4999, 1));
        assertEquals(List.of(1380L, 1L), lengths(set, 0));
        assertEquals(List.of(77L), lengths(set, 1));
        assertArrayEquals(data(6, 77), memoryOf(set, 1).bytes(700, 77));
        set.release();
    }

    /** Packets of both ends; those between are lost. */
    @Test
    void imageOfThreeGibibytesIsWrittenAtBothEnds(@TempDir Path folder) throws Exception {
        int width = 65536;
        int height = 49152;
        long bytes = 3 * GIBIBYTE;
        start(folder, false, bytes);
        TestPackets packets = TestPackets.standard(PACKET_BYTES);
        int count = (int) ((bytes + PACKET_BYTES - 1) / PACKET_BYTES);
        int shortBytes = (int) (bytes - (count - 1L) * PACKET_BYTES);
        int atEnds = 40;
        for (int block = 1; block <= 2; block++) {
            send(packets.imageLeader(block, 1, TestPackets.MONO8, width, height));
            for (int id = 1; id <= count; id = id == atEnds ? count - atEnds : id + 1) {
                send(packets.payload(block, id, data(block + id, id == count ? shortBytes : PACKET_BYTES)));
            }
            send(packets.imageTrailer(block, count + 1, height));
            FlowSet set = next();
            GuardedMemory at = memoryOf(set, 0);
            for (int id = 1; id <= count; id = id == atEnds ? count - atEnds : id + 1) {
                byte[] expected = data(block + id, id == count ? shortBytes : PACKET_BYTES);
                int packet = id;
                assertArrayEquals(
                        expected, at.bytes((id - 1L) * PACKET_BYTES, expected.length), () -> "packet " + packet);
            }
            assertEquals(
                    List.of((long) atEnds * PACKET_BYTES, (long) atEnds * PACKET_BYTES + shortBytes), lengths(set, 0));
            set.release();
        }
    }

    private static List<Long> lengths(FlowSet set, int flow) {
        return set.received(flow, 0, set.flowSizeBytes(flow)).stream()
                .map(range -> range.lengthBytes())
                .toList();
    }

    @Test
    void containerWithAFlowOfThreeGibibytesIsWrittenAtBothEnds(@TempDir Path folder) throws Exception {
        long bytes = 3 * GIBIBYTE + 77;
        start(folder, true, 5000, bytes);
        TestPackets packets = TestPackets.extended(PACKET_BYTES);
        long[] places = {
            0, 1380, 2760, GIBIBYTE - 700, GIBIBYTE + 680, 2 * GIBIBYTE - 1380, 2 * GIBIBYTE, bytes - 2760, bytes - 1380
        };
        send(
                packets.genDcLeader(1, 77, 5000 + bytes, false, 200),
                packets.genDcPayload(1, 1, 0, 0, 0x80 | 0x30, data(1, 1380)));
        for (int i = 0; i < places.length; i++) {
            send(packets.genDcPayload(1, 2 + i, 1, places[i], 0, data(10 + i, 1380)));
        }
        send(packets.trailer(0x000B, 1, 2 + places.length));
        FlowSet set = next();
        GuardedMemory at = memoryOf(set, 1);
        for (int i = 0; i < places.length; i++) {
            long place = places[i];
            assertArrayEquals(data(10 + i, 1380), at.bytes(place, 1380), () -> "at " + place);
        }
        assertEquals(List.of(3 * 1380L, 2 * 1380L, 2 * 1380L, 2 * 1380L), lengths(set, 1));
        set.release();
    }
}
