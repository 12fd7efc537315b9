package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The library against Aravis' fake camera, which others wrote. */
@EnabledIfPeers("arv-fake-gv-camera-0.8")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AravisCameraTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String LOOPBACK = "127.0.0.1";
    private static final String FAR = NetworkNamespace.Cable.CAMERA_ADDRESS;

    @Test
    void unicastDiscoveryFindsTheCamera() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.aravis(namespace, LOOPBACK, "GV77");
            assertEquals("found Aravis Fake GV77 at 127.0.0.1 through lo", find(namespace, unicast(LOOPBACK)));
        }
    }

    @Test
    void broadcastDiscoveryFindsTheCameraOnLoopback() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.aravis(namespace, LOOPBACK, "GV78");
            assertEquals(
                    "found Aravis Fake GV78 at 127.0.0.1 through lo",
                    find(namespace, List.of("-Dperegrine.discovery.interfaces=lo")));
        }
    }

    @Test
    void broadcastDiscoveryFindsTheCameraOverACable() {
        try (NetworkNamespace.Cable cable = NetworkNamespace.Cable.lay()) {
            CameraProcess.aravis(cable.camera(), FAR, "GV79");
            assertEquals("found Aravis Fake GV79 at 10.77.0.1 through host0", find(cable.host(), List.of()));
        }
    }

    @Test
    void featuresAreReadAndSet() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.aravis(namespace, LOOPBACK, "GV01");
            String output = runJava(namespace, List.of(), AravisFeaturesMain.class, LOOPBACK, "GV01");
            assertTrue(output.contains("all features as expected"), output);
        }
    }

    @ParameterizedTest
    @CsvSource({"1400, 400, 300, 0, 10000", "9000, 400, 300, 0, 10000", "1400, 333, 77, 1, 5000"})
    void everyByteOf200FramesArrivesOverLoopback(
            String packetSize, String width, String height, String gain, String exposure) {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.aravis(namespace, LOOPBACK, "GV01");
            String output = runJava(
                    namespace,
                    unicast(LOOPBACK),
                    AravisStreamMain.class,
                    packetSize,
                    "200",
                    width,
                    height,
                    gain,
                    exposure);
            assertWholeStream(output, Integer.parseInt(packetSize), Integer.parseInt(width) * Integer.parseInt(height));
        }
    }

    @ParameterizedTest
    @CsvSource({"1400", "9000"})
    void everyByteOf200FramesArrivesOverACable(String packetSize) {
        try (NetworkNamespace.Cable cable = NetworkNamespace.Cable.lay()) {
            CameraProcess.aravis(cable.camera(), FAR, "GV01");
            String output = runJava(
                    cable.host(), List.of(), AravisStreamMain.class, packetSize, "200", "400", "300", "0", "10000");
            assertWholeStream(output, Integer.parseInt(packetSize), 400 * 300);
        }
    }

    /** The camera's first block id is 65401, so that 200 frames pass the end of the 16-bit ids. */
    private static void assertWholeStream(String output, int packetSizeBytes, int frameBytes) {
        assertTrue(output.lines().anyMatch("first=65401 complete=200 badBytes=0 wraps=1 jumps=0"::equals), output);
        Matcher packets = Pattern.compile("packets=(\\d+)").matcher(output);
        assertTrue(packets.find(), output);
        int dataBytes = packetSizeBytes - 36;
        int packetsOfAFrame = (frameBytes + dataBytes - 1) / dataBytes + 2;
        assertEquals(200.0, Double.parseDouble(packets.group(1)) / packetsOfAFrame, 3.0, output);
    }

    private static List<String> unicast(String address) {
        return List.of("-Dperegrine.discovery.addresses=" + address, "-Dperegrine.discovery.broadcast=false");
    }

    private static String find(NetworkNamespace namespace, List<String> options) {
        return runJava(namespace, options, FindCamerasMain.class).strip();
    }

    private static String runJava(
            NetworkNamespace namespace, List<String> options, Class<?> mainClass, String... arguments) {
        return namespace.run(LIMIT, ChildProcess.java(options, mainClass.getName(), List.of(arguments)));
    }
}
