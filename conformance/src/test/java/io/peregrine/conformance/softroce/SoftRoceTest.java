package io.peregrine.conformance.softroce;

import io.peregrine.conformance.TestsElsewhere;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Boots virtual machines with the kernel's Soft-RoCE, runs the tests marked {@link InsideSoftRoce} in them, and tells
 * here what came of each.
 */
@Tag("soft-roce")
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs Linux, for the virtual machine")
class SoftRoceTest {
    private static final String SCRIPT = Path.of("soft-roce", "rxe-vm").toString();
    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(10);
    private static final Duration RUN_LIMIT = Duration.ofMinutes(30);
    /** A machine has one processor, so half of the tests each run in two machines at a time. */
    private static final String LONGEST = VerbsStreamingTest.class.getSimpleName();

    @TestFactory
    List<DynamicTest> insideTheMachine() {
        Needs.that(System.getProperty("user.name").equals("root"), "root, to start a virtual machine");
        try (ChildProcess prepare = ChildProcess.start(List.of(SCRIPT, "prepare"), PREPARE_LIMIT)) {
            int status = prepare.awaitEnd(PREPARE_LIMIT);
            Needs.that(status == 0, () -> "a virtual machine: " + prepare.output());
        }
        return Stream.of(LONGEST, "-" + LONGEST)
                .parallel()
                .flatMap(tests -> inside(tests).stream())
                .toList();
    }

    private static List<DynamicTest> inside(String tests) {
        return TestsElsewhere.run(
                RUN_LIMIT, List.of(SCRIPT, "run", "env", InsideSoftRoce.VARIABLE + "=1"), List.of(), tests);
    }
}
