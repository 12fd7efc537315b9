package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.Needs;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The script that users start. */
@EnabledIfPeers("arv-tool-0.8")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LauncherTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String PEREGRINE = ROOT.resolve("peregrine").toString();

    @Test
    void theCameraOfTheCommandIsFoundByBroadcast() {
        Needs.that(
                Files.exists(ROOT.resolve("cli/target/classpath.txt")),
                "the packaged command: mvn -pl cli -am package");
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            namespace
                    .start(PEREGRINE, "camera", "--bind", "127.0.0.1", "--serial", "LAUNCHED")
                    .awaitLine("address of the camera", LIMIT, line -> line.contains("127.0.0.1"));
            assertEquals(
                    "Peregrine-VirtualCamera-LAUNCHED (127.0.0.1)",
                    namespace.run(LIMIT, "arv-tool-0.8").strip());
            String list = namespace.run(LIMIT, PEREGRINE, "list", "--interface", "lo");
            assertTrue(list.contains("LAUNCHED"), list);
        }
    }
}
