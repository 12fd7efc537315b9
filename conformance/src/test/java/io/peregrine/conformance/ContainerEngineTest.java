package io.peregrine.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Starts a Docker engine that needs no registry and reaches nobody, runs the tests with containers beside it, and tells here
 * what came of each.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the engine needs Linux")
class ContainerEngineTest {
    private static final String SCRIPT = Path.of("containers", "engine").toString();
    private static final Duration START_LIMIT = Duration.ofMinutes(10);
    private static final Duration RUN_LIMIT = Duration.ofMinutes(15);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);

    @TestFactory
    List<DynamicTest> besideAnEngineOfTheirOwn() {
        assumeTrue(
                Boolean.getBoolean("peregrine.containers.engine"),
                "./check starts an engine, as root with CI=true or --install");
        try (ChildProcess start = ChildProcess.start(List.of(SCRIPT, "start"), START_LIMIT)) {
            int status = start.awaitEnd(START_LIMIT);
            assumeTrue(status == 0, () -> "no engine: " + start.output());
            return TestsElsewhere.run(
                    RUN_LIMIT,
                    List.of(SCRIPT, "run"),
                    List.of("-Dperegrine.containers.required=true"),
                    CamerasInContainersTest.class.getName());
        } finally {
            ChildProcess.start(List.of(SCRIPT, "stop"), STOP_LIMIT).awaitEnd(STOP_LIMIT);
        }
    }
}
