package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A camera that was set to packets of 1500 bytes and can send larger ones, and a host at the same switch. */
@EnabledIfPeers("ip")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PacketSizeTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = NetworkNamespace.Switch.address(1);

    @TempDir
    private Path directory;

    private NetworkNamespace.Switch network;

    @BeforeEach
    void start() {
        network = NetworkNamespace.Switch.connecting(2);
        Path scenario = CameraProcess.scenario(
                directory, "{\"width\": 640, \"height\": 480, \"frameRate\": 20, \"packetSizeBytes\": 1500}");
        CameraProcess.virtual(network.host(1), CAMERA, "--scenario", scenario.toString());
    }

    @AfterEach
    void stop() {
        network.close();
    }

    private String stream(String packetSize) {
        return network.host(2)
                .runJava(LIMIT, PacketSizeMain.class, CAMERA, packetSize)
                .strip();
    }

    @Test
    void jumboFramesAreFoundWhereTheyPass() {
        assertEquals("before 1500, meanwhile 9000, afterwards 1500, bad bytes 0", stream("negotiate"));
    }

    @Test
    void aHostThatTakesNoneGetsNone() {
        network.host(2).run(LIMIT, "ip", "link", "set", "net0", "mtu", "1500");
        assertEquals("before 1500, meanwhile 1500, afterwards 1500, bad bytes 0", stream("negotiate"));
    }

    @Test
    void whatASwitchDropsWithoutAWordIsNotUsed() {
        network.portMtu(1, 1500);
        assertEquals("before 1500, meanwhile 1500, afterwards 1500, bad bytes 0", stream("negotiate"));
    }

    @Test
    void aSizeThatIsToBeKeptIsKept() {
        assertTrue(stream("keep").startsWith("before 1500, meanwhile 1500, afterwards 1500"));
    }
}
