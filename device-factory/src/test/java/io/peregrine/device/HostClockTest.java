package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostClockTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    /** A host whose readings the test writes down: ns clock, time of day, ns clock, and so on. */
    private static HostClock reading(Instant day, List<Long> nanos) {
        Iterator<Long> next = nanos.iterator();
        return new HostClock() {
            @Override
            public long nanos() {
                return next.next();
            }

            @Override
            public Instant instant() {
                return day;
            }
        };
    }

    @Test
    void theTimeOfDayWasReadInTheMiddle() {
        HostClock host = reading(NOON, List.of(1000L, 1200L));
        assertEquals(
                new DeviceClock.BoundedInstant(NOON.plusNanos(900), Duration.ofNanos(50 + 100 + 1000)),
                host.instantAt(2000, 50));
    }

    @Test
    void aReadingThatWasInterruptedIsRepeated() {
        HostClock host = reading(NOON, List.of(0L, 10_000_000L, 20_000_000L, 20_000_100L));
        assertEquals(new DeviceClock.BoundedInstant(NOON, Duration.ofNanos(50 + 1000)), host.instantAt(20_000_050, 0));
    }
}
