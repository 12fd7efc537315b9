package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@EnabledIfPeers("bash")
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class NetworkNamespaceTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void aNamespaceSeesItsLoopbackOnly() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            String links = namespace.run(LIMIT, "ip", "-o", "link");
            assertEquals(1, links.lines().count(), links);
            assertTrue(links.contains("LOOPBACK,UP"), links);
        }
    }

    @Test
    void aCableJoinsTwoNamespaces() {
        try (NetworkNamespace.Cable cable = NetworkNamespace.Cable.lay()) {
            String connect = "exec 3<>/dev/tcp/" + NetworkNamespace.Cable.CAMERA_ADDRESS + "/9";
            try (ChildProcess caller = cable.host().start("bash", "-c", connect)) {
                caller.awaitLine("refusal by the other end", LIMIT, line -> line.contains("Connection refused"));
            }
        }
    }

    @Test
    void closingEndsTheProgramsAndRemovesTheNamespace() {
        NetworkNamespace namespace = NetworkNamespace.withLoopback();
        ChildProcess program = namespace.start("sleep", "100");
        namespace.close();
        program.awaitEnd(LIMIT);
        assertFalse(program.alive());
        assertFalse(ChildProcess.run(LIMIT, "ip", "netns", "list").contains(namespace.toString()));
        namespace.close();
    }
}
