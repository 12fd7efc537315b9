package io.peregrine.virtualcamera.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.StreamPayload;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@GevCamera(serial = "CLASS")
class GevCameraTest {
    private static VirtualCamera ofAllTests;

    @GevCamera(serial = "STATIC")
    private static VirtualCamera kept;

    @GevCamera
    private static InetSocketAddress keptAddress;

    @GevCamera(serial = "FIELD", width = 320, height = 200, frameRate = 12.5)
    private VirtualCamera field;

    private final VirtualCamera ofConstructor;
    private VirtualCamera ofBeforeEach;

    GevCameraTest(@GevCamera(serial = "NEW") VirtualCamera camera) {
        ofConstructor = camera;
    }

    @BeforeAll
    static void keep(@GevCamera(serial = "ALL") VirtualCamera camera) {
        ofAllTests = camera;
    }

    @BeforeEach
    void begin(@GevCamera(serial = "EACH") VirtualCamera camera) {
        ofBeforeEach = camera;
    }

    @AfterEach
    void camerasLiveUntilTheTestIsOver() throws IOException {
        assertEquals("FIELD", serialAt(field.address()));
        assertEquals("EACH", serialAt(ofBeforeEach.address()));
        assertEquals("NEW", serialAt(ofConstructor.address()));
    }

    @AfterAll
    static void camerasOfTheClassLiveUntilItsEnd() throws IOException {
        assertEquals("ALL", serialAt(ofAllTests.address()));
        assertEquals("STATIC", serialAt(kept.address()));
    }

    /**
     * Asks as discovery does (DISCOVERY_CMD, 8 bytes); the serial number is at byte 216 of the payload of the answer.
     */
    private static String serialAt(InetSocketAddress address) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(10_000);
            byte[] question = HexFormat.of().parseHex("4201000200000001");
            socket.send(new DatagramPacket(question, question.length, address));
            DatagramPacket answer = new DatagramPacket(new byte[600], 600);
            socket.receive(answer);
            byte[] serial = Arrays.copyOfRange(answer.getData(), 8 + 216, 8 + 216 + 16);
            return new String(serial, StandardCharsets.UTF_8).trim();
        }
    }

    /** Nobody stands there any more when its address and port can be taken. */
    private static void assertGone(InetSocketAddress address) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(address)) {
            assertTrue(socket.isBound());
        }
    }

    @Test
    void aParameterIsARunningCamera(@GevCamera(serial = "ONE") VirtualCamera camera) throws IOException {
        assertEquals("ONE", serialAt(camera.address()));
    }

    @Test
    void severalParametersAreSeveralCameras(@GevCamera VirtualCamera left, @GevCamera VirtualCamera right) {
        assertNotEquals(left.address(), right.address());
        assertNotEquals(left.scenario().serial(), right.scenario().serial());
    }

    @Test
    void anAddressCanBeAskedForInsteadOfTheCamera(@GevCamera(serial = "ADDRESS") InetSocketAddress address)
            throws IOException {
        assertEquals("ADDRESS", serialAt(address));
    }

    @Test
    void aParameterWithoutAnnotationIsTheCameraOfTheClass(VirtualCamera camera, InetSocketAddress address) {
        assertEquals("CLASS", camera.scenario().serial());
        assertEquals(camera.address(), address);
    }

    @Test
    void aStaticFieldHasACameraForTheWholeClass() throws IOException {
        assertEquals("STATIC", serialAt(kept.address()));
        assertTrue(serialAt(keptAddress).startsWith("VC7F"), () -> keptAddress.toString());
    }

    @Test
    void theAnnotationDescribesTheCamera(
            @GevCamera(
                            userName = "left",
                            width = 1600,
                            height = 100,
                            pixelFormat = "Mono16",
                            components = {ComponentKind.RANGE, ComponentKind.CONFIDENCE},
                            payload = StreamPayload.MULTI_PART,
                            flows = Scenario.Flows.PER_COMPONENT,
                            rdmaProvider = "software",
                            faults = "{\"lossPerMille\": 5, \"seed\": 7}",
                            scenario = "{\"frameRate\": 3, \"packetSizeBytes\": 9000, \"width\": 64}")
                    VirtualCamera camera) {
        Scenario scenario = camera.scenario();
        assertEquals("left", scenario.userName());
        assertEquals(1600, scenario.width());
        assertEquals(100, scenario.height());
        assertEquals(0x01100007, scenario.pixelFormat());
        assertEquals(Set.of(ComponentKind.RANGE, ComponentKind.CONFIDENCE), scenario.components());
        assertEquals(StreamPayload.MULTI_PART, scenario.payload());
        assertEquals(Scenario.Flows.PER_COMPONENT, scenario.flows());
        assertEquals("software", scenario.rdmaProvider());
        assertEquals(5, scenario.faults().lossPerMille());
        assertEquals(7, scenario.faults().seed());
        assertEquals(3, scenario.frameRate());
        assertEquals(9000, scenario.packetSizeBytes());
    }

    /** The tests of this class follow each other. */
    @Nested
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    class Life {
        private static final List<VirtualCamera> SEEN = new CopyOnWriteArrayList<>();
        private static VirtualCamera ofClass;

        @Test
        @Order(1)
        void first(VirtualCamera shared, @GevCamera VirtualCamera camera) {
            ofClass = shared;
            SEEN.add(camera);
            SEEN.add(field);
            SEEN.add(ofConstructor);
        }

        @Test
        @Order(2)
        void camerasOfATestAreGoneInTheNext(@GevCamera VirtualCamera camera) throws IOException {
            assertEquals(3, SEEN.size());
            for (VirtualCamera before : SEEN) {
                assertNotSame(before, camera);
                assertNotSame(before, field);
                assertGone(before.address());
            }
        }

        @Test
        @Order(3)
        void theCameraOfTheClassIsTheSameInAllTests(VirtualCamera shared) {
            assertSame(ofClass, shared);
        }
    }
}
