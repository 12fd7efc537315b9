package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StreamSessionTest {
    private static final long PERIOD = 10_000_000;

    private final StreamSession session = new StreamSession();

    StreamSessionTest() {
        session.framePeriodNanos = PERIOD;
    }

    @Test
    void aSmallDelayIsMadeUpFor() {
        assertEquals(1000 + PERIOD, session.dueAfter(1000, 1000 + PERIOD / 3));
    }

    @Test
    void blocksMissedInAStallDoNotFollowOneUponAnother() {
        long afterStall = 1000 + 20 * PERIOD;
        assertEquals(afterStall + PERIOD / 2, session.dueAfter(1000, afterStall));
    }

    @Test
    void eachTriggerStartsOneBlock() {
        session.waitForTriggers(true);
        session.triggers.incrementAndGet();
        assertTrue(session.startsAt(0, PERIOD));
        assertFalse(session.startsAt(2 * PERIOD, PERIOD));
    }

    @Test
    void triggersThatWereNotServedEndWithTheTriggerMode() {
        session.waitForTriggers(true);
        session.triggers.incrementAndGet();
        session.waitForTriggers(false);
        session.waitForTriggers(true);
        assertFalse(session.startsAt(0, PERIOD));
    }
}
