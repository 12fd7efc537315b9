package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done to streams by a thread that keeps others from the nodes. */
class StreamAmongOperationsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private VirtualCamera camera;
    private Device device;
    private CompositeStream stream;

    @BeforeEach
    void open() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.53.5.9")
                .port(0)
                .serial("AMONG")
                .size(64, 32)
                .build());
        String address = "127.53.5.9:" + camera.address().getPort();
        Devices factory = DeviceFactory.create(PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, address)
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        device = factory.open(factory.find(address));
        stream = device.stream(CompositeStream.class, 0);
    }

    @AfterEach
    void close() {
        device.close();
        camera.close();
    }

    @Test
    void aStartIsRefusedWhileAnotherThreadThatStartsWaitsForTheNodes() throws InterruptedException {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        Grouped.besideAnotherThread(
                device.nodes(),
                LIMIT,
                stream::start,
                () -> refusal.set(assertThrows(IllegalStateException.class, stream::start)));
        assertTrue(refusal.get().getMessage().contains("NodeMap.together"));
    }

    static Stream<Named<Consumer<StreamAmongOperationsTest>>> changes() {
        return Stream.of(
                Named.of("start", test -> test.stream.start()),
                Named.of("stop", test -> test.stream.stop()),
                Named.of("abort", test -> test.stream.abort()),
                Named.of("close", test -> test.stream.close()),
                Named.of("another stream", test -> test.device.stream(CompositeStream.class, 0)),
                Named.of("packet delay", test -> test.device.network().packetDelay(0, 1)),
                Named.of("end of the device", test -> test.device.close()));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeIsRefused(Consumer<StreamAmongOperationsTest> change) {
        device.nodes().together(() -> assertThrows(IllegalStateException.class, () -> change.accept(this)));
    }

    @Test
    void aRefusedEndLeavesTheDeviceOpen() {
        device.nodes().together(() -> assertThrows(IllegalStateException.class, device::close));
        assertEquals(32, device.nodes().integer("Height").value());
    }
}
