package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FarewellTest {
    private static final long BEGIN = Long.MAX_VALUE - 5;

    private final Farewell farewell = new Farewell(BEGIN);

    @Test
    void consumersThatDoNotReportHaveAShortTime() {
        assertFalse(farewell.over(BEGIN + Farewell.SHORTEST_NANOS - 1, false, true));
        assertTrue(farewell.over(BEGIN + Farewell.SHORTEST_NANOS, false, false));
    }

    @Test
    void aConsumerThatIsThereIsWaitedForUntilTheTimeToEndIsOver() {
        assertFalse(farewell.over(BEGIN + 10 * Farewell.LONGEST_NANOS, true, false));
        assertTrue(farewell.over(BEGIN + 10 * Farewell.LONGEST_NANOS, true, true));
    }

    @Test
    void aConsumerThatIsHeldUpCountsAgainstAPublisherThatHasNoMoreTime() {
        assertFalse(farewell.over(BEGIN + Farewell.LONGEST_NANOS - 1, true, true));
        assertTrue(farewell.over(BEGIN + Farewell.LONGEST_NANOS, true, true));
    }
}
