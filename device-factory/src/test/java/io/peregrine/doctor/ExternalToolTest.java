package io.peregrine.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExternalToolTest {
    private final ExternalTool tools = ExternalTool.ofSystem();

    @Test
    void programsSpeakEnglishWhateverTheLanguageOfTheUser() {
        assertEquals(Optional.of("C"), tools.output("sh", "-c", "printf %s \"$LC_ALL\""));
    }

    @Test
    void aProgramThatFailsSaysNothing() {
        assertEquals(Optional.empty(), tools.output("sh", "-c", "echo half; exit 1"));
    }

    @Test
    void aProgramThatIsMissingSaysNothing() {
        assertEquals(Optional.empty(), tools.output("peregrine-no-such-program"));
    }
}
