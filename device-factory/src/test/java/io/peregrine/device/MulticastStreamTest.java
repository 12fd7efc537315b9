package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One camera, several receivers, on the loopback interface. */
@Timeout(60)
class MulticastStreamTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final String GROUP = "239.192.50.7";

    private VirtualCamera camera;

    @BeforeEach
    void loopbackCarriesGroups() throws IOException {
        try (DatagramChannel both = DatagramChannel.open(StandardProtocolFamily.INET)) {
            InetAddress group = InetAddress.getByName(GROUP);
            NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            both.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            both.bind(new InetSocketAddress(group, 0)).configureBlocking(false);
            both.join(group, loopback);
            int port = ((InetSocketAddress) both.getLocalAddress()).getPort();
            try (DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET)) {
                sender.bind(new InetSocketAddress("127.50.7.1", 0));
                sender.send(ByteBuffer.allocate(4), new InetSocketAddress(group, port));
            }
            boolean arrived = both.receive(ByteBuffer.allocate(8)) != null;
            Needs.that(arrived, "multicast groups on the loopback interface");
        }
    }

    private void start(FaultPlan faults) {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.50.7.1")
                .port(0)
                .size(160, 120)
                .frameRate(100)
                .faults(faults)
                .build());
    }

    @AfterEach
    void stop() {
        if (camera != null) {
            camera.close();
        }
    }

    private Device open(String... parameters) {
        Devices factory =
                DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        DiscoveryInformation info =
                factory.find("127.50.7.1:" + camera.address().getPort());
        for (int i = 0; i < parameters.length; i += 2) {
            info.setParameter(parameters[i], parameters[i + 1]);
        }
        return factory.open(info);
    }

    private Device monitor(String... parameters) {
        String[] all = Arrays.copyOf(parameters, parameters.length + 2);
        all[parameters.length] = "AccessMode";
        all[parameters.length + 1] = "ReadOnly";
        return open(all);
    }

    private static CompositeStream stream(Device device) {
        return device.stream(CompositeStream.class, 0);
    }

    /** Whole frames, each of which must be as the camera sent it. */
    private static long wholeFrames(CompositeStream stream, int frames) {
        long whole = 0;
        for (int i = 0; i < frames; i++) {
            try (Composite composite =
                    assertInstanceOf(WaitResult.Ok.class, stream.waitFor(LONG)).composite()) {
                if (composite.complete()) {
                    whole++;
                    for (Item item : composite.items()) {
                        assertEquals(0, Frames.badBytes(composite, item));
                    }
                }
            }
        }
        return whole;
    }

    @ParameterizedTest
    @ValueSource(strings = {"GenDC", "Image"})
    void controllerAndMonitorsGetTheSameFrames(String payload) {
        start(FaultPlan.NONE);
        try (Device controller = open("StreamDestination", GROUP, "Payload", payload);
                Device first = monitor();
                Device second = monitor("PacketReceiver", "nio");
                CompositeStream sent = stream(controller);
                CompositeStream firstReceived = stream(first);
                CompositeStream secondReceived = stream(second)) {
            sent.start();
            firstReceived.start();
            secondReceived.start();
            // What was on its way when the monitors joined is not theirs.
            wholeFrames(firstReceived, 2);
            wholeFrames(secondReceived, 2);
            assertEquals(20, wholeFrames(sent, 20));
            assertEquals(20, wholeFrames(firstReceived, 20));
            assertEquals(20, wholeFrames(secondReceived, 20));
        }
    }

    @Test
    void aControllerNeedNotReceive() {
        start(FaultPlan.NONE);
        try (Device controller = open("StreamDestination", GROUP, "MulticastJoin", "0");
                Device listener = monitor();
                CompositeStream sent = stream(controller);
                CompositeStream received = stream(listener)) {
            sent.start();
            received.start();
            wholeFrames(received, 2);
            assertEquals(20, wholeFrames(received, 20));
            assertInstanceOf(WaitResult.Timeout.class, sent.waitFor(Duration.ZERO));
            assertEquals(0, sent.statistics().get(Counter.PACKETS_RECEIVED));
        }
    }

    @Test
    void theEndOfAMonitorDoesNotStopTheStream() {
        start(FaultPlan.NONE);
        try (Device controller = open("StreamDestination", GROUP);
                CompositeStream sent = stream(controller)) {
            sent.start();
            try (Device listener = monitor();
                    CompositeStream received = stream(listener)) {
                received.start();
                wholeFrames(received, 2);
                received.stop();
            }
            assertEquals(20, wholeFrames(sent, 20));
        }
    }

    @Test
    void aMonitorAsksForNothingAgain() {
        start(loss());
        try (Device controller = open("StreamDestination", GROUP, "ResendEnabled", "0");
                Device listener = monitor();
                CompositeStream sent = stream(controller);
                CompositeStream received = stream(listener)) {
            sent.start();
            received.start();
            assertTrue(wholeFrames(received, 60) < 60);
            assertEquals(0, camera.statistics().resendRequests());
        }
    }

    @Test
    void aMonitorThatIsToldToAskGetsWholeFrames() {
        start(loss());
        try (Device controller = open("StreamDestination", GROUP, "ResendEnabled", "0", "MulticastJoin", "0");
                Device listener = monitor("resendEnabled", "1", "ResendTries", "100", "FrameRetention", "10s");
                CompositeStream sent = stream(controller);
                CompositeStream received = stream(listener)) {
            sent.start();
            received.start();
            wholeFrames(received, 2);
            assertEquals(60, wholeFrames(received, 60));
            assertTrue(camera.statistics().resendRequests() > 0);
        }
    }

    private static FaultPlan loss() {
        return new FaultPlan(20_27, 20, 0, 0, 0, 0, Duration.ofMillis(2), 0, 0, Duration.ZERO);
    }

    @Test
    void theStreamSurvivesTheEndOfItsControllerAndAnotherStopsIt() throws Exception {
        start(FaultPlan.NONE);
        try (Device controller = open("StreamDestination", GROUP, "UnconditionalStreaming", "1")) {
            stream(controller).start();
        }
        assertTrue(camera.controller().isEmpty());
        try (Device listener = monitor();
                CompositeStream received = stream(listener)) {
            received.start();
            wholeFrames(received, 2);
            assertEquals(20, wholeFrames(received, 20));
        }
        try (Device controller = open();
                CompositeStream sent = stream(controller)) {
            sent.start();
            assertEquals(20, wholeFrames(sent, 20));
        }
        assertTrue(camera.awaitStreaming(false, LONG));
    }

    @Test
    void stoppingStopsAnUnconditionalStream() throws Exception {
        start(FaultPlan.NONE);
        try (Device controller = open("StreamDestination", GROUP, "UnconditionalStreaming", "1");
                CompositeStream sent = stream(controller)) {
            sent.start();
            wholeFrames(sent, 2);
            sent.stop();
            assertTrue(camera.awaitStreaming(false, LONG));
        }
    }

    @Test
    void withoutAStreamAMonitorSaysWhatToDo() {
        start(FaultPlan.NONE);
        try (Device listener = monitor();
                CompositeStream received = stream(listener)) {
            DeviceException e = assertThrows(DeviceException.class, received::start);
            assertTrue(e.getMessage().contains("start the stream of the controller first"), e.getMessage());
        }
    }

    @Test
    void ofAStreamToOneHostAMonitorSaysWhatToDo() {
        start(FaultPlan.NONE);
        try (Device controller = open();
                CompositeStream sent = stream(controller);
                Device listener = monitor();
                CompositeStream received = stream(listener)) {
            sent.start();
            DeviceException e = assertThrows(DeviceException.class, received::start);
            assertTrue(e.getMessage().contains("StreamDestination="), e.getMessage());
        }
    }
}
