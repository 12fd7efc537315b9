package io.peregrine.conformance.softroce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.peregrine.conformance.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Boots a virtual machine with the kernel's Soft-RoCE, runs the tests marked {@link InsideSoftRoce} in it, and tells here
 * what came of each.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the virtual machine needs Linux")
class SoftRoceTest {
    private static final String SCRIPT = Path.of("soft-roce", "rxe-vm").toString();
    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(10);
    private static final Duration RUN_LIMIT = Duration.ofMinutes(20);
    private static final Pattern OUTCOME = Pattern.compile("(PASSED|FAILED|SKIPPED) \\d+ (\\S+) ?(.*)");

    @TestFactory
    List<DynamicTest> insideTheMachine() {
        String skip = System.getProperty("peregrine.softRoce.skip", "");
        assumeTrue(skip.isEmpty(), skip);
        assumeTrue(System.getProperty("user.name").equals("root"), "the virtual machine needs root: run as root");
        try (ChildProcess prepare = ChildProcess.start(List.of(SCRIPT, "prepare"), PREPARE_LIMIT)) {
            int status = prepare.awaitEnd(PREPARE_LIMIT);
            assumeTrue(status == 0, () -> "no virtual machine: " + prepare.output());
        }
        List<String> command = new ArrayList<>(List.of(SCRIPT, "run", "env", InsideSoftRoce.VARIABLE + "=1"));
        command.addAll(
                ChildProcess.java(List.of("-Djava.net.preferIPv4Stack=true"), InsideMain.class.getName(), List.of()));
        List<DynamicTest> tests = new ArrayList<>();
        try (ChildProcess machine = ChildProcess.start(command, RUN_LIMIT)) {
            int status = machine.awaitEnd(RUN_LIMIT);
            String output = machine.output();
            output.lines()
                    .map(OUTCOME::matcher)
                    .filter(Matcher::matches)
                    .forEach(line ->
                            tests.add(dynamicTest(line.group(2), () -> tell(line.group(1), line.group(3), output))));
            tests.add(dynamicTest("the machine ran to its end", () -> assertEquals(0, status, output)));
        }
        return tests;
    }

    private static void tell(String outcome, String reason, String output) {
        switch (outcome) {
            case "FAILED" -> fail(reason + "\n" + output);
            case "SKIPPED" -> abort(reason);
            default -> {
                // Passed.
            }
        }
    }
}
