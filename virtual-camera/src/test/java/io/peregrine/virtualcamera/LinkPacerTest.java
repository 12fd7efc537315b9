package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LinkPacerTest {
    private static final long NOW = -100_000; // A clock may be negative.

    private final LinkPacer gigabit = new LinkPacer(1000);

    @Test
    void aPacketTakesItsTimeOnTheLink() {
        assertEquals(12_000, gigabit.gapNanos(1500, 0));
    }

    @Test
    void aLongerPacketDelayCounts() {
        assertEquals(50_000, gigabit.gapNanos(1500, 50_000));
    }

    @Test
    void withoutASpeedOnlyThePacketDelayCounts() {
        assertEquals(0, new LinkPacer(0).gapNanos(1500, 0));
        assertEquals(7, new LinkPacer(0).gapNanos(1500, 7));
    }

    @Test
    void shortGapsGatherBeforeTheyAreWaitedFor() {
        gigabit.start(NOW);
        assertFalse(gigabit.advance(50_000, NOW));
        assertTrue(gigabit.advance(50_000, NOW));
        assertEquals(100_000, gigabit.remainingNanos(NOW));
    }

    @Test
    void aShortDelayIsMadeUpFor() {
        gigabit.start(NOW);
        assertFalse(gigabit.advance(100_000, NOW + 400_000));
        assertEquals(-300_000, gigabit.remainingNanos(NOW + 400_000));
    }

    @Test
    void aLongDelayIsMadeUpForInPartOnly() {
        gigabit.start(NOW);
        assertFalse(gigabit.advance(100_000, NOW + 5_000_000));
        assertEquals(-500_000, gigabit.remainingNanos(NOW + 5_000_000));
    }
}
