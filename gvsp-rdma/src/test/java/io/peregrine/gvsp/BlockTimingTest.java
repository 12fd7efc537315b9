package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BlockTimingTest {
    private static final long MS = 1_000_000;

    private final BlockTiming timing = new BlockTiming();
    /** Near the point where time wraps. */
    private long now = Long.MAX_VALUE - 50 * MS;

    /** A rest, then a block. */
    private void block(long restNanos, long nanos) {
        long opened = now + restNanos;
        now = opened + nanos;
        timing.learn(opened, now);
    }

    private void even(int blocks) {
        for (int i = 0; i < blocks; i++) {
            block(1 * MS, 34 * MS);
        }
    }

    @Test
    void beforeTheFirstWholeBlockNothingIsKnown() {
        assertEquals(PacketSink.END_UNKNOWN, timing.nanosToEnd(now, now + 5 * MS));
        assertEquals(PacketSink.NO_BLOCK, timing.nanosToNextEnd(now));
    }

    @Test
    void oneWholeBlockShowsWhenTheNextMayEnd() {
        block(0, 35 * MS);
        assertEquals(25 * MS, timing.nanosToEnd(now, now + 10 * MS));
    }

    @Test
    void blockThatIsOpenForLongerMayEndNow() {
        block(0, 35 * MS);
        assertEquals(0, timing.nanosToEnd(now, now + 35 * MS + 1));
    }

    @Test
    void theShortestOfTheLastBlocksCounts() {
        block(0, 36 * MS);
        block(0, 30 * MS);
        block(0, 41 * MS);
        assertEquals(30 * MS, timing.nanosToEnd(now, now));
    }

    @Test
    void deviceThatSlowedDownIsKnownAfterEightBlocks() {
        block(0, 10 * MS);
        for (int i = 0; i < 7; i++) {
            block(30 * MS, 20 * MS);
        }
        assertEquals(10 * MS, timing.nanosToEnd(now, now));
        block(30 * MS, 20 * MS);
        assertEquals(20 * MS, timing.nanosToEnd(now, now));
    }

    @Test
    void afterANewStartNothingIsKnown() {
        even(9);
        timing.reset();
        assertEquals(PacketSink.END_UNKNOWN, timing.nanosToEnd(now, now));
        assertEquals(PacketSink.NO_BLOCK, timing.nanosToNextEnd(now));
        block(0, 35 * MS);
        assertEquals(PacketSink.NO_BLOCK, timing.nanosToNextEnd(now));
    }

    @Test
    void withEvenIntervalsTheEndFollowsFromTheOneBefore() {
        even(9);
        // Its first packet was seen 2 ms late.
        assertEquals(25 * MS, timing.nanosToEnd(now + 3 * MS, now + 10 * MS));
    }

    @Test
    void withEvenIntervalsTheNextBlockIsExpectedUntilItsTimeIsOver() {
        even(9);
        assertEquals(30 * MS, timing.nanosToNextEnd(now + 5 * MS));
        assertEquals(PacketSink.NO_BLOCK, timing.nanosToNextEnd(now + 35 * MS));
    }

    @Test
    void eightIntervalsAreNeeded() {
        even(8);
        assertEquals(PacketSink.NO_BLOCK, timing.nanosToNextEnd(now));
    }

    @Test
    void afterALongerIntervalNoBlockIsExpected() {
        even(9);
        block(5 * MS, 34 * MS);
        assertEquals(PacketSink.NO_BLOCK, timing.nanosToNextEnd(now));
        assertEquals(34 * MS, timing.nanosToEnd(now, now));
    }

    @Test
    void evenIntervalsAgainAreKnownAfterEight() {
        even(9);
        block(5 * MS, 34 * MS);
        even(8);
        assertEquals(35 * MS, timing.nanosToNextEnd(now));
    }

    @Test
    void whereDevicesRestForHalfTheTimeNoBlockIsExpected() {
        for (int i = 0; i < 9; i++) {
            block(20 * MS, 15 * MS);
        }
        assertEquals(PacketSink.NO_BLOCK, timing.nanosToNextEnd(now));
        assertEquals(15 * MS, timing.nanosToEnd(now, now));
    }
}
