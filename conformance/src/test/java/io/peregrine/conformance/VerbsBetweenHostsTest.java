package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import io.peregrine.testing.VerbsDouble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A camera and a host that send and receive by raw packets, over the double of libibverbs in each of their processes.
 */
@EnabledIfPeers({"ip", "bash", "tshark"})
@Timeout(180)
class VerbsBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = NetworkNamespace.Cable.CAMERA_ADDRESS;
    private static final String GROUP = "239.192.77.5";
    private static final int FRAMES = 20;

    @TempDir
    private Path directory;

    private NetworkNamespace.Cable cable;
    private ChildProcess camera;

    @BeforeEach
    void lay() {
        VerbsDouble.compile(directory);
        cable = NetworkNamespace.Cable.lay();
    }

    @AfterEach
    void stop() {
        if (camera != null) {
            camera.close();
        }
        cable.close();
    }

    private List<String> withDouble() {
        return List.of("-Djna.library.path=" + directory);
    }

    private void camera(String send, String scenario) {
        Path file = CameraProcess.scenario(directory, scenario);
        List<String> arguments = List.of("--bind", CAMERA, "--send", send, "--scenario", file.toString());
        camera = cable.camera().start(ChildProcess.java(withDouble(), CameraProcess.VIRTUAL_CAMERA, arguments));
        camera.awaitLine("address of the virtual camera", LIMIT, line -> line.contains(CAMERA + ":"));
    }

    private ChildProcess host(int frames, String... parameters) {
        return host(List.of(), frames, parameters);
    }

    private ChildProcess host(List<String> before, int frames, String... parameters) {
        List<String> arguments = new ArrayList<>(List.of(CAMERA, Integer.toString(frames), "AccessMode=Control"));
        arguments.addAll(List.of(parameters));
        List<String> command = new ArrayList<>(before);
        command.addAll(ChildProcess.java(withDouble(), ListenerMain.class.getName(), arguments));
        return cable.host().start(command);
    }

    private static void assertReceived(ChildProcess host, String way, int frames) {
        String output = host.succeeds(LIMIT);
        assertTrue(output.contains("received by " + way + "\n"), output);
        assertTrue(output.contains(frames + " whole, 0 bad bytes"), output);
    }

    @ParameterizedTest
    @CsvSource({
        "verbs,verbs,automatic",
        "verbs,mmsg,automatic",
        "socket,verbs,automatic",
        "verbs,verbs,image",
        "verbs,verbs,multiPart"
    })
    void everyByteArrivesWhicheverEndUsesVerbs(String send, String receive, String payload) {
        camera(send, """
                {"serial": "VERBS1", "width": 640, "height": 480, "frameRate": 50, "payload": "%s"}
                """.formatted(payload));
        try (ChildProcess host = host(FRAMES, "PacketReceiver=" + receive)) {
            assertReceived(host, receive, FRAMES);
        }
    }

    /** The default of 10 flow sets of such frames has room for far fewer packets than receives are posted. */
    @ParameterizedTest
    @CsvSource({"640,480,automatic,50,100", "160,120,image,400,1000"})
    void noByteOfSmallFramesIsCopied(int width, int height, String payload, int rate, int frames) {
        camera("verbs", """
                {"serial": "VERBS7", "width": %d, "height": %d, "frameRate": %d, "payload": "%s"}
                """.formatted(width, height, rate, payload));
        // Without: on a busy host a packet may be late and be asked for, though it is not lost.
        // The first half uses up the receives that were posted before it was known how blocks are.
        try (ChildProcess host = host(frames, "PacketReceiver=verbs", "ResendEnabled=0")) {
            String output = host.succeeds(LIMIT);
            assertTrue(output.contains("second half: 0 bytes copied\n"), output);
            assertTrue(output.contains("\n0 incomplete\n" + frames + " whole, 0 bad bytes"), output);
        }
    }

    private void plainCamera() {
        camera("socket", """
                {"serial": "VERBS6", "width": 320, "height": 240, "frameRate": 50, "payload": "image"}
                """);
    }

    @ParameterizedTest
    @CsvSource({"PEREGRINE_IBV_INTERFACE=host0", "PEREGRINE_IBV_COMP_VECTOR=2"})
    void environmentSwitchesVerbsOn(String variable) {
        plainCamera();
        try (ChildProcess host = host(List.of("env", variable), FRAMES)) {
            assertReceived(host, "verbs", FRAMES);
        }
    }

    @Test
    void knobsOfTheReceiverAreTaken() {
        plainCamera();
        try (ChildProcess host = host(
                FRAMES,
                "PacketReceiver=verbs",
                "StreamInterface=host0",
                "ReceiveBufferBytes=1000000",
                "MaxPacketBytes=1500",
                "PacketSize=1500",
                "ReceiverCompletionVector=-1",
                "ReceiverMaxPoll=3",
                "StreamEndpoints=239.192.77.6:50078")) {
            assertReceived(host, "verbs", FRAMES);
        }
    }

    @Test
    void packetsOfTheStreamDecodeWithTheirTimeToLiveAndNoDoubt() {
        camera("verbs", """
                {"serial": "VERBS2", "width": 160, "height": 120, "frameRate": 50, "payload": "image"}
                """);
        Capture capture;
        try (Capture recording =
                Capture.start(cable.host(), "host0", directory.resolve("unicast.pcapng"), "-f", "udp")) {
            capture = recording;
            try (ChildProcess host = host(FRAMES, "PacketReceiver=verbs")) {
                assertReceived(host, "verbs", FRAMES);
            }
            capture.end(CAMERA);
        }
        assertOnTheWire(capture, NetworkNamespace.Cable.HOST_ADDRESS, "64", false);
    }

    @Test
    void packetsToAGroupHaveItsMacAddressAndTheTimeToLiveOfTheScenario() {
        camera("verbs", """
                {"serial": "VERBS3", "width": 160, "height": 120, "frameRate": 50, "payload": "image",
                 "multicastTtl": 5}
                """);
        Capture capture;
        try (Capture recording =
                Capture.start(cable.host(), "host0", directory.resolve("multicast.pcapng"), "-f", "udp")) {
            capture = recording;
            try (ChildProcess host = host(FRAMES, "PacketReceiver=verbs", "StreamDestination=" + GROUP + ":50077")) {
                assertReceived(host, "verbs", FRAMES);
            }
            capture.end(CAMERA);
        }
        assertOnTheWire(capture, GROUP, "5", true);
    }

    /** Of the packets without a UDP checksum, which the kernel sets and GVSP by verbs has not. */
    private void assertOnTheWire(Capture capture, String destination, String ttl, boolean group) {
        String stream = "udp.checksum == 0 && ip.src == " + CAMERA + " && ip.dst == " + destination;
        List<Map<String, String>> packets =
                capture.decode(stream, "ip.ttl", "eth.dst.ig", "ip.checksum.status", "ip.flags.df", "udp.srcport");
        // Leader, three packets of up to 9000 bytes, trailer; the first few may leave by a socket.
        assertTrue(packets.size() >= (FRAMES - 1) * 5, packets.size() + " packets");
        assertEquals(Set.of(ttl), values(packets, "ip.ttl"));
        assertEquals(1, values(packets, "udp.srcport").size());
        assertEquals(
                Set.of(group),
                values(packets, "eth.dst.ig").stream()
                        .map(text -> text.equals("1") || text.equalsIgnoreCase("true"))
                        .collect(Collectors.toSet()));
        assertEquals(List.of(), capture.doubtful(stream));
    }

    private static Set<String> values(List<Map<String, String>> packets, String field) {
        return packets.stream().map(packet -> packet.get(field)).collect(Collectors.toSet());
    }

    /** Whoever is busy, the stream cannot be faster than its link. */
    @Test
    void streamIsNoFasterThanItsLink() {
        camera("verbs", """
                {"serial": "VERBS4", "width": 640, "height": 480, "frameRate": 1000, "payload": "image",
                 "linkSpeedMegabits": 100}
                """);
        Capture capture;
        try (Capture recording = Capture.start(cable.host(), "host0", directory.resolve("paced.pcapng"), "-f", "udp")) {
            capture = recording;
            try (ChildProcess host = host(FRAMES, "PacketReceiver=verbs")) {
                assertReceived(host, "verbs", FRAMES);
            }
            capture.end(CAMERA);
        }
        List<Map<String, String>> packets =
                capture.decode("udp.checksum == 0 && ip.src == " + CAMERA, "frame.time_epoch", "ip.len");
        double first = Double.parseDouble(packets.get(0).get("frame.time_epoch"));
        double last = Double.parseDouble(packets.get(packets.size() - 1).get("frame.time_epoch"));
        double bits = packets.stream()
                .mapToDouble(packet -> 8 * Double.parseDouble(packet.get("ip.len")))
                .sum();
        assertTrue(bits / (last - first) < 102e6, bits / (last - first) + " bit/s");
    }

    @Test
    void probeFindsTheAdapterWhereThereIsOne() {
        String host = NetworkNamespace.Cable.HOST_ADDRESS;
        try (ChildProcess with = cable.host()
                        .start(ChildProcess.java(withDouble(), RawPacketProbeMain.class.getName(), List.of(host)));
                ChildProcess without = cable.host()
                        .start(ChildProcess.java(List.of(), RawPacketProbeMain.class.getName(), List.of(host)))) {
            assertEquals("verbs works", with.succeeds(LIMIT).strip());
            assertTrue(without.succeeds(LIMIT).startsWith("verbs does not work: "), without::output);
        }
    }

    @Test
    void cameraWithoutAnAdapterSaysWhyItUsesASocket() {
        Path file = CameraProcess.scenario(directory, "{\"serial\": \"VERBS5\", \"payload\": \"image\"}");
        List<String> arguments = List.of("--bind", CAMERA, "--send", "verbs", "--scenario", file.toString());
        // Without the double there is no adapter, with or without the libraries.
        camera = cable.camera().start(ChildProcess.java(List.of(), CameraProcess.VIRTUAL_CAMERA, arguments));
        String line = camera.awaitLine("way to send", LIMIT, text -> text.startsWith("Stream packets by"));
        assertTrue(line.startsWith("Stream packets by a socket, not by verbs: "), line);
        try (ChildProcess host = host(3, "PacketReceiver=mmsg")) {
            assertReceived(host, "mmsg", 3);
        }
    }
}
