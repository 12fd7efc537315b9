package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.Capture;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ClassOfService}, in the packets of a session over RDMA in software. */
@EnabledIfPeers("tshark")
@Timeout(120)
class ClassOfServiceTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = NetworkNamespace.Cable.CAMERA_ADDRESS;
    private static final String HOST = NetworkNamespace.Cable.HOST_ADDRESS;
    private static final String READ_REGISTER = "gvcp.cmd.command == 0x0080 && ip.src == " + HOST;
    private static final int WANTED = 104;
    private static final int NONE = 0;

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Cable cable;
    private static Capture capture;

    @BeforeAll
    static void recordASession() {
        cable = NetworkNamespace.Cable.lay();
        Path scenario =
                CameraProcess.scenario(directory, "{\"rdmaProvider\": \"software\", \"width\": 64, \"height\": 64}");
        CameraProcess.virtual(cable.camera(), CAMERA, "--scenario", scenario.toString());
        try (Capture recording =
                Capture.start(cable.host(), "host0", directory.resolve("session.pcapng"), "-f", "udp")) {
            stream("--param", "ClassOfService=" + WANTED, "--param", "UseRdma=require");
            recording.end(CAMERA);
            capture = recording;
        }
    }

    private static void stream(String... more) {
        String[] all = new String[more.length + 4];
        System.arraycopy(new String[] {"stream", CAMERA, "--frames", "3"}, 0, all, 0, 4);
        System.arraycopy(more, 0, all, 4, more.length);
        cable.host().run(LIMIT, CameraProcess.command(all));
    }

    @AfterAll
    static void stop() {
        cable.close();
    }

    /** How many packets have which type of service, of those that there are. */
    private static void assertService(int wanted, Capture of, String filter) {
        Map<Integer, Integer> services = new TreeMap<>();
        of.decode(filter, "ip.dsfield")
                .forEach(packet -> services.merge(Integer.decode(packet.get("ip.dsfield")), 1, Integer::sum));
        assertEquals(Set.of(wanted), services.keySet(), services::toString);
    }

    @Test
    void commandsToTheCameraHaveIt() {
        assertService(WANTED, capture, READ_REGISTER);
    }

    @Test
    void packetsOfRoceToTheCameraHaveIt() {
        assertService(WANTED, capture, "udp.dstport == 4791 && ip.src == " + HOST);
    }

    @Test
    void packetsOfRoceFromTheCameraTakeItOver() {
        // Queue pair 1 is that of the connection manager.
        assertService(WANTED, capture, "infiniband.bth.destqp != 1 && ip.src == " + CAMERA);
    }

    @Test
    void withoutItCommandsHaveNone() {
        try (Capture recording =
                Capture.start(cable.host(), "host0", directory.resolve("plain.pcapng"), "-f", Capture.CONTROL)) {
            cable.host().run(LIMIT, CameraProcess.command("get", CAMERA, "Width"));
            recording.end(CAMERA);
            assertService(NONE, recording, READ_REGISTER);
        }
    }
}
