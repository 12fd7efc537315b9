package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RehearsalTest {
    private static final long INTERVAL = 5_000_000;
    private static final int TO_COMPILE = 20;
    /** Near the point where time wraps. */
    private long now = Long.MAX_VALUE - 1_000_000;

    private int runs;
    private int wakes;
    private final Rehearsal rehearsal = new Rehearsal(() -> runs++, () -> runs < TO_COMPILE, () -> wakes++, now);

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
    void theConsumerIsWokenBeforeTheEndOfEachFrame() {
        endNears(rehearsal, INTERVAL);
        endNears(rehearsal, 20_000);
        endNears(rehearsal, INTERVAL);
        assertEquals(2, wakes);
    }

    @Test
    void theConsumerSleepsWhileTheEndIsFar() {
        farFromEnd(rehearsal, INTERVAL);
        assertEquals(0, wakes);
    }

    @Test
    void theConsumerIsWokenThoughTheRehearsalFailed() {
        Rehearsal failing = failing();
        endNears(failing, INTERVAL);
        endNears(failing, INTERVAL);
        assertEquals(2, wakes);
    }

    private Rehearsal failing() {
        return new Rehearsal(
                () -> {
                    runs++;
                    throw new IllegalStateException("as the test wants");
                },
                () -> true,
                () -> wakes++,
                now);
    }

    private void farFromEnd(Rehearsal of, long nanosLater) {
        now += nanosLater;
        of.farFromEnd(now);
    }

    @Test
    void untilItIsCompiledTheEndRunsSeveralTimesFarFromIt() {
        farFromEnd(rehearsal, INTERVAL);
        assertEquals(16, runs);
    }

    @Test
    void whatIsToBeCompiledLeavesTheReceiverTimeBetween() {
        farFromEnd(rehearsal, INTERVAL);
        farFromEnd(rehearsal, INTERVAL - 1);
        assertEquals(16, runs);
    }

    @Test
    void whatIsCompiledRunsBeforeEndsOnly() {
        for (int i = 0; i < 10; i++) {
            farFromEnd(rehearsal, INTERVAL);
        }
        assertEquals(TO_COMPILE, runs);
    }

    @Test
    void theEndIsRehearsedSoonAfterItRanFarFromIt() {
        farFromEnd(rehearsal, INTERVAL);
        endNears(rehearsal, 1);
        assertEquals(17, runs);
    }

    @Test
    void oneThatFailsFarFromTheEndIsTheLastOne() {
        Rehearsal failing = failing();
        farFromEnd(failing, INTERVAL);
        assertEquals(1, runs);
    }

    @Test
    void aRehearsalThatFailsIsTheLastOne() {
        Rehearsal failing = failing();
        endNears(failing, INTERVAL);
        endNears(failing, INTERVAL);
        assertEquals(1, runs);
    }
}
