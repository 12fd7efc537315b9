package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.peregrine.stream.End;
import io.peregrine.testing.ExpectedWarning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

@ExpectedWarning("Connection to test: LOST")
class ConnectionLifecycleTest {

    /** A device that is lost, and cannot be connected again for an error of this JVM. */
    private static class FailingSteps implements ConnectionLifecycle.Steps {
        final Error error;
        final CompletableFuture<End> ended = new CompletableFuture<>();

        FailingSteps(Error error) {
            this.error = error;
        }

        @Override
        public void suspend() {}

        @Override
        public void detach() {}

        @Override
        public List<String> connect() {
            throw error;
        }

        @Override
        public void abandon() {}

        @Override
        public boolean alive() {
            return false;
        }

        @Override
        public void endWith(End how) {
            ended.complete(how);
        }
    }

    private static void requireEndedByTheError(FailingSteps steps)
            throws InterruptedException, ExecutionException, TimeoutException {
        PeregrineSettings settings = PeregrineSettings.load(Map.of(), Map.of(), Path.of("no such directory"));
        ControlParameters parameters =
                OpenParameters.of(settings, Map.of("Reconnect", "1")).control();
        try (ConnectionLifecycle life = new ConnectionLifecycle(
                "test", parameters, steps, new Holdings(Found.nowhere(), true, OpenedAt.outside()))) {
            life.lost(new DeviceLostException("it is gone"));
            End end = steps.ended.get(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS);
            assertSame(
                    steps.error,
                    assertInstanceOf(End.Failed.class, end)
                            .cause()
                            .orElseThrow()
                            .getCause());
            assertEquals(Connection.State.LOST, life.state());
            assertEquals(end, life.end().orElseThrow());
        }
    }

    @Test
    @ExpectedWarning("The attempts to connect test end")
    void anErrorWhileConnectingAgainEndsTheConnectionWithThatCause() throws Exception {
        requireEndedByTheError(new FailingSteps(new OutOfMemoryError("Java heap space")));
    }

    @Test
    void anErrorBeforeConnectingAgainEndsTheConnectionWithThatCause() throws Exception {
        requireEndedByTheError(new FailingSteps(new OutOfMemoryError("unable to create native thread")) {
            @Override
            public void suspend() {
                throw error;
            }
        });
    }
}
