package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.Needs;
import io.peregrine.testing.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a host receives that is left to choose, at an adapter that joins packets and at one that does not. */
@EnabledIfPeers({"ip", "ethtool", "setpriv"})
@Timeout(120)
class ReceiverChoiceTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = NetworkNamespace.Cable.CAMERA_ADDRESS;

    @TempDir
    private Path directory;

    private NetworkNamespace.Cable cable;
    private ChildProcess camera;

    @BeforeEach
    void start() {
        cable = NetworkNamespace.Cable.lay();
        Path scenario = CameraProcess.scenario(directory, """
                {"serial": "CHOICE1", "width": 640, "height": 480, "frameRate": 25}
                """);
        camera = CameraProcess.virtual(cable.camera(), CAMERA, "--scenario", scenario.toString());
    }

    @AfterEach
    void stop() {
        camera.close();
        cable.close();
    }

    private void joinPackets(boolean on) {
        cable.host().run(LIMIT, "ethtool", "-K", "host0", "gro", on ? "on" : "off");
    }

    private ChildProcess listener(List<String> before, int frames, String... parameters) {
        List<String> command = new ArrayList<>(before);
        List<String> arguments = new ArrayList<>(List.of(CAMERA, Integer.toString(frames), "AccessMode=Control"));
        arguments.addAll(List.of(parameters));
        command.addAll(ChildProcess.java(List.of(), ListenerMain.class.getName(), arguments));
        return cable.host().start(command);
    }

    private static void assertReceived(ChildProcess listener, String way) {
        String output = listener.succeeds(LIMIT);
        assertTrue(output.contains("received by " + way + "\n"), output);
        assertTrue(output.contains(" whole, 0 bad bytes"), output);
    }

    @Test
    void joinedPacketsAreReceivedByASocket() {
        joinPackets(true);
        try (ChildProcess listener = listener(List.of(), 20)) {
            assertReceived(listener, "mmsg");
        }
    }

    @Test
    void singlePacketsAreReceivedByARing() {
        joinPackets(false);
        try (ChildProcess listener = listener(List.of(), 20)) {
            assertReceived(listener, "ring");
        }
    }

    @Test
    void singlePacketsAreReceivedByASocketThatPollsTheAdapterWhenAskedTo() {
        joinPackets(false);
        try (ChildProcess listener = listener(List.of(), 20, "ReceiverBusyPollMicros=50")) {
            assertReceived(listener, "mmsg");
        }
    }

    @Test
    void singlePacketsAreReceivedByASocketWithoutTheRightToARing() {
        joinPackets(false);
        List<String> without = List.of("setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw");
        try (ChildProcess listener = listener(without, 20)) {
            assertReceived(listener, "mmsg");
        }
    }

    private String datagramsThroughARing(List<String> before, int ringBytes) {
        // Else what the sender hands over at once arrives uncut, whatever the receiving end does.
        cable.camera().run(LIMIT, "ethtool", "-K", "cam0", "tso", "off", "tx-udp-segmentation", "off");
        List<String> command = new ArrayList<>(before);
        command.addAll(ChildProcess.java(
                List.of(),
                RingOfRunsMain.class.getName(),
                List.of("receive", NetworkNamespace.Cable.HOST_ADDRESS, CAMERA, Integer.toString(ringBytes))));
        try (ChildProcess receiver = cable.host().start(command)) {
            String port = receiver.awaitLine("port of the ring", LIMIT, line -> line.startsWith("port "))
                    .substring("port ".length());
            cable.camera()
                    .runJava(LIMIT, RingOfRunsMain.class, "send", CAMERA, NetworkNamespace.Cable.HOST_ADDRESS, port);
            return receiver.succeeds(LIMIT);
        }
    }

    @Test
    void packetsThatAnAdapterJoinsReachARingAsRuns() {
        joinPackets(true);
        String output = datagramsThroughARing(List.of(), 1 << 20);
        assertTrue(output.contains("400 came, 400 in order, joined"), output);
    }

    @Test
    void packetsThatAnAdapterDoesNotJoinReachARingOneByOne() {
        joinPackets(false);
        String output = datagramsThroughARing(List.of(), 1 << 20);
        assertTrue(output.contains("400 came, 400 in order, one by one"), output);
    }

    /** What does not fit into a slot waits in a buffer that needs a right. */
    private String datagramsThroughARingWithoutTheRightToABuffer(int ringBytes) throws IOException {
        // The kernel allows twice as much.
        Needs.that(
                Long.parseLong(Files.readString(Path.of("/proc/sys/net/core/rmem_max"))
                                .strip())
                        < ringBytes / 2,
                "a net.core.rmem_max below half of the ring");
        joinPackets(true);
        List<String> without = List.of("setpriv", "--bounding-set", "-net_admin", "--inh-caps", "-net_admin");
        return datagramsThroughARing(without, ringBytes);
    }

    /** Runs would be dropped where single packets are not. */
    @Test
    void packetsReachASmallRingOneByOneWithoutTheRightToABufferForRuns() throws IOException {
        String output = datagramsThroughARingWithoutTheRightToABuffer(1 << 24);
        assertTrue(output.contains("400 came, 400 in order, one by one"), output);
    }

    @Test
    void runsReachTheSlotsOfALargeRingWithoutTheRightToABufferForThem() throws IOException {
        String output = datagramsThroughARingWithoutTheRightToABuffer(1 << 26);
        assertTrue(output.contains("400 came, 400 in order, joined"), output);
    }

    @Test
    void aRingGoesOnWhenItsInterfaceComesUpAgain() {
        try (ChildProcess listener = listener(List.of(), 75, "PacketReceiver=ring")) {
            listener.awaitLine("begin of the stream", LIMIT, "joined"::equals);
            cable.host().run(LIMIT, "ip", "link", "set", "host0", "down");
            cable.host().run(LIMIT, "ip", "link", "set", "host0", "up");
            assertReceived(listener, "ring");
        }
    }

    @Test
    void aRingWaitsWhileItsInterfaceIsDown() {
        String output = cable.host().runJava(LIMIT, RingAtInterfaceMain.class, "host0");
        assertTrue(output.contains("told true, told again false"), output);
    }
}
