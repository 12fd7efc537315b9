package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.End;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A loop that just ends has seen everything; all other ends throw. */
@Timeout(30)
class IterationEndTest {
    private static final Executor OWN_THREAD = task -> new Thread(task, "iteration").start();

    private final ScriptedChannel channel = new ScriptedChannel(3, 64);

    private CompositeStream open(Class<? extends CompositeStream> type) {
        return CompositeStream.create(type, channel, channel);
    }

    private void deliver(long blockId) {
        channel.deliver(
                Blocks.image(blockId, PfncCodes.MONO8, 4, 2, 0, 8), set -> Blocks.receive(set, 0, 0, new byte[8]));
    }

    private static RuntimeException thrownBy(CompositeStream stream) {
        Iterator<Composite> composites = stream.iterator();
        RuntimeException thrown = assertThrows(CompositeException.class, composites::hasNext);
        assertThrows(CompositeException.class, composites::next);
        return thrown;
    }

    /** How a loop ends in another thread that waits when something happens. */
    private Throwable endOfLoop(CompositeStream stream, Runnable event) throws Exception {
        stream.start();
        CompletableFuture<Void> loop = CompletableFuture.runAsync(() -> stream.forEach(Composite::close), OWN_THREAD);
        channel.awaitWaiter();
        event.run();
        try {
            loop.get(10, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {CompositeStream.class, ImageStream.class, PointCloudStream.class})
    void throwsWhenTheStreamFails(Class<? extends CompositeStream> type) throws Exception {
        IOException cause = new IOException("cable was pulled");
        Throwable thrown = endOfLoop(open(type), () -> channel.fail(cause));
        assertInstanceOf(CompositeException.class, thrown);
        assertEquals("The stream failed: cable was pulled", thrown.getMessage());
        assertSame(cause, thrown.getCause());
    }

    @ParameterizedTest
    @ValueSource(classes = {CompositeStream.class, ImageStream.class, PointCloudStream.class})
    void throwsWhenTheStreamWasNeverStarted(Class<? extends CompositeStream> type) {
        assertEquals(
                "The stream was never started: call start() before taking composites from it",
                thrownBy(open(type)).getMessage());
    }

    @Test
    void throwsWhenTheStreamWasNeverStartedButStoppedAndClosed() {
        CompositeStream stream = open(CompositeStream.class);
        stream.stop();
        stream.close();
        assertTrue(thrownBy(stream).getMessage().contains("never started"));
    }

    @ParameterizedTest
    @ValueSource(classes = {CompositeStream.class, ImageStream.class, PointCloudStream.class})
    void throwsInAnInterruptedThreadWhichStaysInterrupted(Class<? extends CompositeStream> type) {
        CompositeStream stream = open(type);
        stream.start();
        Thread.currentThread().interrupt();
        RuntimeException thrown = thrownBy(stream);
        assertTrue(Thread.interrupted());
        assertInstanceOf(InterruptedException.class, thrown.getCause());
        assertTrue(thrown.getMessage().startsWith("The thread was interrupted"), thrown::getMessage);
        assertTrue(stream.running());
    }

    @Test
    void goesOnAfterAnInterruptThatWasCleared() {
        CompositeStream stream = open(CompositeStream.class);
        stream.start();
        deliver(1);
        Iterator<Composite> composites = stream.iterator();
        Thread.currentThread().interrupt();
        assertThrows(CompositeException.class, composites::hasNext);
        assertTrue(Thread.interrupted());
        try (Composite composite = composites.next()) {
            assertEquals(1, composite.id());
        }
    }

    @Test
    void isQuietWhenTheStreamIsStopped() throws Exception {
        CompositeStream stream = open(CompositeStream.class);
        assertNull(endOfLoop(stream, stream::stop));
    }

    @Test
    void isQuietWhenTheStreamIsAborted() throws Exception {
        CompositeStream stream = open(CompositeStream.class);
        assertNull(endOfLoop(stream, stream::abort));
    }

    @Test
    void isQuietWhenTheStreamIsClosed() throws Exception {
        CompositeStream stream = open(CompositeStream.class);
        assertNull(endOfLoop(stream, stream::close));
    }

    @Test
    void isQuietWhenAllHasComeThatWasAskedFor() throws Exception {
        assertNull(endOfLoop(open(CompositeStream.class), () -> channel.endWith(new End.Finished())));
    }

    @Test
    void givesWhatIsLeftOfAStreamThatFinished() {
        CompositeStream stream = open(CompositeStream.class);
        stream.start();
        deliver(1);
        channel.endWith(new End.Finished());
        Iterator<Composite> composites = stream.iterator();
        composites.next().close();
        assertFalse(composites.hasNext());
    }

    @Test
    void theFirstEndCounts() {
        CompositeStream stream = open(CompositeStream.class);
        stream.start();
        channel.fail(new IOException("lost"));
        stream.close();
        assertInstanceOf(End.Failed.class, stream.end().orElseThrow());
        assertEquals("The stream failed: lost", thrownBy(stream).getMessage());
    }

    @Test
    void theExceptionIsTheDevices() {
        AcquisitionControl device = new AcquisitionControl.NoDevice() {
            @Override
            public Optional<RuntimeException> failure(String message, Throwable cause) {
                return Optional.of(new UnsupportedOperationException(message, cause));
            }
        };
        CompositeStream stream = new CompositeStream(channel, device);
        assertThrows(
                UnsupportedOperationException.class, () -> stream.iterator().hasNext());
    }

    @Test
    void anAcquisitionThatFinishedIsStoppedBeforeItStartsAgainThoughItsEngineRuns() {
        CompositeStream stream = open(CompositeStream.class);
        stream.start();
        channel.finishAcquisition();
        stream.start();
        assertEquals(List.of("engine start", "device start", "device stop", "device start"), channel.calls);
    }

    @Test
    void aStreamThatFinishedIsStoppedBeforeItStartsAgain() {
        CompositeStream stream = open(CompositeStream.class);
        stream.start();
        channel.endWith(new End.Finished());
        stream.start();
        assertEquals(
                List.of("engine start", "device start", "device stop", "engine stop", "engine start", "device start"),
                channel.calls);
    }
}
