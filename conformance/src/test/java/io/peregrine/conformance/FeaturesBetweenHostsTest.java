package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.count;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.cli.PeregrineMain;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The features of a camera that another host publishes: a program that has the key, one with another key, and a
 * stranger that floods the publisher while the first goes on.
 */
@EnabledIfPeers("kill")
@Timeout(240)
class FeaturesBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int CAMERA = 1;
    private static final int PUBLISHER = 2;
    private static final int CONSUMER = 3;
    private static final int STRANGER = 4;
    private static final String CAMERA_ADDRESS = NetworkNamespace.Switch.address(CAMERA);
    private static final String PLACE = NetworkNamespace.Switch.address(PUBLISHER) + ":40456";
    private static final String STREAM = "FEAT-1";
    private static final String FRAMES = "100";

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Switch network;
    private static Path key;
    private static String set;
    private static String atCamera;
    private static String read;
    private static String flooded;
    private static String atCameraFlooded;
    private static String frames;
    private static int refusedStatus;
    private static String refused;
    private static String published;

    @BeforeAll
    static void askForFeatures() throws IOException {
        key = key("line.key", "00112233445566778899aabbccddeeff");
        Path other = key("other.key", "ffeeddccbbaa99887766554433221100");
        network = NetworkNamespace.Switch.connecting(STRANGER);
        CameraProcess.virtual(
                network.host(CAMERA), CAMERA_ADDRESS, "--serial", STREAM, "--size", "320x240", "--rate", "30");
        ChildProcess publisher = network.host(PUBLISHER)
                .start(CameraProcess.command(
                        "publish", CAMERA_ADDRESS, "--to", "from:" + PLACE, "--features-key", key.toString()));
        publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing " + STREAM));
        set = feature(key, "set", "ExposureTime=1234").succeeds(LIMIT);
        atCamera = atCamera();
        read = feature(key, "get", "ExposureTime").succeeds(LIMIT);
        ChildProcess stranger = feature(other, "get", "ExposureTime");
        refusedStatus = stranger.awaitEnd(LIMIT);
        refused = stranger.output();
        flood();
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
        published = publisher.output();
    }

    private static void flood() {
        ChildProcess flood = network.host(STRANGER)
                .startJava(
                        FeatureStrangerMain.class,
                        NetworkNamespace.Switch.address(STRANGER),
                        PLACE,
                        directory.resolve("stranger").toString());
        flood.awaitLine("flood", LIMIT, "flooding"::equals);
        ChildProcess consumer = network.host(CONSUMER)
                .start(ChildProcess.java(options(key), PublishedFramesMain.class.getName(), List.of(STREAM, FRAMES)));
        flooded = feature(key, "set", "ExposureTime=4321").succeeds(LIMIT);
        atCameraFlooded = atCamera();
        frames = consumer.succeeds(LIMIT);
        assertTrue(flood.alive(), flood::output);
        flood.kill();
    }

    private static Path key(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static List<String> options(Path keyFile) {
        return List.of(
                "-Ddistribution.routes=from:" + PLACE,
                "-Ddistribution.discoveryWindow=60s",
                "-Ddistribution.whenSlow=wait",
                "-Dperegrine.published.featuresKeyFile=" + keyFile);
    }

    private static ChildProcess feature(Path keyFile, String command, String feature) {
        return network.host(CONSUMER)
                .start(ChildProcess.java(
                        options(keyFile), PeregrineMain.class.getName(), List.of(command, "aeron:" + STREAM, feature)));
    }

    private static String atCamera() {
        return network.host(CAMERA).run(LIMIT, CameraProcess.command("get", CAMERA_ADDRESS, "ExposureTime"));
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    @Test
    void aFeatureIsSetAtTheCamera() {
        assertEquals("ExposureTime=1234.0", set);
        assertEquals("1234.0", atCamera);
    }

    @Test
    void aFeatureIsReadFromTheCamera() {
        assertEquals("1234.0", read);
    }

    @Test
    void anotherKeyIsRefusedAndTheReasonSaysWhatToDo() {
        assertNotEquals(0, refusedStatus, refused);
        assertTrue(refused.contains("FeaturesKeyFile"), refused);
    }

    @Test
    void aProgramWithTheKeyBeginsWhileAStrangerFloodsThePublisher() {
        assertEquals("ExposureTime=4321.0", flooded);
        assertEquals("4321.0", atCameraFlooded);
    }

    @Test
    void framesComeWholeDuringAFlood() {
        // A busy host may drop some before they are sent.
        assertTrue(frames.contains("whole " + FRAMES + ", bad bytes 0, incomplete 0,"), frames);
    }

    @Test
    void aFloodIsCounted() {
        assertTrue(count(published, "forged") > 0, published);
        assertTrue(count(published, "too many") > 0, published);
        assertTrue(count(published, "malformed") > 0, published);
    }
}
