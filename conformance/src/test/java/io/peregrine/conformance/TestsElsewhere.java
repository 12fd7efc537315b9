package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.peregrine.conformance.softroce.InsideMain;
import io.peregrine.testing.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;

/** Tests that run in a process of their own, in surroundings made for them, and are told of here. */
public final class TestsElsewhere {
    private static final Pattern OUTCOME = Pattern.compile("(PASSED|FAILED|SKIPPED) \\d+ (\\S+) ?(.*)");

    private TestsElsewhere() {}

    /**
     * Runs them.
     *
     * @param limit for all
     * @param surroundings words before the command that runs them
     * @param javaOptions words before the main class
     * @param tests what {@link InsideMain} takes
     * @return what came of each, and of the whole
     */
    public static List<DynamicTest> run(
            Duration limit, List<String> surroundings, List<String> javaOptions, String... tests) {
        List<String> command = new ArrayList<>(surroundings);
        List<String> options = new ArrayList<>(javaOptions);
        options.add("-Djava.net.preferIPv4Stack=true");
        command.addAll(ChildProcess.java(options, InsideMain.class.getName(), Arrays.asList(tests)));
        List<DynamicTest> outcomes = new ArrayList<>();
        try (ChildProcess machine = ChildProcess.start(command, limit)) {
            int status = machine.awaitEnd(limit);
            String output = machine.output();
            output.lines()
                    .map(OUTCOME::matcher)
                    .filter(Matcher::matches)
                    .forEach(line ->
                            outcomes.add(dynamicTest(line.group(2), () -> tell(line.group(1), line.group(3), output))));
            outcomes.add(dynamicTest("all ran to the end", () -> assertEquals(0, status, output)));
        }
        return outcomes;
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
