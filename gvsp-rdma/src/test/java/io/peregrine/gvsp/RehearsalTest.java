package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RehearsalTest {
    private static final long INTERVAL = 5_000_000;
    /** Near the point where time wraps. */
    private long now = Long.MAX_VALUE - 1_000_000;

    private int runs;
    private final Rehearsal rehearsal = new Rehearsal(() -> runs++, now);

    private void endNears(Rehearsal of, long nanosLater) {
        now += nanosLater;
        of.beforeEnd(now);
    }

    @Test
    void framesThatFollowEachOtherSoonAreNotRehearsed() {
        endNears(rehearsal, INTERVAL - 1);
        assertEquals(0, runs);
    }

    @Test
    void aFrameIsRehearsedOnceHoweverOftenItsEndIsNear() {
        endNears(rehearsal, INTERVAL);
        endNears(rehearsal, 20_000);
        assertEquals(1, runs);
    }

    @Test
    void eachFrameAfterALongerTimeIsRehearsed() {
        for (int frame = 1; frame <= 10; frame++) {
            endNears(rehearsal, INTERVAL);
        }
        assertEquals(10, runs);
    }

    @Test
    void aRehearsalThatFailsIsTheLastOne() {
        Rehearsal failing = new Rehearsal(
                () -> {
                    runs++;
                    throw new IllegalStateException("as the test wants");
                },
                now);
        endNears(failing, INTERVAL);
        endNears(failing, INTERVAL);
        assertEquals(1, runs);
    }
}
