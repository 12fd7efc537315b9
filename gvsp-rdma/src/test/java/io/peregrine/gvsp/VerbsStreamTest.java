package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.verbs.VerbsDoubleKnobs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream over the double of libibverbs: every byte of every frame is compared. */
@Tag("verbs-double")
@Timeout(120)
class VerbsStreamTest {
    /** Of all blocks of a test; 1 GB with {@code -Dperegrine.verbs.bytes=1000000000}. */
    private static final long STREAM_BYTES = Long.getLong("peregrine.verbs.bytes", 64 << 20);

    private static final int PACKET_BYTES = 8900;
    private static final int WIDTH = 2000;
    private static final int HEIGHT = 1000;
    private static final int BLOCK_BYTES = WIDTH * HEIGHT;
    private static final int SETS = 16;
    private static final int AHEAD = 3;
    /** As many receives as six blocks have packets: the test sends fewer before it has taken frames. */
    private static final VerbsSettings SIX_BLOCKS = new VerbsSettings(6 * 227 * 9242, 9200, 0, 10, List.of());

    private static final Duration LONG = Duration.ofSeconds(60);

    private final Random random = new Random(25);
    private final TestPackets packets = TestPackets.standard(PACKET_BYTES);
    private final byte[] pattern = new byte[BLOCK_BYTES + 1024];
    private final ConcurrentLinkedQueue<long[]> asked = new ConcurrentLinkedQueue<>();
    private final Deque<Long> sent = new ArrayDeque<>();
    private VerbsDoubleKnobs knobs;
    private FlowSetPool pool;
    private StreamEngine engine;
    private DatagramChannel device;

    /** Chances in a thousand. */
    private int loss;

    private int reorder;
    private int extra;
    private boolean resend = true;
    private long lostPackets;

    @BeforeEach
    void open() throws Exception {
        knobs = new VerbsDoubleKnobs();
        random.nextBytes(pattern);
    }

    private void open(VerbsSettings verbs) throws Exception {
        InetAddress local = InetAddress.getByName("127.20.6.1");
        InetAddress from = InetAddress.getByName("127.20.6.2");
        pool = FlowSetPool.allocate(SETS, new long[] {BLOCK_BYTES}, 1L << 30);
        GvspSettings settings = GvspSettings.defaults(local, from)
                .withPacketSizeBytes(PACKET_BYTES + 36)
                .withResendEnabled(resend)
                // The one who answers may not get to run for a while.
                .withFrameRetention(resend ? Duration.ofSeconds(10) : Duration.ofMillis(100))
                .withResendLimits(100, 2)
                .withVerbs(verbs);
        GvspSource source = GvspSource.open(
                settings,
                pool,
                (block, first, last, extended) -> asked.add(new long[] {block, first, last}),
                counters -> VerbsPacketReceiver.open(settings, counters, VerbsDoubleKnobs.provider())
                        .waiting(settings.waiting()));
        engine = new StreamEngine(source);
        engine.start();
        device = DatagramChannel.open()
                .bind(new InetSocketAddress(from, 0))
                .connect(new InetSocketAddress(local, source.localPort()));
    }

    @AfterEach
    void nothingStaysOpen() throws Exception {
        if (engine != null) {
            engine.close();
            device.close();
            assertEquals(0, knobs.get("open"));
        }
    }

    private int phase(long block) {
        return (int) (block * 37 % 1024);
    }

    private ByteBuffer packet(long block, int id, boolean again) {
        int count = (BLOCK_BYTES + PACKET_BYTES - 1) / PACKET_BYTES;
        ByteBuffer packet;
        if (id == 0) {
            packet = packets.imageLeader(block, 1000 + block, TestPackets.MONO8, WIDTH, HEIGHT);
        } else if (id == count + 1) {
            packet = packets.imageTrailer(block, id, HEIGHT);
        } else {
            int at = (id - 1) * PACKET_BYTES;
            byte[] data = new byte[Math.min(PACKET_BYTES, BLOCK_BYTES - at)];
            System.arraycopy(pattern, phase(block) + at, data, 0, data.length);
            packet = packets.payload(block, id, data);
        }
        return again ? packets.resent(packet) : packet;
    }

    private void send(long block) throws Exception {
        int last = (BLOCK_BYTES + PACKET_BYTES - 1) / PACKET_BYTES + 1;
        List<Integer> ids = new ArrayList<>();
        for (int id = 0; id <= last; id++) {
            ids.add(id);
        }
        for (int i = 1; i < ids.size(); i++) {
            if (random.nextInt(1000) < reorder) {
                Collections.swap(ids, i, i - 1 - random.nextInt(Math.min(i, 5)));
            }
        }
        for (int id : ids) {
            if (random.nextInt(1000) < loss) {
                lostPackets++;
                continue;
            }
            device.write(packet(block, id, false));
            if (random.nextInt(1000) < extra) {
                device.write(packet(block, id, false));
            }
        }
        sent.add(block);
    }

    private void answer() throws Exception {
        for (long[] range = asked.poll(); range != null; range = asked.poll()) {
            long last = Math.min(range[2], (BLOCK_BYTES + PACKET_BYTES - 1) / PACKET_BYTES + 1);
            for (long id = range[1]; id <= last; id++) {
                device.write(packet(range[0], (int) id, true));
            }
        }
    }

