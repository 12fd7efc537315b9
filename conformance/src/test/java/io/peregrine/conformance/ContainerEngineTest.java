package io.peregrine.conformance;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Starts a Docker engine that needs no registry and reaches nobody, runs the tests with containers beside it, and tells
 * here what came of each.
 */
@Tag("container-engine")
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs Linux, for the container engine")
class ContainerEngineTest {
    private static final String SCRIPT = Path.of("containers", "engine").toString();
    private static final Duration START_LIMIT = Duration.ofMinutes(10);
    private static final Duration RUN_LIMIT = Duration.ofMinutes(15);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);

    @TestFactory
    List<DynamicTest> besideAnEngineOfTheirOwn() {
        try (ChildProcess start = ChildProcess.start(List.of(SCRIPT, "start"), START_LIMIT)) {
            int status = start.awaitEnd(START_LIMIT);
            Needs.that(status == 0, () -> "a container engine: " + start.output());
            return TestsElsewhere.run(
                    RUN_LIMIT,
                    List.of(SCRIPT, "run"),
                    List.of("-Dperegrine.containers.required=true"),
                    CamerasInContainersTest.class.getName(),
                    DistributionInContainersTest.class.getName());
        } finally {
            ChildProcess.start(List.of(SCRIPT, "stop"), STOP_LIMIT).awaitEnd(STOP_LIMIT);
        }
    }
}
