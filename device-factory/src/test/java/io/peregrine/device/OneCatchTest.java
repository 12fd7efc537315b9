package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.gvcp.GvcpException;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Refusals, time-outs and losses of the connection are device exceptions, wherever they show. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(60)
class OneCatchTest {
    private LosableCamera camera;

    @BeforeEach
    void start() {
        camera = new LosableCamera(
                Scenario.builder().bindAddress("127.55.9.11").serial("CATCH").size(64, 48));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    /** What users ask of a device that goes to the device itself. */
    private static Map<String, Executable> questions(Device device) {
        DeviceClock clock = device.clock();
        ActionSettings actions = device.control().actionSettings();
        AddressSettings addresses = device.network().addressSettings();
        CompositeStream stream = device.stream(CompositeStream.class, 0);
        Map<String, Executable> questions = new TreeMap<>();
        questions.put(
                "feature read",
                () -> device.nodes().integer("TimestampLatchValue").value());
        questions.put("feature written", () -> device.nodes().integer("Width").set(32));
        questions.put("command", () -> device.nodes().command("TimestampLatch").execute());
        questions.put("clock", clock::latch);
        questions.put("actions", () -> actions.deviceKey(1));
        questions.put("addresses", addresses::current);
        questions.put("primary application", () -> device.control().primaryApplication());
        questions.put("switchover", () -> device.control().allowSwitchover(1));
        questions.put("events", device::events);
        questions.put("packet delay", () -> device.network().packetDelay(0, 0));
        questions.put("bandwidth", () -> device.network().bandwidth(0, 10));
        questions.put("path", () -> device.network().probePath(0));
        questions.put("stream", stream::start);
        return questions;
    }

    private static void expect(Class<? extends DeviceException> type, Map<String, Executable> questions) {
        questions.forEach((name, question) -> {
            DeviceException thrown = assertThrows(type, question, name);
            assertTrue(thrown.getMessage().length() > 10, () -> name + ": " + thrown.getMessage());
        });
    }

    @Test
    void ofADeviceThatIsLost() throws InterruptedException {
        try (Device device = camera.open()) {
            Map<String, Executable> questions = questions(device);
            camera.lose();
            camera.await(Connection.State.LOST);
            expect(DeviceLostException.class, questions);
        }
    }

    @Test
    void ofADeviceThatIsLookedFor() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1")) {
            Map<String, Executable> questions = questions(device);
            questions.remove("stream");
            camera.lose();
            camera.await(Connection.State.RECONNECTING);
            expect(DeviceLostException.class, questions);
        }
    }

    @Test
    void ofADeviceThatIsSilent() throws Exception {
        try (Device device = camera.open("HeartbeatTimeout", "10s")) {
            IntegerNode width = device.nodes().integer("Width");
            camera.lose();
            try (DatagramSocket silent = new DatagramSocket(new InetSocketAddress("127.55.9.11", camera.port()))) {
                DeviceTimeoutException thrown = assertThrows(DeviceTimeoutException.class, () -> width.set(32));
                assertTrue(thrown.getMessage().startsWith("Node "), thrown::getMessage);
                assertTrue(silent.isBound());
            }
        }
    }

    @Test
    void ofADeviceThatRefuses() {
        try (Device holder = camera.openUnheard();
                Device monitor = camera.openUnheard("AccessMode", "ReadOnly")) {
            IntegerNode width = monitor.nodes().integer("Width");
            DeviceAccessDeniedException thrown = assertThrows(DeviceAccessDeniedException.class, () -> width.set(32));
            assertInstanceOf(GvcpException.class, thrown.getCause().getCause());
            assertTrue(holder.connection().connected());
        }
    }

    @Test
    void whatIsWrongWithAValueIsAFailureOfTheFeature() {
        try (Device device = camera.openUnheard()) {
            assertThrows(
                    GenApiException.class, () -> device.nodes().integer("Width").set(-1));
        }
    }

    @Test
    void ofADeviceThatIsGoneWhenItIsOpened() {
        DiscoveryInformation info = camera.factory().find("CATCH");
        camera.lose();
        assertThrows(DeviceTimeoutException.class, () -> camera.factory().open(info));
        assertThrows(
                DeviceTimeoutException.class,
                () -> camera.factory().openRegisters(info).read(0));
    }

    @Test
    void ofASearchOnAnInterfaceThatIsNotThere() {
        Devices factory =
                DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_INTERFACES, "nowhere0"));
        List.<Executable>of(
                        () -> factory.discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(10)),
                        () -> factory.find("CATCH"))
                .forEach(search -> {
                    DeviceException thrown = assertThrows(DeviceException.class, search);
                    assertTrue(thrown.getMessage().contains("nowhere0"), thrown::getMessage);
                });
    }

    @Test
    void aClosedDeviceSaysThatItIsClosed() {
        Device device = camera.openUnheard();
        Map<String, Executable> questions = questions(device);
        questions.remove("stream");
        questions.put("another stream", () -> device.stream(CompositeStream.class, 0));
        device.close();
        questions.forEach((name, question) -> {
            DeviceException thrown = assertThrows(DeviceException.class, question, name);
            assertTrue(thrown.getMessage().contains("The device is closed: open it again"), () -> name + ": " + thrown);
        });
    }

    @Test
    void aClosedDeviceGivesNoStream() {
        Device device = camera.openUnheard();
        device.close();
        DeviceException thrown = assertThrows(DeviceException.class, () -> device.stream(CompositeStream.class, 0));
        assertEquals("The device is closed: open it again", thrown.getMessage());
    }
}
