package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The receiver thread takes no memory for packets and frames, once every flow set was in use. */
@Timeout(60)
class ReceiverThreadAllocationTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final TestPackets PACKETS = TestPackets.extended(88);
    private static final int WARM_UP = 100;
    private static final int FRAMES = 1000;
    /** Less than one object for each frame; reading the counter takes some. */
    private static final long MAX_BYTES_PER_FRAME = 8;

    /** Gives out the packets of one frame each time that the test wants one, with the next block id. */
    private static final class Script implements PacketReceiver {
        private final List<ByteBuffer> frame;
        private final Thread tester = Thread.currentThread();
        private volatile Thread thread;
        private final AtomicInteger wanted = new AtomicInteger();
        private volatile long bytesAfterWarmUp;
        private volatile long bytesAtEnd;
        /** Frames that were handed over. */
        private volatile int done;

        private int sent;

        Script(List<ByteBuffer> frame) {
            this.frame = frame;
        }

        /** Asks for a frame and waits for the receiver thread to be done with it: who waits for a lock takes memory. */
        void next() {
            int number = wanted.incrementAndGet();
            wakeUp();
            while (done < number) {
                LockSupport.parkNanos(this, LONG.toNanos());
            }
        }

        @Override
        public int receive(PacketSink into, long deadlineNanos) {
            thread = Thread.currentThread();
            if (sent == wanted.get()) {
                LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
                return 0;
            }
            if (sent == WARM_UP) {
                bytesAfterWarmUp = AllocatedBytes.ofThisThread();
            }
            sent++;
            for (int i = 0; i < frame.size(); i++) {
                ByteBuffer packet = frame.get(i);
                packet.putLong(8, sent);
                into.onPacket(packet, 0, packet.limit(), System.nanoTime());
            }
            if (sent == WARM_UP + FRAMES) {
                bytesAtEnd = AllocatedBytes.ofThisThread();
            }
            done = sent;
            LockSupport.unpark(tester);
            return frame.size();
        }

        @Override
        public void wakeUp() {
            LockSupport.unpark(thread);
        }

        @Override
        public int localPort() {
            return 4711;
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

    private static void expectNothingForEachFrame(List<ByteBuffer> frame, long... flows) throws Exception {
        Script script = new Script(frame);
        FlowSetPool pool = FlowSetPool.allocate(3, flows, 1 << 20);
        try (StreamEngine channel = new StreamEngine(GvspSource.open(
                AssemblerRig.settings().withFrameRetention(LONG),
                pool,
                (block, first, last, extended) -> {},
                statistics -> script))) {
            channel.start();
            for (int id = 1; id <= WARM_UP + FRAMES; id++) {
                script.next();
                FlowSet set = channel.poll(LONG).orElseThrow();
                assertEquals(id, set.block().blockId());
                assertTrue(set.block().complete());
                set.release();
            }
            channel.stop();
        }
        long bytes = (script.bytesAtEnd - script.bytesAfterWarmUp) / FRAMES;
        assertTrue(bytes < MAX_BYTES_PER_FRAME, bytes + " bytes a frame");
    }

    @Test
    void imagesTakeNoMemory() throws Exception {
        expectNothingForEachFrame(PACKETS.image(1, 20, 23), 600);
    }

    @Test
    void containersOfTwoFlowsTakeNoMemory() throws Exception {
        List<ByteBuffer> frame = new ArrayList<>();
        frame.add(PACKETS.genDcLeader(1, 77, 350, true, 120));
        frame.add(PACKETS.genDcPayload(1, 1, 0, 0, 0xC0 | 0x30, new byte[120]));
        frame.add(PACKETS.genDcPayload(1, 2, 0, 120, 0, new byte[80]));
        frame.add(PACKETS.genDcPayload(1, 3, 1, 0, 0, new byte[100]));
        frame.add(PACKETS.genDcPayload(1, 4, 1, 100, 0, new byte[50]));
        frame.add(PACKETS.genDcPayload(1, 5, 0, 0, 0x40 | 0x30, new byte[120]));
        frame.add(PACKETS.trailer(0x000B, 1, 6));
        expectNothingForEachFrame(frame, 200, 150);
    }
}
