package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeftBehindTest {
    private static final int TERM_BYTES = 16 << 20;
    private static final long POSITION = 47_990_336;
    private static final long FAR = POSITION + TERM_BYTES / 4 + 32;
    private static final long START_NANOS = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LATER_NANOS = START_NANOS + LeftBehind.PATIENCE_NANOS;

    private final LeftBehind one = new LeftBehind(TERM_BYTES);

    @Test
    void aGapThatIsNotFilledWhileMuchMoreComesIsFound() {
        one.at(POSITION, FAR, START_NANOS);
        assertTrue(one.at(POSITION, FAR + 32, LATER_NANOS));
    }

    @Test
    void aGapHasSomeTimeToBeFilled() {
        one.at(POSITION, FAR, START_NANOS);
        assertFalse(one.at(POSITION, FAR, LATER_NANOS - 1));
    }

    @Test
    void aGapThatIsFilledLittleByLittleIsWaitedFor() {
        one.at(POSITION, FAR, START_NANOS);
        one.at(POSITION + 32, FAR + 32, LATER_NANOS - 1);
        assertFalse(one.at(POSITION + 32, FAR + 32, LATER_NANOS));
    }

    @Test
    void aPublisherThatSendsNothingIsWaitedFor() {
        one.at(POSITION, POSITION, START_NANOS);
        assertFalse(one.at(POSITION, POSITION, LATER_NANOS));
    }

    @Test
    void aGapWithLittleAfterItIsWaitedFor() {
        one.at(POSITION, FAR - 32, START_NANOS);
        assertFalse(one.at(POSITION, FAR - 32, LATER_NANOS));
    }

    @Test
    void timeCountsFromWhenMuchHasCome() {
        one.at(POSITION, POSITION, START_NANOS);
        one.at(POSITION, FAR, LATER_NANOS);
        assertFalse(one.at(POSITION, FAR, LATER_NANOS + 1));
    }
}
