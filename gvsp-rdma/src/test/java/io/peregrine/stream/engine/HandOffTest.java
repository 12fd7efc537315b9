package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandOffTest {
    private static final HandOff SPINNING = HandOff.DEFAULT.withSpin(Duration.ofMillis(50));

    @ParameterizedTest
    @CsvSource({"1,0", "2,0", "3,50", "64,50"})
    void waitingThreadsSpinOnlyWhereAProcessorIsLeftBesideReceiverAndSender(int processors, int spinMillis) {
        assertEquals(Duration.ofMillis(spinMillis), SPINNING.on(processors).spin());
    }

    @Test
    void theNumberOfProcessorsChangesNothingElse() {
        HandOff newest = SPINNING.withNewestOnly(true);
        assertEquals(true, newest.on(1).newestOnly());
        assertEquals(newest, newest.on(4));
    }

    @Test
    void spinningIsAtMostASecond() {
        assertThrows(IllegalArgumentException.class, () -> SPINNING.withSpin(Duration.ofMillis(1001)));
    }
}
