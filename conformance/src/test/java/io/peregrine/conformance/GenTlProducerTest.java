package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.NodeMap;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace.Cable;
import io.peregrine.testing.TestData;
import io.peregrine.virtualcamera.TestPattern;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The driver of a vendor, Baumer's GenTL producer for GigE Vision, as a client of the virtual camera. */
@EnabledIfPeers("gcc")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class GenTlProducerTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    /** Part of the device id that the producer makes of the MAC address. */
    private static final String CAMERA_ID = "02_00_0a_4d_00_01";

    private static final int MONO_8 = 0x01080001;
    private static final int WIDTH = 320;
    private static final int HEIGHT = 240;
    private static final int FRAMES = 1000;
    private static final int BUFFERS = 20;

    private static Path producer;

    @TempDir
    private static Path directory;

    private static Path program;
    private Cable cable;

    @BeforeAll
    static void compile() {
        producer = TestData.peer("baumer-gige/libbgapi2_gige.cti");
        program = GenTlClient.compile(directory);
    }

    @BeforeEach
    void layCable() {
        cable = Cable.lay();
    }

    @AfterEach
    void removeCable() {
        cable.close();
    }

    private ChildProcess camera(String scenario, String... arguments) {
        Path file = CameraProcess.scenario(directory, scenario);
        String[] all = new String[arguments.length + 2];
        all[0] = "--scenario";
        all[1] = file.toString();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return CameraProcess.virtual(cable.camera(), Cable.CAMERA_ADDRESS, all);
    }

    private GenTlClient open() {
        return GenTlClient.open(cable.host(), program, producer, CAMERA_ID);
    }

    /** Starts buffers and acquisition as a consumer of GenTL does. */
    private static void start(GenTlClient client, NodeMap nodes) {
        client.start(BUFFERS, nodes.integer("PayloadSize").value());
        nodes.integer("TLParamsLocked").set(1);
        nodes.command("AcquisitionStart").execute();
    }

    private static void stop(GenTlClient client, NodeMap nodes) {
        nodes.command("AcquisitionStop").execute();
        client.stop();
        nodes.integer("TLParamsLocked").set(0);
    }

    private static long badBytes(GenTlClient.Frame frame) {
        ByteBuffer image = frame.data().duplicate().limit(WIDTH * HEIGHT);
        return TestPattern.countBadBytes(1, MONO_8, frame.id(), WIDTH, HEIGHT, image);
    }

    @Test
    void readsTheNodeMapThatTheManifestLeadsTo() {
        camera("{\"serial\": \"GT-1\"}");
        try (GenTlClient client = open()) {
            NodeMap nodes = NodeMap.load(client.xml(), client);
            assertAll(
                    () -> assertEquals(
                            "GT-1", nodes.string("DeviceSerialNumber").value()),
                    () -> assertEquals(640, nodes.integer("Width").value()));
            client.end();
        }
    }

    @Test
    void receivesAThousandFramesWithoutABadByte() {
        camera("{\"width\": 320, \"height\": 240}");
        assertEveryFrameIsGood();
    }

    @Test
    void receivesAThousandFramesWithoutABadByteOverALinkThatLosesOnePacketInAHundred() {
        camera("{\"width\": 320, \"height\": 240, \"resendBlocks\": 32,"
                + " \"faults\": {\"seed\": 3, \"lossPerMille\": 10}}");
        assertEveryFrameIsGood();
    }

    /** In bursts that the consumer's buffers hold, so that a slow consumer loses nothing. */
    private void assertEveryFrameIsGood() {
        try (GenTlClient client = open()) {
            NodeMap nodes = NodeMap.load(client.xml(), client);
            nodes.enumeration("TriggerMode").set("On");
            start(client, nodes);
            for (int i = 1; i <= FRAMES; i++) {
                if (i % BUFFERS == 1) {
                    for (int burst = 0; burst < Math.min(BUFFERS, FRAMES - i + 1); burst++) {
                        nodes.command("TriggerSoftware").execute();
                    }
                }
                GenTlClient.Frame frame = client.frame(LIMIT);
                assertEquals(i, frame.id());
                assertFalse(frame.incomplete(), () -> "frame " + frame.id() + " is incomplete");
                assertEquals(0, badBytes(frame), () -> "bad bytes in frame " + frame.id());
            }
            stop(client, nodes);
            client.end();
        }
    }

    @Test
    void findsEveryChunkOfAnImageWithChunks() {
        camera("{\"width\": 320, \"height\": 240, \"payload\": \"imageWithChunks\"}");
        try (GenTlClient client = open()) {
            NodeMap nodes = NodeMap.load(client.xml(), client);
            start(client, nodes);
            for (int i = 1; i <= 20; i++) {
                GenTlClient.Frame frame = client.frame(LIMIT);
                assertEquals(0, badBytes(frame));
                assertEquals(
                        List.of(
                                0xA5000009L,
                                0xA5000008L,
                                0xA5000007L,
                                0xA5000006L,
                                0xA5000005L,
                                0xA5000004L,
                                0xA5000003L,
                                0xA5000002L,
                                0xA5000001L,
                                0xA5000000L),
                        frame.chunks().stream().map(GenTlClient.Chunk::id).toList());
                nodes.attachChunks(frame.data());
                assertEquals(frame.id(), nodes.integer("ChunkFrameID").value());
                nodes.detachChunks();
            }
            stop(client, nodes);
            client.end();
        }
    }

    @Test
    void findsEveryPartOfAMultiPartPayload() {
        camera("{\"width\": 320, \"height\": 240, \"payload\": \"multiPart\"}");
        try (GenTlClient client = open()) {
            NodeMap nodes = NodeMap.load(client.xml(), client);
            start(client, nodes);
            for (int i = 1; i <= 20; i++) {
                GenTlClient.Frame frame = client.frame(LIMIT);
                assertEquals(
                        List.of(1, 5, 9),
                        frame.parts().stream().map(GenTlClient.Part::dataType).toList());
                // Intensity, range and confidence by their GenDC type ids.
                long[] components = {1, 4, 6};
                for (int p = 0; p < components.length; p++) {
                    GenTlClient.Part part = frame.parts().get(p);
                    ByteBuffer data = frame.data().slice(part.offsetBytes(), part.lengthBytes());
                    assertEquals(
                            0,
                            TestPattern.countBadBytes(components[p], part.format(), frame.id(), WIDTH, HEIGHT, data),
                            () -> "bad bytes in " + part);
                }
            }
            stop(client, nodes);
            client.end();
        }
    }

    @Test
    void opensACameraThatWasKilledAndCameBack() {
        ChildProcess first = camera("{\"width\": 320, \"height\": 240}");
        try (GenTlClient client = open()) {
            NodeMap nodes = NodeMap.load(client.xml(), client);
            start(client, nodes);
            assertEquals(0, badBytes(client.frame(LIMIT)));
            first.kill();
            first.awaitEnd(LIMIT);
            camera("{\"width\": 320, \"height\": 240}");
        }
        try (GenTlClient client = open()) {
            NodeMap nodes = NodeMap.load(client.xml(), client);
            start(client, nodes);
            GenTlClient.Frame frame = client.frame(LIMIT);
            assertTrue(frame.id() == 1 && badBytes(frame) == 0, frame::toString);
            stop(client, nodes);
            client.end();
        }
    }
}
