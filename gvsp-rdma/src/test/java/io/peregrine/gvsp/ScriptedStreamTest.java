package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamEngine;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream over a receiver without a socket. */
@Timeout(30)
class ScriptedStreamTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final TestPackets PACKETS = TestPackets.standard(100);

    /** Gives out what the test puts in. */
    private static final class Script extends ScriptedReceiver {
        volatile StreamCounters counters = new StreamCounters();
        volatile boolean broken;
        volatile boolean closed;
        /** Of each block only the leader comes, and the kernel drops the rest. */
        volatile boolean flood;

        final BlockingQueue<Integer> admissions = new LinkedBlockingQueue<>();
        volatile int admitted = BlockNumber.ALL;
        private long drops;

        Script() {
            super(PORT);
        }

        @Override
        public int receive(PacketSink into, long deadlineNanos) {
            if (broken) {
                throw new UncheckedIOException(new java.io.IOException("cable"));
            }
            if (flood) {
                drops++;
                counters.set(Counter.KERNEL_DROPS, drops);
                ByteBuffer leader = PACKETS.imageLeader(drops, drops, TestPackets.MONO8, 20, 23);
                into.onPacket(leader, 0, leader.limit(), System.nanoTime());
                return 1;
            }
            return super.receive(into, deadlineNanos);
        }

        @Override
        public boolean admit(int share) {
            admitted = share;
            admissions.add(share);
            return true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Script script = new Script();
    private final FlowSetPool pool = FlowSetPool.allocate(3, new long[] {600}, 1 << 20);
    private final BlockingQueue<Long> asked = new LinkedBlockingQueue<>();
    private GvspSource source;
    private StreamEngine channel;

    @BeforeEach
    void open() {
        source = GvspSource.open(
                AssemblerRig.settings()
                        .withTimeouts(Duration.ofMillis(1), Duration.ofMillis(500))
                        .withResendLimits(100, 1)
                        .withFrameRetention(LONG),
                pool,
                (block, first, last, extended) -> asked.add(first),
                statistics -> {
                    script.counters = statistics;
                    return script;
                });
        channel = new StreamEngine(source);
    }

    @AfterEach
    void close() {
        channel.close();
        assertTrue(script.closed);
    }

    @Test
    void missingPacketIsAskedForAndCompletesTheFrame() throws Exception {
        channel.start();
        List<ByteBuffer> image = PACKETS.image(1, 20, 23);
        for (int i = 0; i < image.size(); i++) {
            if (i != 2) {
                script.packets.add(image.get(i));
            }
        }
        assertEquals(2, asked.poll(20, TimeUnit.SECONDS));
        script.packets.add(PACKETS.resent(image.get(2)));
        FlowSet set = channel.poll(LONG).orElseThrow();
        assertTrue(set.block().complete());
        set.release();
        assertEquals(1, channel.statistics().get(Counter.RESENDS_RECEIVED));
    }

    @Test
    void endOfAFrameIsAskedForThoughNothingArrivesAnyMore() throws Exception {
        channel.start();
        script.packets.addAll(PACKETS.image(1, 20, 23).subList(0, 3));
        assertEquals(3, asked.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void brokenReceiverIsTheFailureOfTheStream() throws Exception {
        channel.start();
        script.broken = true;
        script.wakeUp();
        assertEquals(Optional.empty(), channel.poll(LONG));
        assertInstanceOf(UncheckedIOException.class, channel.failure().orElseThrow());
        assertFalse(channel.running());
    }

    @Test
    void fewerAndFewerBlocksAreLetInWhileTheKernelDropsPacketsOfAllOfThem() throws Exception {
        script.flood = true;
        channel.start();
        int last = BlockNumber.ALL;
        for (int i = 0; i < 3; i++) {
            int share = script.admissions.poll(20, TimeUnit.SECONDS);
            assertTrue(share < last, share + " after " + last);
            last = share;
        }
        channel.stop();
        assertEquals(BlockNumber.ALL, script.admitted, "all is let in after the stream");
    }

    @Test
    void abortReturnsEveryFlowSet() throws Exception {
        channel.start();
        script.packets.addAll(PACKETS.image(1, 20, 23));
        script.packets.addAll(PACKETS.image(2, 20, 23).subList(0, 4));
        script.packets.add(PACKETS.packet(0, 0, 3, 0, 0, new byte[64]));
        assertTrue(source.awaitTestPacket(100, LONG));
        channel.abort();
        assertEquals(Optional.empty(), channel.poll(LONG));
        assertTrue(pool.flowSets().stream().allMatch(set -> set.state() == FlowSet.State.FREE));
    }
}
