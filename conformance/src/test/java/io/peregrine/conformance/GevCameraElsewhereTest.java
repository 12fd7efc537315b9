package io.peregrine.conformance;

import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Tests with cameras of {@code @GevCamera} in a host of their own, which has nothing but loopback. */
@EnabledIfPeers("ip")
@Timeout(120)
class GevCameraElsewhereTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TestFactory
    List<DynamicTest> camerasOfTheExtensionNeedNoNetwork() {
        try (NetworkNamespace host = NetworkNamespace.withLoopback()) {
            List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", host.toString()));
            return TestsElsewhere.run(LIMIT, inside, List.of(), AccessTest.class.getName());
        }
    }
}
