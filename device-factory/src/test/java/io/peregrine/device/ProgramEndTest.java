package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.genapi.Registration;
import io.peregrine.testing.ExpectedWarning;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@ExpectedWarning("A step before the end of the program failed")
class ProgramEndTest {
    private final List<String> run = new ArrayList<>();

    @Test
    void stepsRunInTheirOrder() {
        try (Registration first = ProgramEnd.beforeDevicesClose(() -> run.add("first"));
                Registration second = ProgramEnd.beforeDevicesClose(() -> run.add("second"))) {
            ProgramEnd.runSteps();
            assertEquals(List.of("first", "second"), run, () -> first + " " + second);
        }
    }

    @Test
    void aStepThatWasTakenBackDoesNotRun() {
        ProgramEnd.beforeDevicesClose(() -> run.add("step")).close();
        ProgramEnd.runSteps();
        assertEquals(List.of(), run);
    }

    @Test
    void aStepThatFailsDoesNotKeepOthersFromRunning() {
        Registration failing = ProgramEnd.beforeDevicesClose(() -> {
            throw new IllegalStateException("no");
        });
        try (Registration next = ProgramEnd.beforeDevicesClose(() -> run.add("next"))) {
            ProgramEnd.runSteps();
            assertEquals(List.of("next"), run, next::toString);
        } finally {
            failing.close();
        }
    }
}
