package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A camera on another host goes and comes back; the application that has it only hears of it. */
@EnabledIfPeers({"arv-fake-gv-camera-0.8", "arv-tool-0.8", "bash", "tshark"})
@Timeout(180)
class ReturnBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String HOME = NetworkNamespace.Cable.CAMERA_ADDRESS;
    private static final String ELSEWHERE = "10.77.0.9";

    @TempDir
    private Path directory;

    private NetworkNamespace.Cable cable;
    private Capture capture;

    @BeforeEach
    void start() {
        cable = NetworkNamespace.Cable.lay();
        capture = Capture.start(cable.host(), "host0", directory.resolve("return.pcapng"), "-f", Capture.CONTROL);
    }

    @AfterEach
    void stop() {
        capture.close();
        cable.close();
    }

    private ChildProcess camera(String address) {
        return CameraProcess.virtual(cable.camera(), address, "--serial", "BACK1", "--size", "64x48", "--rate", "50");
    }

    /** An application that streams and does not give up. */
    private ChildProcess application(String... more) {
        String[] arguments = new String[more.length + 4];
        arguments[0] = HOME;
        arguments[1] = "Reconnect=1";
        arguments[2] = "HeartbeatTimeout=1s";
        System.arraycopy(more, 0, arguments, 3, more.length);
        arguments[more.length + 3] = "stream";
        ChildProcess application = cable.host().startJava(ApplicationMain.class, arguments);
        application.awaitLine("stream", LIMIT, "streaming"::equals);
        return application;
    }

    /** Waits until frames come again, and gives what the application heard meanwhile. */
    private static List<String> awaitReturn(ChildProcess application) {
        Await.until(
                "frames again",
                LIMIT,
                () -> application.output().lines().filter("streaming"::equals).count() == 2,
                application::output);
        return application
                .output()
                .lines()
                .filter(line -> line.startsWith("state "))
                .toList();
    }

    private void assertThatEveryPacketDecodes(String camera) {
        capture.end(camera);
        assertTrue(capture.decode("gvcp", "frame.number").size() > 50);
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }

    @Test
    void aStreamFollowsACameraToItsNewAddressWithTheSettings() {
        ChildProcess before = camera(HOME);
        try (ChildProcess application = application("set:Gain=7", "set:Width=48")) {
            before.kill();
            cable.camera().run(LIMIT, "ip", "addr", "flush", "dev", "cam0");
            cable.camera().run(LIMIT, "ip", "addr", "add", ELSEWHERE + "/24", "brd", "+", "dev", "cam0");
            camera(ELSEWHERE);
            List<String> states = awaitReturn(application);
            assertTrue(states.get(0).startsWith("state LOST: "), states::toString);
            assertTrue(states.get(1).startsWith("state RECONNECTING: "), states::toString);
            assertEquals("state CONNECTED at " + ELSEWHERE + " []", states.get(states.size() - 1));
            String seen = cable.host()
                    .run(LIMIT, "arv-tool-0.8", "-a", ELSEWHERE, "control", "Gain", "Width", "AcquisitionStatus");
            assertTrue(seen.contains("Gain = 7 "), seen);
            assertTrue(seen.contains("Width = 48 "), seen);
            assertTrue(seen.contains("AcquisitionStatus = true"), seen);
        }
        assertThatEveryPacketDecodes(ELSEWHERE);
    }

    @Test
    void aStreamGoesOnWhenTheInterfaceIsUpAgain() {
        camera(HOME);
        try (ChildProcess application = application()) {
            cable.camera().run(LIMIT, "ip", "link", "set", "cam0", "down");
            application.awaitLine("loss", LIMIT, line -> line.startsWith("state LOST: "));
            cable.camera().run(LIMIT, "ip", "link", "set", "cam0", "up");
            List<String> states = awaitReturn(application);
            assertEquals("state CONNECTED at " + HOME + " []", states.get(states.size() - 1));
        }
        assertThatEveryPacketDecodes(HOME);
    }

    @Test
    void theFakeCameraOfAravisIsTakenAgainWithTheSettings() {
        ChildProcess before = CameraProcess.aravis(cable.camera(), HOME, "GV31");
        try (ChildProcess application = application("set:Width=128", "set:Height=96")) {
            before.kill();
            application.awaitLine("loss", LIMIT, line -> line.startsWith("state LOST: "));
            CameraProcess.aravis(cable.camera(), HOME, "GV31");
            List<String> states = awaitReturn(application);
            assertEquals("state CONNECTED at " + HOME + " []", states.get(states.size() - 1));
            String seen = cable.host().run(LIMIT, "arv-tool-0.8", "-a", HOME, "control", "Width", "Height");
            assertTrue(seen.contains("Width = 128 "), seen);
            assertTrue(seen.contains("Height = 96 "), seen);
        }
        assertThatEveryPacketDecodes(HOME);
    }
}
