package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BlockDurationTest {
    private final BlockDuration duration = new BlockDuration();

    @Test
    void beforeTheFirstWholeBlockNothingIsKnown() {
        assertEquals(Long.MAX_VALUE, duration.nanosToEnd(5_000_000));
    }

    @Test
    void oneWholeBlockShowsWhenTheNextMayEnd() {
        duration.learn(35_000_000);
        assertEquals(25_000_000, duration.nanosToEnd(10_000_000));
    }

    @Test
    void blockThatIsOpenForLongerMayEndNow() {
        duration.learn(35_000_000);
        assertEquals(0, duration.nanosToEnd(35_000_001));
    }

    @Test
    void theShortestOfTheLastBlocksCounts() {
        duration.learn(36_000_000);
        duration.learn(30_000_000);
        duration.learn(41_000_000);
        assertEquals(30_000_000, duration.nanosToEnd(0));
    }

    @Test
    void deviceThatSlowedDownIsKnownAfterEightBlocks() {
        duration.learn(10_000_000);
        for (int i = 0; i < 7; i++) {
            duration.learn(20_000_000);
        }
        assertEquals(10_000_000, duration.nanosToEnd(0));
        duration.learn(20_000_000);
        assertEquals(20_000_000, duration.nanosToEnd(0));
    }

    @Test
    void afterANewStartNothingIsKnown() {
        duration.learn(10_000_000);
        duration.reset();
        assertEquals(Long.MAX_VALUE, duration.nanosToEnd(0));
    }
}
