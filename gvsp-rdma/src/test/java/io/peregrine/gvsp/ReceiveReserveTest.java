package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReceiveReserveTest {
    /** Near the point where time wraps. */
    private static final long START = Long.MAX_VALUE - 1_000_000;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ReceiveReserve reserve = new ReceiveReserve(1600);

    @Test
    void aSixteenthIsPostedInAnyCase() {
        assertEquals(100, reserve.leastPosted());
        reserve.arrived(7, START);
        assertEquals(100, reserve.leastPosted());
        assertEquals(1, new ReceiveReserve(8).leastPosted());
    }

    @Test
    void twiceAsManyArePostedAsArrivedAtOnceAndNoMoreThanThereAre() {
        reserve.arrived(300, START);
        reserve.arrived(20, START + SECOND);
        assertEquals(600, reserve.leastPosted());
        reserve.arrived(1000, START + SECOND);
        assertEquals(1600, reserve.leastPosted());
    }

    @Test
    void burstIsForgottenAfterSomeSeconds() {
        reserve.arrived(300, START);
        reserve.arrived(60, START + 3 * SECOND);
        assertEquals(600, reserve.leastPosted());
        reserve.arrived(60, START + 5 * SECOND);
        assertEquals(120, reserve.leastPosted());
    }

    @Test
    void burstBeforeAPauseIsForgottenAtItsEnd() {
        reserve.arrived(300, START);
        reserve.arrived(60, START + 100 * SECOND);
        assertEquals(120, reserve.leastPosted());
    }
}
