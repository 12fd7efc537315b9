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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A camera, a controller, two listeners and a stranger, each a host of its own at one switch. */
@EnabledIfPeers({"bash", "tshark"})
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class MulticastTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String GROUP = "239.192.78.1";
    private static final int PORT = 50_078;
    private static final String CAMERA = NetworkNamespace.Switch.address(1);
    private static final int CONTROLLER_HOST = 2;
    private static final int LISTENER_HOST = 3;
    private static final int SECOND_LISTENER_HOST = 4;
    private static final int STRANGER_HOST = 5;

    /** However long this computer is busy with other things: packets that it drops meanwhile are sent again. */
    private static final List<String> PATIENCE =
            List.of("--param", "ResendEnabled=1", "--param", "ResendTries=100", "--param", "FrameRetention=10s");

    @TempDir
    private Path directory;

    private NetworkNamespace.Switch network;
    private ChildProcess camera;

    @BeforeEach
    void start() {
        network = NetworkNamespace.Switch.connecting(5);
        Path scenario = CameraProcess.scenario(directory, """
                {"serial": "GROUP1", "width": 160, "height": 120, "frameRate": 25}
                """);
        camera = CameraProcess.virtual(
                network.host(1), CAMERA, "--interface", "net0", "--scenario", scenario.toString());
    }

    @AfterEach
    void stop() {
        camera.close();
        network.close();
    }

    private ChildProcess controller(String... more) {
        List<String> command =
                CameraProcess.command("stream", CAMERA, "--multicast", GROUP + ":" + PORT, "--frame-timeout", "300");
        command.addAll(PATIENCE);
        command.addAll(List.of(more));
        return network.host(CONTROLLER_HOST).start(command);
    }

    private void awaitGroup() {
        Await.until(
                "stream to the group",
                LIMIT,
                () -> network.host(LISTENER_HOST)
                        .run(LIMIT, CameraProcess.command("get", CAMERA, "AcquisitionStatus"))
                        .contains("true"));
    }

    private ChildProcess listener(int host, String... parameters) {
        String[] arguments = new String[parameters.length + 2];
        arguments[0] = CAMERA;
        arguments[1] = "40";
        System.arraycopy(parameters, 0, arguments, 2, parameters.length);
        return network.host(host).startJava(ListenerMain.class, arguments);
    }

    @Test
    void controllerAndListenersOnOtherHostsGetTheSameFramesInSpiteOfAStranger() {
        String flood = "while true; do echo nonsense > /dev/udp/" + GROUP + "/" + PORT + "; sleep 0.01; done";
        try (ChildProcess controller = controller("--frames", "0", "--verify")) {
            awaitGroup();
            try (ChildProcess stranger = network.host(STRANGER_HOST).start("bash", "-c", route() + flood);
                    ChildProcess first = listener(LISTENER_HOST);
                    ChildProcess second = listener(LISTENER_HOST, "PacketReceiver=nio");
                    ChildProcess third = listener(SECOND_LISTENER_HOST, "PacketReceiver=ring")) {
                String whole = "40 whole, 0 bad bytes, foreign ";
                // The kernel keeps strangers from a socket, but a packet ring sees them.
                assertTrue(first.succeeds(LIMIT).contains(whole + "none"), first::output);
                assertTrue(second.succeeds(LIMIT).contains(whole + "none"), second::output);
                assertTrue(third.succeeds(LIMIT).contains(whole + "counted"), third::output);
                assertTrue(stranger.alive(), stranger::output);
            }
            controller.terminate();
            controller.awaitEnd(LIMIT);
            List<String> lines = controller.output().lines().toList();
            assertTrue(lines.stream().anyMatch(line -> line.matches("frames incomplete +0")), controller::output);
            assertTrue(lines.stream().anyMatch(line -> line.matches("bad bytes +0")), controller::output);
        }
    }

    private static String route() {
        return "ip route add " + GROUP + "/32 dev net0; ";
    }

    @Test
    void theStreamSurvivesTheKillOfItsController() {
        try (ChildProcess controller =
                controller("--frames", "0", "--param", "UnconditionalStreaming=1", "--param", "MulticastJoin=0")) {
            awaitGroup();
            controller.kill();
            Await.until("end of the control", LIMIT, this::controlCanBeTaken);
            List<String> monitor = CameraProcess.command("stream", CAMERA, "--monitor", "--frames", "20", "--verify");
            monitor.addAll(PATIENCE);
            String output = network.host(LISTENER_HOST).run(LIMIT, monitor);
            assertTrue(output.lines().anyMatch(line -> line.matches("frames complete +20")), output);
        }
    }

    private boolean controlCanBeTaken() {
        try (ChildProcess other = network.host(CONTROLLER_HOST).start(CameraProcess.command("set", CAMERA, "Gain=1"))) {
            return other.awaitEnd(LIMIT) == 0;
        }
    }

    @Test
    void joiningAndLeavingDecodeAsIgmpForTheCameraAlone() {
        Path file = directory.resolve("group.pcapng");
        Capture capture;
        try (ChildProcess controller = controller("--frames", "0", "--param", "MulticastJoin=0");
                Capture recording = Capture.start(
                        network.host(LISTENER_HOST),
                        "net0",
                        file,
                        "-f",
                        "igmp or udp port 3956 or udp port " + Capture.END_PORT)) {
            capture = recording;
            awaitGroup();
            try (ChildProcess listener = listener(LISTENER_HOST)) {
                listener.succeeds(LIMIT);
            }
            assertTrue(controller.alive(), controller::output);
            capture.end(CAMERA);
        }
        List<Map<String, String>> reports = capture.decode("igmp", "igmp.record_type", "igmp.maddr", "igmp.saddr");
        // Allow new sources (5), block old sources (6): RFC 3376.
        for (String type : List.of("5", "6")) {
            Map<String, String> report = Map.of("igmp.record_type", type, "igmp.maddr", GROUP, "igmp.saddr", CAMERA);
            assertTrue(reports.contains(report), () -> report + " in " + reports);
        }
        assertEquals(List.of(), capture.doubtful("igmp"));
    }
}
