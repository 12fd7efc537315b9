package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.End;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What holds for a thread of one's own holds for one that is shared, too. */
class SharedReceiverThreadTest extends StreamEngineTest {
    private static final Optional<SharedReceiverThread> SHARED = Optional.of(SharedReceiverThread.named("test"));

    @Override
    Optional<SharedReceiverThread> shared() {
        return SHARED;
    }

    /** A stream beside the other one. */
    private static final class Neighbour implements StreamSource {
        final CountDownLatch looked = new CountDownLatch(1);
        final CountDownLatch lookedAgain = new CountDownLatch(50);
        volatile Thread receiver;

        private final FlowSetPool pool = FlowSetPool.allocate(2, new long[] {10}, 1 << 20);
        private final StreamCounters counters = new StreamCounters();

        @Override
        public String name() {
            return "neighbour";
        }

        @Override
        public FlowSetPool pool() {
            return pool;
        }

        @Override
        public StreamCounters counters() {
            return counters;
        }

        @Override
        public Optional<SharedReceiverThread> sharedThread() {
            return SHARED;
        }

        @Override
        public void begin(StreamEngine engine) {}

        @Override
        public void turn() {
            throw new IllegalStateException("no thread of its own");
        }

        @Override
        public boolean look() {
            receiver = Thread.currentThread();
            looked.countDown();
            lookedAgain.countDown();
            return false;
        }

        @Override
        public void end() {}

        @Override
        public void wakeUp() {}

        @Override
        public void close() {}
    }

    private static StreamEngine with(Neighbour neighbour) {
        StreamEngine other = new StreamEngine(neighbour);
        other.start();
        return other;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(20, TimeUnit.SECONDS));
    }

    @Test
    void streamsOfOneNameHaveOneThread() throws Exception {
        Neighbour neighbour = new Neighbour();
        engine.start();
        try (StreamEngine other = with(neighbour)) {
            await(neighbour.looked);
            script.sync();
            assertTrue(other.running());
            assertSame(script.receiver, neighbour.receiver);
        }
    }

    @Test
    void aStreamThatEndsLeavesTheOthersRunning() throws Exception {
        Neighbour neighbour = new Neighbour();
        engine.start();
        with(neighbour).close();
        script.sync();
        assertTrue(engine.running());
    }

    @Test
    void aStreamThatFailsLeavesTheOthersRunning() throws Exception {
        Neighbour neighbour = new Neighbour();
        engine.start();
        try (StreamEngine other = with(neighbour)) {
            script.steps.add(() -> {
                throw new IllegalStateException("broken");
            });
            await(neighbour.lookedAgain);
            assertTrue(other.running());
            assertEquals(
                    "broken", engine.end().flatMap(End::cause).orElseThrow().getMessage());
            assertFalse(engine.running());
        }
    }

    @Test
    void theThreadEndsWithTheLastStream() throws Exception {
        engine.start();
        script.sync();
        Thread receiver = script.receiver;
        engine.stop();
        receiver.join(20_000);
        assertFalse(receiver.isAlive());
    }
}
