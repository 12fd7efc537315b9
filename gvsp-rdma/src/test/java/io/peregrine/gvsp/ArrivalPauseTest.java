package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ArrivalPauseTest {
    private static final long MOST = 2_000_000;
    private static final long LOOK = 20_000;
    private static final int BUFFER = 1 << 20;
    /** Near the point where time wraps. */
    private long now = Long.MAX_VALUE - 1_000_000;

    private final ArrivalPause pause = new ArrivalPause(ReceiverWaiting.DEFAULT);

    private long after(long bytes, long nanos) {
        return after(bytes, Long.MAX_VALUE, nanos);
    }

    private long after(long bytes, long remainingBytes, long nanos) {
        return after(bytes, remainingBytes, PacketSink.END_UNKNOWN, nanos);
    }

    private long after(long bytes, long remainingBytes, long nanosToEnd, long nanos) {
        now += nanos;
        return pause.after(bytes, BUFFER, remainingBytes, nanosToEnd, now);
    }

    @Test
    void aStreamThatRestsIsWaitedFor() {
        assertEquals(0, after(0, 1000));
    }

    @Test
    void theFirstPacketsAreFollowedByAShortPause() {
        assertEquals(MOST / 16, after(1500, 30_000_000));
    }

    @Test
    void aSlowStreamGathersForTheLongestTime() {
        after(1500, 30_000_000);
        assertEquals(MOST, after(1000, 100_000));
    }

    @Test
    void aFastStreamGathersNoMoreThanAPartOfTheBuffer() {
        after(1500, 30_000_000);
        // 1 byte a nanosecond: an eighth of the buffer takes 131,072 ns.
        assertEquals(131_072, after(100_000, 100_000));
    }

    @Test
    void partOfTheBufferIsOfWhatItHoldsNow() {
        after(1500, 30_000_000);
        now += 100_000;
        assertEquals(1250, pause.after(100_000, 10_000, Long.MAX_VALUE, PacketSink.END_UNKNOWN, now));
    }

    @Test
    void nothingGathersBeyondTheEndOfTheBlock() {
        after(1500, 30_000_000);
        assertEquals(500_000, after(10_000, 5000, 1_000_000));
    }

    @Test
    void theVeryEndOfABlockIsNotWaitedForInManySmallPauses() {
        after(1500, 30_000_000);
        assertEquals(100_000, after(10_000, 1, 1_000_000));
    }

    @Test
    void whileNobodyKnowsTheEndOfTheBlockLittleGathers() {
        after(1500, 30_000_000);
        assertEquals(MOST / 4, after(10_000, 0, 1_000_000));
    }

    @Test
    void aTinyBufferStillGivesAPause() {
        ArrivalPause tiny = new ArrivalPause(ReceiverWaiting.DEFAULT);
        tiny.after(1, 0, 1, PacketSink.END_UNKNOWN, now);
        assertTrue(tiny.after(1, 0, 1, PacketSink.END_UNKNOWN, now + 1000) > 0);
    }

    @Test
    void afterAPauseInWhichNothingCameTheNextPacketIsWaitedFor() {
        after(1500, 30_000_000);
        assertEquals(0, after(0, 500_000));
    }

    @Test
    void whereTheBlockIsKnownToGoOnAnotherPauseFollowsOneInWhichNothingCame() {
        after(1500, 1_000_000, 30_000_000, 30_000_000);
        assertEquals(MOST / 16, after(0, 1_000_000, 29_000_000, 1_000_000));
        assertEquals(MOST / 16, after(0, 1_000_000, 28_000_000, 1_000_000));
    }

    @Test
    void suchAPauseAlsoEndsBeforeTheBlockMayEnd() {
        after(1500, 1_000_000, 30_000_000, 30_000_000);
        assertEquals(50_000, after(0, 1_000_000, 350_000, 1_000_000));
    }

    @Test
    void theRateIsThatOverAllPausesInWhichNothingCame() {
        after(1500, 1_000_000, 30_000_000, 30_000_000);
        after(0, 1_000_000, 29_000_000, 1_000_000);
        // 1 byte a nanosecond since the last packets, 500,000 bytes to come.
        assertEquals(131_072, after(2_000_000, 500_000, 28_000_000, 1_000_000));
    }

    @Test
    void aStreamThatRestedIsWaitedForAlsoWhereTheEndIsKnown() {
        assertEquals(0, after(0, 1_000_000, 29_000_000, 1_000_000));
    }

    @Test
    void forThroughputAPauseInWhichNothingCameIsTheLast() {
        ArrivalPause throughput = new ArrivalPause(ReceiverWaiting.THROUGHPUT);
        throughput.after(1500, BUFFER, 1_000_000, 30_000_000, now);
        assertEquals(0, throughput.after(0, BUFFER, 1_000_000, 29_000_000, now + 1_000_000));
    }

    @Test
    void theRateBeforeARestIsNotThatAfterIt() {
        after(100_000, 30_000_000);
        after(0, 500_000);
        assertEquals(MOST / 16, after(100_000, 10));
    }

    @Test
    void noPauseIsNone() {
        ArrivalPause none = new ArrivalPause(ReceiverWaiting.DEFAULT.withPause(Duration.ZERO));
        none.after(1500, BUFFER, 1, PacketSink.END_UNKNOWN, now);
        assertEquals(0, none.after(1500, BUFFER, 1, PacketSink.END_UNKNOWN, now + 1));
        assertEquals(0, none.after(1500, BUFFER, 1, 0, now + 2));
    }

    @Test
    void aPauseEndsThreeTenthsOfAMillisecondBeforeTheBlockMayEnd() {
        after(1500, 30_000_000);
        assertEquals(600_000, after(1000, 1_000_000, 900_000, 100_000));
    }

    @Test
    void nearTheEndOfABlockItLooksAfterShortSleepsAlsoWhereNothingCame() {
        after(1500, 30_000_000);
        assertEquals(LOOK, after(1000, 1_000_000, 300_000, 100_000));
        assertEquals(LOOK, after(0, 1_000_000, 0, 100_000));
    }

    @Test
    void aBlockThatIsLateIsWaitedFor() {
        after(1500, 30_000_000);
        for (int look = 0; look < 40; look++) {
            assertEquals(LOOK, after(0, 1_000_000, 0, 100_000));
        }
        assertEquals(0, after(0, 1_000_000, 0, 100_000));
        assertEquals(0, after(1000, 1_000_000, 0, 100_000));
    }

    @Test
    void eachBlockHasItsLooks() {
        for (int look = 0; look < 50; look++) {
            after(0, 1_000_000, 0, 100_000);
        }
        after(1000, 0, PacketSink.NO_BLOCK, 100_000);
        assertEquals(LOOK, after(1000, 1_000_000, 0, 100_000));
    }

    @Test
    void rateEndsAPauseBeforeTheTimeOfEarlierBlocksDoes() {
        after(1500, 30_000_000);
        assertEquals(500_000, after(10_000, 5000, 30_000_000, 1_000_000));
    }

    @Test
    void betweenBlocksTheNextPacketIsWaitedFor() {
        after(1500, 30_000_000);
        assertEquals(0, after(1500, 0, PacketSink.NO_BLOCK, 1_000_000));
    }

    @Test
    void forThroughputPacketsGatherUpToTheEnd() {
        ArrivalPause throughput = new ArrivalPause(ReceiverWaiting.THROUGHPUT);
        throughput.after(1500, BUFFER, Long.MAX_VALUE, 100_000, now);
        assertEquals(500_000, throughput.after(10_000, BUFFER, 5000, 100_000, now + 1_000_000));
    }
}
