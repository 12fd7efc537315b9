package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what with a camera, and how control ends: the camera and two applications are hosts of their own. */
@EnabledIfPeers({"arv-camera-test-0.8", "arv-tool-0.8", "bash", "tshark"})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(180)
class ControlBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CONNECTION_EXIT_CODE = 4;
    private static final String CAMERA = NetworkNamespace.Switch.address(1);
    private static final int FIRST = 2;
    private static final int SECOND = 3;
    private static final String FIRST_ADDRESS = NetworkNamespace.Switch.address(FIRST);
    private static final String SECOND_ADDRESS = NetworkNamespace.Switch.address(SECOND);

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Switch network;
    private static Capture capture;

    @BeforeAll
    static void start() {
        network = NetworkNamespace.Switch.connecting(3);
        CameraProcess.virtual(network.host(1), CAMERA, "--serial", "SHARED1", "--size", "64x48", "--rate", "50");
        capture = Capture.start(network.host(1), "net0", directory.resolve("control.pcapng"), "-f", Capture.CONTROL);
    }

    @AfterAll
    static void stop() {
        capture.close();
        network.close();
    }

    /** An application that has the camera, until it is closed. */
    private static ChildProcess application(int host, String... arguments) {
        return application(host, List.of(), arguments);
    }

    private static ChildProcess application(int host, List<String> javaOptions, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = CAMERA;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        ChildProcess application = network.host(host)
                .start(ChildProcess.java(javaOptions, ApplicationMain.class.getName(), Arrays.asList(all)));
        application.awaitLine("open camera", LIMIT, "open"::equals);
        return application;
    }

    private static ChildProcess streaming(int host, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "stream";
        ChildProcess application = application(host, all);
        application.awaitLine("stream", LIMIT, "streaming"::equals);
        return application;
    }

    private static ChildProcess command(int host, String... arguments) {
        return network.host(host).start(CameraProcess.command(arguments));
    }

    private static String peregrine(int host, String... arguments) {
        return network.host(host).run(LIMIT, CameraProcess.command(arguments));
    }

    /** What a command says that fails for the connection. */
    private static String refused(int host, String... arguments) {
        try (ChildProcess command = command(host, arguments)) {
            assertEquals(CONNECTION_EXIT_CODE, command.awaitEnd(LIMIT), command::output);
            return command.output();
        }
    }

    private static String aravis(int host, String... features) {
        String[] command = new String[features.length + 4];
        command[0] = "arv-tool-0.8";
        command[1] = "-a";
        command[2] = CAMERA;
        command[3] = "control";
        System.arraycopy(features, 0, command, 4, features.length);
        try (ChildProcess tool = network.host(host).start(command)) {
            tool.awaitEnd(LIMIT);
            return tool.output();
        }
    }

    @Test
    void whoKnowsTheKeyTakesControlOverAndTheFirstIsToldWhoDid() {
        try (ChildProcess first = application(FIRST, "allow:4711")) {
            refused(SECOND, "stream", CAMERA, "--param", "SwitchoverKey=4712", "--frames", "5");
            try (ChildProcess second = streaming(SECOND, "SwitchoverKey=4711")) {
                first.awaitLine(
                        "loss with the reason",
                        LIMIT,
                        line -> line.startsWith("state LOST: ") && line.contains(SECOND_ADDRESS));
                assertTrue(second.output().contains("holder " + SECOND_ADDRESS), second::output);
                assertTrue(second.alive());
            }
        }
    }

    @Test
    void nobodyElseReadsBesideAnExclusiveController() {
        try (ChildProcess first = application(FIRST, "AccessMode=Exclusive")) {
            refused(SECOND, "get", CAMERA, "Width");
            String aravis = aravis(SECOND, "Width");
            assertFalse(aravis.contains("Width = 64"), aravis);
            assertTrue(first.alive());
        }
        assertEquals("64", peregrine(SECOND, "get", CAMERA, "Width").strip());
    }

    @Test
    void othersSeeWhoHasTheCameraAndCannotChangeIt() {
        try (ChildProcess first = streaming(FIRST, "set:Gain=3");
                ChildProcess monitor = application(SECOND, "AccessMode=ReadOnly")) {
            String byAravis = aravis(SECOND, "GevPrimaryApplicationIPAddress", "AcquisitionStatus", "Gain=5");
            String denied = refused(SECOND, "set", CAMERA, "Gain=6");
            try (ChildProcess doctor = command(SECOND, "doctor", CAMERA, "--network")) {
                doctor.awaitEnd(LIMIT);
                assertAll(
                        () -> assertTrue(monitor.output().contains("holder " + FIRST_ADDRESS), monitor::output),
                        () -> assertTrue(monitor.output().contains("acquisition true"), monitor::output),
                        // 10.78.0.2 as a number.
                        () -> assertTrue(byAravis.contains("GevPrimaryApplicationIPAddress = 172883970"), byAravis),
                        () -> assertTrue(byAravis.contains("AcquisitionStatus = true"), byAravis),
                        () -> assertTrue(
                                denied.contains("controlled by an application on another host, " + FIRST_ADDRESS + ":"),
                                denied),
                        () -> assertTrue(doctor.output().contains("controlled by " + FIRST_ADDRESS), doctor::output),
                        () -> assertEquals(
                                "3.0", peregrine(SECOND, "get", CAMERA, "Gain").strip()),
                        () -> assertTrue(first.alive(), first::output));
            }
        }
    }

    @Test
    void whatAravisControlsIsRefusedUntilItEnds() {
        try (ChildProcess aravis = network.host(FIRST).start("arv-camera-test-0.8", "--no-packet-socket", "-a")) {
            // It keeps what it says until it ends, and another program of Aravis would take control before it.
            Await.until(
                    "stream to Aravis",
                    LIMIT,
                    () -> peregrine(SECOND, "get", CAMERA, "AcquisitionStatus").contains("true"));
            String denied = refused(SECOND, "set", CAMERA, "Gain=6");
            assertTrue(denied.contains("controlled by an application on another host, " + FIRST_ADDRESS + ":"), denied);
            aravis.interrupt();
            aravis.awaitEnd(LIMIT);
        }
        assertEquals("Gain=1.0", peregrine(SECOND, "set", CAMERA, "Gain=1").strip());
    }

    @Test
    void whenTheHeartbeatStopsTheCameraStopsAndIsFree() {
        try (ChildProcess first = streaming(FIRST, "HeartbeatTimeout=1s")) {
            first.kill();
            Await.until(
                    "camera that nobody has",
                    LIMIT,
                    () -> aravis(SECOND, "Gain=2").startsWith("Gain = 2"));
        }
        assertEquals(
                "false", peregrine(SECOND, "get", CAMERA, "AcquisitionStatus").strip());
    }

    @Test
    void aTerminatedProgramLeavesTheCameraStoppedAndFree() {
        // So long that the camera cannot have ended the control by itself.
        try (ChildProcess first = streaming(FIRST, "HeartbeatTimeout=10min")) {
            first.terminate();
            first.awaitEnd(LIMIT);
        }
        String byAravis = aravis(SECOND, "AcquisitionStatus", "Gain=4", "GevHeartbeatTimeout=3000");
        assertTrue(byAravis.contains("AcquisitionStatus = false"), byAravis);
        assertTrue(byAravis.contains("Gain = 4"), byAravis);
    }

    @Test
    void theHeartbeatWaitsForThoseWhoDebug() {
        List<String> debugger = List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
        try (ChildProcess plain = application(FIRST, "HeartbeatTimeout=2500ms")) {
            assertTrue(plain.output().contains("heartbeat 2500 ms, disabled false"), plain::output);
        }
        try (ChildProcess off = application(FIRST, "HeartbeatTimeout=off")) {
            assertTrue(off.output().contains("disabled true"), off::output);
        }
        try (ChildProcess debugged = application(FIRST, debugger)) {
            assertTrue(debugged.output().contains("heartbeat 300000 ms, disabled false"), debugged::output);
        }
        aravis(SECOND, "GevHeartbeatTimeout=3000");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void everyPacketDecodes() {
        peregrine(FIRST, "get", CAMERA, "Width");
        capture.end(FIRST_ADDRESS);
        assertTrue(capture.decode("gvcp", "frame.number").size() > 50);
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }
}
