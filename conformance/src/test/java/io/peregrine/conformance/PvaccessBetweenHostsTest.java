package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.cli.PeregrineMain;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command offers a camera's frames on one host; the client of core-pva, as Phoebus has it, reads them on another,
 * while a further client there is stopped and one sends garbage.
 */
@EnabledIfPeers({"tshark", "kill"})
@Timeout(180)
class PvaccessBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CAMERA = 1;
    private static final int SERVER = 2;
    private static final int CLIENT = 3;
    private static final String SERVER_ADDRESS = NetworkNamespace.Switch.address(SERVER);
    private static final String IMAGE = "CAM:Pva1:Image";
    private static final String FRAMES = "100";

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Switch network;
    private static Capture capture;
    private static String byAddress;
    private static String byNameServer;
    private static String served;

    @BeforeAll
    static void offerFrames() {
        network = NetworkNamespace.Switch.connecting(CLIENT);
        CameraProcess.virtual(
                network.host(CAMERA),
                NetworkNamespace.Switch.address(CAMERA),
                "--size",
                "320x240",
                "--rate",
                "30",
                "--format",
                "Mono8");
        ChildProcess server = network.host(SERVER)
                .start(ChildProcess.java(
                        List.of(),
                        PeregrineMain.class.getName(),
                        List.of(
                                "pvaccess",
                                NetworkNamespace.Switch.address(CAMERA),
                                "--name",
                                "CAM",
                                "--listen",
                                SERVER_ADDRESS)));
        server.awaitLine("server", LIMIT, line -> line.contains("offering CAM"));
        capture = Capture.start(
                network.host(SERVER),
                "net0",
                directory.resolve("pva.pcapng"),
                "-f",
                "port 5075 or port 5076 or udp port " + Capture.END_PORT);
        byAddress = client("EPICS_PVA_ADDR_LIST", FRAMES).succeeds(LIMIT);
        ChildProcess stopped = client("EPICS_PVA_ADDR_LIST", "1000000");
        stopped.awaitLine("monitor", LIMIT, line -> line.startsWith("got "));
        stopped.suspend();
        network.host(CLIENT)
                .run(LIMIT, "bash", "-c", "head -c 4096 /dev/urandom > /dev/tcp/" + SERVER_ADDRESS + "/5075");
        byNameServer = client("EPICS_PVA_NAME_SERVERS", FRAMES).succeeds(LIMIT);
        server.terminate();
        server.awaitEnd(LIMIT);
        served = server.output();
        stopped.kill();
        capture.end(NetworkNamespace.Switch.address(CLIENT));
    }

    private static ChildProcess client(String setting, String frames) {
        List<String> options = new ArrayList<>(List.of("-DEPICS_PVA_AUTO_ADDR_LIST=NO", "-DEPICS_PVA_ENABLE_IPV6=NO"));
        options.add("-D" + setting + "=" + SERVER_ADDRESS);
        return network.host(CLIENT)
                .start(ChildProcess.java(options, PvaFramesMain.class.getName(), List.of(IMAGE, frames)));
    }

    @AfterAll
    static void removeNamespaces() {
        capture.close();
        network.close();
    }

    /** Without what the library logs. */
    private static List<String> results(String output) {
        return output.lines()
                .filter(line -> line.startsWith("got ") || line.startsWith("monitored "))
                .toList();
    }

    private static long count(String what) {
        Matcher matcher = Pattern.compile(Pattern.quote(what) + " +(\\d+)").matcher(served);
        assertTrue(matcher.find(), served);
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void everyPixelArrivesThroughASearchByUdp() {
        assertEquals(
                List.of("got epics:nt/NTNDArray:1.0, bad bytes 0", "monitored " + FRAMES + ", bad bytes 0"),
                results(byAddress));
    }

    @Test
    void everyPixelArrivesThroughASearchByTcpBesideAStoppedClient() {
        assertEquals(
                List.of("got epics:nt/NTNDArray:1.0, bad bytes 0", "monitored " + FRAMES + ", bad bytes 0"),
                results(byNameServer));
    }

    @Test
    void theCameraLosesNothing() {
        assertTrue(count("frames received") > 2 * Long.parseLong(FRAMES), served);
        assertEquals(0, count("frames lost"), served);
        assertEquals(0, count("frames incomplete"), served);
    }

    @Test
    void theServerSendsToTheClientAlone() {
        assertEquals(
                List.of(),
                capture.decode(
                        "ip.src == " + SERVER_ADDRESS + " && ip.dst != " + NetworkNamespace.Switch.address(CLIENT),
                        "ip.dst"));
    }
}
