package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TickRateTest {
    @Test
    void nanosecondsAreTicksOfAGigahertz() {
        assertEquals(Long.MAX_VALUE, new TickRate(1_000_000_000).toNanos(Long.MAX_VALUE));
    }

    @Test
    void ticksOfAnOddRateAreConvertedExactly() {
        // 125 MHz: 8 ns each, also where ticks times a billion does not fit 64 bits.
        assertEquals(8_000_000_000_000_000_008L, new TickRate(125_000_000).toNanos(1_000_000_000_000_000_001L));
    }

    @Test
    void differencesMayBeNegative() {
        assertEquals(-8, new TickRate(125_000_000).toNanos(-1));
    }

    @Test
    void aRateBeyondNineGigahertzIsConvertedExactly() {
        // 2^63 ticks a second, unsigned: half a second is 2^62 ticks.
        assertEquals(500_000_000, new TickRate(Long.MIN_VALUE).toNanos(1L << 62));
    }

    @Test
    void aDifferenceOfMoreThanTheNanosecondsOf63BitsIsRefused() {
        assertThrows(ArithmeticException.class, () -> new TickRate(1).toNanos(9_223_372_037L));
    }

    @Test
    void nanosecondsBecomeTicks() {
        assertEquals(125_000_000L * 3600, new TickRate(125_000_000).toTicks(3600 * 1_000_000_000L));
    }

    @Test
    void timesAreUnsigned() {
        // 2^64 - 1 ns.
        assertEquals(Duration.ofSeconds(18_446_744_073L, 709_551_615), new TickRate(1_000_000_000).toDuration(-1));
    }

    @Test
    void theLongestTimeOfTheSlowestClockIsTheLongestDuration() {
        assertEquals(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), new TickRate(1).toDuration(-1));
    }

    @Test
    void aClockThatDoesNotTickIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new TickRate(0));
    }
}
