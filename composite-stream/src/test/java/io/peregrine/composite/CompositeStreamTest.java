package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.End;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CompositeStreamTest {
    /** Waiting tasks would fill a shared pool. */
    private static final Executor OWN_THREAD = task -> new Thread(task, "waiter").start();

    private static final Duration LONG = Duration.ofMinutes(5);

    private final ScriptedChannel channel = new ScriptedChannel(3, 64);
    private final CompositeStream stream = new CompositeStream(channel, channel);

    private void deliver(long blockId) {
        channel.deliver(
                Blocks.image(blockId, PfncCodes.MONO8, 4, 2, 0, 8), set -> Blocks.receive(set, 0, 0, new byte[8]));
    }

    private CompletableFuture<WaitResult> waiter() throws InterruptedException {
        CompletableFuture<WaitResult> result = CompletableFuture.supplyAsync(() -> stream.waitFor(LONG), OWN_THREAD);
        channel.awaitWaiter();
        return result;
    }

    @Test
    void startsTheEngineBeforeTheDeviceAndStopsItAfter() {
        stream.start();
        assertTrue(stream.running());
        stream.stop();

        assertEquals(List.of("engine start", "device start", "device stop", "engine stop"), channel.calls);
    }

    @Test
    void startsAndStopsOnlyWhatIsNotYet() {
        stream.stop();
        stream.start();
        stream.start();
        stream.stop();
        stream.stop();

        assertEquals(List.of("engine start", "device start", "device stop", "engine stop"), channel.calls);
    }

    @Test
    void canBeStartedAgainAfterStopAndAfterAbort() {
        stream.start();
        stream.stop();
        stream.start();
        stream.abort();
        stream.start();
        deliver(1);

        assertInstanceOf(WaitResult.Ok.class, stream.waitFor(LONG));
    }

    @Test
    void takesTheEngineBackWhenTheDeviceCannotStart() {
        channel.failOn("device start, device abort");

        IllegalStateException thrown = assertThrows(IllegalStateException.class, stream::start);

        assertEquals("device start failed", thrown.getMessage());
        assertEquals("device abort failed", thrown.getSuppressed()[0].getMessage());
        assertEquals(List.of("engine start", "device start", "device abort", "engine abort"), channel.calls);
        assertFalse(stream.running());
    }

    @Test
    void stopsTheEngineEvenIfTheDeviceCannotStopAndShowsBothFailures() {
        stream.start();
        channel.failOn("device stop, engine stop");

        IllegalStateException thrown = assertThrows(IllegalStateException.class, stream::stop);

        assertEquals("device stop failed", thrown.getMessage());
        assertEquals("engine stop failed", thrown.getSuppressed()[0].getMessage());
    }

    @Test
    void givesWhatArrivesInItsOrder() {
        stream.start();
        deliver(1);
        deliver(2);

        for (long id = 1; id <= 2; id++) {
            WaitResult result = stream.waitFor(LONG);
            assertEquals(WaitResult.Status.OK, result.status());
            try (Composite composite = result.toOptional().orElseThrow()) {
                assertEquals(id, composite.id());
            }
        }
        assertEquals(0, channel.pool().leasedCount());
    }

    @Test
    void timesOutWhileRunning() {
        stream.start();

        assertEquals(new WaitResult.Timeout(), stream.waitFor(Duration.ZERO));
        assertEquals(new WaitResult.Timeout(), stream.waitFor(Duration.ofMillis(1)));
        assertEquals(new WaitResult.Timeout(), stream.waitFor(Duration.ofSeconds(-1)));
    }

    @Test
    void wakesAWaiterWithAFrame() throws Exception {
        stream.start();
        CompletableFuture<WaitResult> result = waiter();
        deliver(5);

        assertInstanceOf(WaitResult.Ok.class, result.get(10, TimeUnit.SECONDS));
    }

    @Test
    void wakesAWaiterWhenTwoThreadsStop() throws Exception {
        stream.start();
        CompletableFuture<WaitResult> result = waiter();
        CompletableFuture<Void> one = CompletableFuture.runAsync(stream::stop, OWN_THREAD);
        CompletableFuture<Void> other = CompletableFuture.runAsync(stream::stop, OWN_THREAD);

        CompletableFuture.allOf(one, other).get(10, TimeUnit.SECONDS);
        assertEquals(new WaitResult.Abort(new End.Stopped()), result.get(10, TimeUnit.SECONDS));
        assertEquals(1, channel.calls.stream().filter("device stop"::equals).count());
    }

    @Test
    void wakesAWaiterOnAbortAndOnClose() throws Exception {
        stream.start();
        CompletableFuture<WaitResult> result = waiter();
        stream.abort();

        assertEquals(new WaitResult.Abort(new End.Stopped()), result.get(10, TimeUnit.SECONDS));
        stream.start();
        stream.close();
        assertEquals(new WaitResult.Abort(new End.Closed()), stream.waitFor(LONG));
    }

    @Test
    void tellsAWaiterAndAllAfterItWhyTheStreamFailed() throws Exception {
        stream.start();
        CompletableFuture<WaitResult> result = waiter();
        IOException cause = new IOException("lost");
        channel.fail(cause);

        assertEquals(new WaitResult.Abort(new End.Failed(cause)), result.get(10, TimeUnit.SECONDS));
        assertEquals(new WaitResult.Abort(new End.Failed(cause)), stream.waitFor(LONG));
        assertSame(cause, stream.failure().orElseThrow());
    }

    @Test
    void keepsAnInterruptedThreadInterrupted() {
        stream.start();
        Thread.currentThread().interrupt();

        WaitResult.Abort abort = assertInstanceOf(WaitResult.Abort.class, stream.waitFor(LONG));

        assertTrue(Thread.interrupted());
        assertInstanceOf(InterruptedException.class, abort.cause().orElseThrow());
    }

    @Test
    void abortsAWaitBeforeStartAndHandsOutWhatIsLeftAfterStop() {
        assertEquals(new WaitResult.Abort(new End.NotStarted()), stream.waitFor(LONG));
        stream.start();
        deliver(1);
        stream.stop();

        assertInstanceOf(WaitResult.Ok.class, stream.waitFor(LONG));
        assertEquals(new WaitResult.Abort(new End.Stopped()), stream.waitFor(LONG));
    }

    @Test
    void iteratesUntilTheStreamIsStopped() {
        stream.start();
        deliver(1);
        deliver(2);
        List<Long> ids = new ArrayList<>();
        for (Composite composite : stream) {
            try (composite) {
                ids.add(composite.id());
            }
            if (ids.size() == 2) {
                deliver(3);
                stream.stop();
            }
        }

        assertEquals(List.of(1L, 2L, 3L), ids);
        assertEquals(0, channel.pool().leasedCount());
    }

    @Test
    void endsAnIterationThatWaitsWhenTheStreamIsAborted() throws Exception {
        stream.start();
        CompletableFuture<Boolean> more =
                CompletableFuture.supplyAsync(() -> stream.iterator().hasNext(), OWN_THREAD);
        channel.awaitWaiter();
        stream.abort();

        assertFalse(more.get(10, TimeUnit.SECONDS));
    }

    @Test
    void closesOnceAndLeavesCompositesUsable() {
        stream.start();
        deliver(1);
        Composite composite = stream.waitFor(LONG).toOptional().orElseThrow();

        stream.close();
        stream.close();

        assertTrue(stream.closed());
        assertEquals(List.of("engine start", "device start", "device abort", "engine abort", "close"), channel.calls);
        assertEquals(8, composite.items().get(0).data().remaining());
        composite.close();
        assertEquals(0, channel.pool().leasedCount());
        assertThrows(CompositeException.class, stream::start);
    }

    @Test
    void closesTheChannelEvenIfNothingElseWorks() {
        stream.start();
        channel.failOn("device abort, engine abort");

        IllegalStateException thrown = assertThrows(IllegalStateException.class, stream::close);

        assertEquals(1, thrown.getSuppressed().length);
        assertTrue(channel.calls.contains("close"));
    }
}