    private FlowSet next() throws Exception {
        long end = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() < end) {
            answer();
            var set = engine.poll(Duration.ofMillis(1));
            if (set.isPresent()) {
                return set.get();
            }
            assertTrue(engine.running(), () -> "ended by " + engine.failure());
        }
        throw new AssertionError("no frame within " + LONG + ": " + engine.statistics());
    }

    private void receiveWhole() throws Exception {
        FlowSet set = next();
        long block = sent.poll();
        assertEquals(block, set.block().blockId());
        assertTrue(set.block().complete(), () -> "block " + block + ": " + engine.statistics());
        assertSame(set, block, 0, BLOCK_BYTES);
        set.release();
    }

    private void assertSame(FlowSet set, long block, int from, int bytes) {
        int wrong = set.flow(0).slice(from, bytes).mismatch(ByteBuffer.wrap(pattern, phase(block) + from, bytes));
        assertEquals(-1, wrong, () -> "block " + block + " differs at " + (from + wrong));
    }

    /** Streams; returns what was counted after the first blocks. */
    private StreamStatistics stream(VerbsSettings verbs, int firstBlocks) throws Exception {
        open(verbs);
        int blocks = (int) (STREAM_BYTES / BLOCK_BYTES);
        StreamStatistics first = StreamStatistics.zero();
        for (long block = 1; block <= blocks; block++) {
            send(block);
            while (sent.size() > (block < blocks ? AHEAD : 0)) {
                receiveWhole();
            }
            if (block == firstBlocks) {
                while (!sent.isEmpty()) {
                    receiveWhole();
                }
                first = engine.statistics();
            }
        }
        return engine.statistics().minus(first);
    }

    @Test
    void nothingIsCopiedWhereNothingIsLost() throws Exception {
        // On a busy host a packet may be late and be asked for, though it is not lost.
        resend = false;
        StreamStatistics counted = stream(SIX_BLOCKS, 10);
        assertEquals(0, counted.get(Counter.BYTES_COPIED), () -> knobs.get("drops") + " drops, " + counted);
        assertEquals((STREAM_BYTES / BLOCK_BYTES - 10) * BLOCK_BYTES, counted.get(Counter.BYTES_RECEIVED));
    }

    @Test
    void lostPacketsAreAskedForAndEveryByteIsRight() throws Exception {
        loss = 10;
        StreamStatistics counted = stream(VerbsSettings.DEFAULT, 0);
        assertTrue(lostPackets > 0);
        assertTrue(counted.get(Counter.PACKETS_RECOVERED) >= lostPackets, counted::toString);
    }

    @Test
    void packetsInAnyOrderAndTwiceAreMovedToTheirPlaces() throws Exception {
        reorder = 50;
        extra = 10;
        stream(SIX_BLOCKS, 0);
    }

    @Test
    void everythingAtOnceWithoutSleeping() throws Exception {
        loss = 5;
        reorder = 20;
        extra = 5;
        stream(new VerbsSettings(SIX_BLOCKS.bufferBytes(), 9200, -1, 10, List.of()), 0);
    }

    /** The receives for what was lost take packets of the next blocks, after the frame was delivered. */
    @Test
    void memoryOfAnIncompleteFrameIsNotWrittenWhileTheUserHoldsIt() throws Exception {
        resend = false;
        open(new VerbsSettings(4 << 20, 9200, 0, 10, List.of()));
        for (long block = 1; block <= 3; block++) {
            send(block);
            receiveWhole();
        }
        loss = 30;
        for (long block = 4; block <= 20; block++) {
            send(block);
            FlowSet set = next();
            sent.clear();
            byte[] seen = new byte[BLOCK_BYTES];
            set.flow(0).get(0, seen);
            long held = block;
            set.received(0, 0, BLOCK_BYTES)
                    .forEach(range -> assertSame(set, held, (int) range.offset(), (int) range.lengthBytes()));
            int lossBefore = loss;
            loss = 0;
            send(1000 + block);
            FlowSet other = next();
            sent.clear();
            assertEquals(-1, set.flow(0).mismatch(ByteBuffer.wrap(seen)), "written while held");
            loss = lossBefore;
            set.release();
            other.release();
        }
    }

    @Test
    void singleFrameWithALossIsDeliveredThoughNothingFollows() throws Exception {
        resend = false;
        open(new VerbsSettings(4 << 20, 9200, 0, 10, List.of()));
        for (long block = 1; block <= 3; block++) {
            send(block);
            receiveWhole();
        }
        for (int id = 0; id <= 226; id++) {
            if (id != 100) {
                device.write(packet(4, id, false));
            }
        }
        FlowSet set = next();
        assertEquals(4, set.block().blockId());
        set.received(0, 0, BLOCK_BYTES)
                .forEach(range -> assertSame(set, 4, (int) range.offset(), (int) range.lengthBytes()));
        assertEquals(BLOCK_BYTES - PACKET_BYTES, set.filledBytes(0));
        set.release();
    }

    @Test
    void stoppingTakesBackTheMemoryAndStartingAgainReceives() throws Exception {
        open(VerbsSettings.DEFAULT);
        for (int run = 0; run < 3; run++) {
            for (long block = 1; block <= 4; block++) {
                send(block);
                receiveWhole();
            }
            engine.stop();
            pool.flowSets().forEach(set -> assertEquals(FlowSet.State.FREE, set.state()));
            engine.start();
        }
    }
}
