package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a term has to be for frames of a size. */
class TermLengthTest {
    private static final Route GROUP = Route.parse("239.192.7.1:40456");

    @ParameterizedTest
    @CsvSource({
        "4194304, 4000000, 16m",
        "4194304, 1200000, 8m",
        "16777216, 12582912, 64m",
        "65536, 65536, 256k",
        "16777216, 1073741824, 1024m"
    })
    void aTermThatIsTooShortIsNamedWithOneThatHoldsFourFrames(long termBytes, long frameBytes, String needed) {
        assertEquals(Optional.of(needed), TermLength.needed(GROUP, termBytes, frameBytes));
    }

    @Test
    void aTermOfFourFramesIsLongEnough() {
        assertEquals(Optional.empty(), TermLength.needed(GROUP, 16 << 20, 4 << 20));
    }

    @Test
    void aFrameOfUnknownSizeNeedsNone() {
        assertEquals(Optional.empty(), TermLength.needed(GROUP, 64 << 10, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "10.0.0.7:40456"})
    void whereThePublisherWaitsAnyTermIsLongEnough(String route) {
        assertEquals(Optional.empty(), TermLength.needed(Route.parse(route), 64 << 10, 4 << 20));
    }
}
