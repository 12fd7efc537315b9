package io.peregrine.device;

import java.math.BigInteger;
import java.time.Duration;

/**
 * Converts ticks of a camera's clock, exactly and without silent overflow.
 *
 * @param hertz ticks in a second, as an unsigned number; not 0
 */
public record TickRate(long hertz) {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final BigInteger NANOS = BigInteger.valueOf(NANOS_PER_SECOND);
    /** Up to here a second's worth of ticks times a billion fits 63 bits. */
    private static final long PLAIN_LIMIT = Long.MAX_VALUE / NANOS_PER_SECOND;

    /** Checks the rate. */
    public TickRate {
        if (hertz == 0) {
            throw new IllegalArgumentException("a clock has more than 0 ticks in a second");
        }
    }

    /**
     * A difference of ticks in nanoseconds, rounded towards zero.
     *
     * @param ticks signed; the difference of two times that are less than 2^63 ticks apart
     * @throws ArithmeticException if it is more than 292 years
     */
    public long toNanos(long ticks) {
        if (hertz > 0 && hertz <= PLAIN_LIMIT) {
            long seconds = Math.multiplyExact(ticks / hertz, NANOS_PER_SECOND);
            return Math.addExact(seconds, ticks % hertz * NANOS_PER_SECOND / hertz);
        }
        return BigInteger.valueOf(ticks).multiply(NANOS).divide(rate()).longValueExact();
    }

    /**
     * Nanoseconds as a difference of ticks, rounded towards zero.
     *
     * @throws ArithmeticException if it is 2^63 ticks or more
     */
    public long toTicks(long nanos) {
        return BigInteger.valueOf(nanos).multiply(rate()).divide(NANOS).longValueExact();
    }

    /** A time since the clock was reset, as its register or a frame has it: 64 bits without sign. */
    public Duration toDuration(long ticks) {
        BigInteger nanos =
                new BigInteger(Long.toUnsignedString(ticks)).multiply(NANOS).divide(rate());
        BigInteger[] parts = nanos.divideAndRemainder(NANOS);
        try {
            return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
        } catch (ArithmeticException e) {
            return Duration.ofSeconds(Long.MAX_VALUE, NANOS_PER_SECOND - 1);
        }
    }

    private BigInteger rate() {
        return new BigInteger(Long.toUnsignedString(hertz));
    }
}
