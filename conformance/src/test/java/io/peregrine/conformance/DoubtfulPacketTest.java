package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.Capture;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that find nothing malformed in a capture would find something. */
@EnabledIfPeers({"tshark", "bash"})
@Timeout(60)
class DoubtfulPacketTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    @Test
    void aCommandThatIsCutOffIsMalformed() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback();
                Capture capture = Capture.start(namespace, "lo", directory.resolve("cut.pcapng"))) {
            // WRITEREG of one register, whose address and value are not there; then a whole one.
            send(namespace, "\\x42\\x01\\x00\\x82\\x00\\x08\\x00\\x01");
            send(namespace, "\\x42\\x01\\x00\\x82\\x00\\x08\\x00\\x02\\x00\\x00\\x09\\x38\\x00\\x00\\x0b\\xb8");
            capture.end("127.0.0.1");
            // Nobody listens: each packet comes back in a message of ICMP.
            assertEquals(
                    List.of("0x0001", "0x0002"),
                    capture.decode("gvcp && !icmp", "gvcp.cmd.req_id").stream()
                            .map(packet -> packet.get("gvcp.cmd.req_id"))
                            .toList());
            assertEquals(1, capture.doubtful("gvcp && !icmp").size());
        }
    }

    private static void send(NetworkNamespace namespace, String bytes) {
        namespace.run(LIMIT, "bash", "-c", "printf '" + bytes + "' > /dev/udp/127.0.0.1/3956");
    }
}
