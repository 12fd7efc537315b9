package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.samples.ForeignSubnet;
import io.peregrine.testing.Await;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A camera in one namespace whose address does not fit the host in the other. */
@EnabledIfPeers("tshark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ForeignSubnetTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String FOREIGN = "192.168.201.5";

    @TempDir
    private Path directory;

    private NetworkNamespace.Cable cable;
    private ChildProcess camera;

    @BeforeEach
    void start() {
        cable = NetworkNamespace.Cable.lay();
        cable.camera().run(LIMIT, "ip", "addr", "flush", "dev", "cam0");
        cable.camera().run(LIMIT, "ip", "addr", "add", FOREIGN + "/24", "brd", "+", "dev", "cam0");
        camera = CameraProcess.virtual(cable.camera(), FOREIGN, "--interface", "cam0", "--serial", "FAR1");
    }

    @AfterEach
    void stop() {
        camera.close();
        cable.close();
    }

    private String peregrine(String... arguments) {
        return cable.host().run(LIMIT, CameraProcess.command(arguments));
    }

    @Test
    void theSampleFindsAddressesOpensAndStreams() {
        String output = cable.host().runJava(LIMIT, ForeignSubnet.class, "5");
        assertTrue(output.contains("found FAR1 at " + FOREIGN + ", on a foreign subnet"), output);
        assertTrue(output.contains("reachable at 10.77.0.5"), output);
        assertEquals(5, output.lines().filter(line -> line.startsWith("frame ")).count(), output);
        assertFalse(output.contains("INCOMPLETE"), output);
    }

    @Test
    void theSuggestionLeavesOutWhatTheNeighboursHave() {
        // Nothing answers at this address but the kernel that has it.
        cable.camera().run(LIMIT, "ip", "addr", "add", "10.77.0.5/24", "dev", "cam0");
        assertEquals("10.77.0.6/24", peregrine("ip", "FAR1", "--suggest").trim());
    }

    @Test
    void aPersistentAddressOutlivesAReset() {
        peregrine("ip", "FAR1", "--force", "10.77.0.20/24");
        peregrine("ip", "FAR1", "--persistent", "10.77.0.30/24");
        peregrine("set", "10.77.0.20", "DeviceReset=1");
        Await.until(
                "camera at its persistent address",
                LIMIT,
                () -> peregrine("list").contains("10.77.0.30:3956"));
    }

    @Test
    void theDoctorSaysWhatMendsIt() {
        try (ChildProcess doctor = cable.host().start(CameraProcess.command("doctor", "FAR1", "--network"))) {
            assertEquals(1, doctor.awaitEnd(LIMIT), doctor::output);
            String output = doctor.output();
            assertTrue(output.contains("FAIL  subnet"), output);
            assertTrue(output.contains("./peregrine ip FAR1 --auto"), output);
        }
    }

    @Test
    void theReportNamesACameraThatCannotBeOpened() {
        Path file = directory.resolve("report.zip");
        String output = peregrine("report", "FAR1", "--output", file.toString());
        assertTrue(output.contains("discovery.json"), output);
        assertTrue(output.contains("camera: it is at " + FOREIGN), output);
    }

    @Test
    void theSessionDecodesWithoutMalformedPackets() {
        Path file = directory.resolve("forced.pcapng");
        try (Capture capture = Capture.start(cable.host(), "host0", file, "-f", "udp")) {
            peregrine("ip", "FAR1", "--auto");
            capture.end("10.77.0.5");
            List<String> forced = capture.decode("gvcp.cmd.command == 0x0004", "ip.dst").stream()
                    .map(packet -> packet.get("ip.dst"))
                    .toList();
            assertTrue(forced.contains("255.255.255.255"), forced::toString);
            assertEquals(List.of(), capture.doubtful("gvcp"));
        }
    }
}
