package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.peregrine.discovery.internal.DiscoveredDevice;
import io.peregrine.gvcp.MacAddress;
import io.peregrine.stream.End;
import io.peregrine.testing.ExpectedWarning;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
@ExpectedWarning("The attempts to connect test end")
class ConnectionLifecycleTest {

    /** A device that is lost, and cannot be connected again for an error of this JVM. */
    private static final class FailingSteps implements ConnectionLifecycle.Steps {
        private final Error error;
        private final CompletableFuture<End> ended = new CompletableFuture<>();

        private FailingSteps(Error error) {
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

    private static DiscoveryInformation lost(InetAddress address) {
        return new DiscoveryInformation(new DiscoveredDevice(
                address,
                3956,
                new MacAddress(0x020000000001L),
                address,
                address,
                "Vendor",
                "Model",
                "1.0",
                "",
                "serial",
                "",
                2,
                2,
                "none",
                address,
                false));
    }

    @Test
    void anErrorWhileConnectingAgainEndsTheConnectionWithThatCause()
            throws InterruptedException, ExecutionException, TimeoutException, UnknownHostException {
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        FailingSteps steps = new FailingSteps(full);
        PeregrineSettings settings = PeregrineSettings.load(Map.of(), Map.of(), Path.of("no such directory"));
        ControlParameters parameters =
                OpenParameters.of(settings, Map.of("Reconnect", "1")).control();
        DiscoveryInformation info = lost(InetAddress.getByName("192.0.2.1"));
        try (ConnectionLifecycle life =
                new ConnectionLifecycle("test", parameters, steps, new Holdings(info, true, OpenedAt.outside()))) {
            life.lost(new DeviceLostException("it is gone"));
            End end = steps.ended.get(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS);
            assertSame(
                    full,
                    assertInstanceOf(End.Failed.class, end)
                            .cause()
                            .orElseThrow()
                            .getCause());
            assertEquals(Connection.State.LOST, life.state());
            assertEquals(end, life.end().orElseThrow());
        }
    }
}
