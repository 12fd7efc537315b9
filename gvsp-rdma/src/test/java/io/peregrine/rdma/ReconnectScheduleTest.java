package io.peregrine.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReconnectScheduleTest {
    private static final ReconnectPolicy POLICY =
            new ReconnectPolicy(4, Duration.ofMillis(100), Duration.ofMillis(350));

    private final ReconnectSchedule schedule = new ReconnectSchedule(POLICY);

    private long delayMillis() {
        schedule.lost(5);
        return (schedule.nextNanos() - 5) / 1_000_000;
    }

    @Test
    void delaysDoubleUpToTheLongest() {
        assertEquals(100, delayMillis());
        schedule.attempt();
        assertEquals(200, delayMillis());
        schedule.attempt();
        assertEquals(350, delayMillis());
    }

    @Test
    void attemptsAreBounded() {
        for (int i = 0; i < 4; i++) {
            assertFalse(schedule.exhausted());
            schedule.attempt();
        }
        assertTrue(schedule.exhausted());
    }

    @Test
    void successCountsFromTheBeginning() {
        schedule.attempt();
        schedule.attempt();
        schedule.reset();
        assertEquals(100, delayMillis());
        assertEquals(0, schedule.attemptsUsed());
    }

    @Test
    void delayNeverOverflows() {
        assertEquals(
                Duration.ofMinutes(10),
                new ReconnectPolicy(1000, Duration.ofSeconds(1), Duration.ofMinutes(10)).delay(999));
    }

    @Test
    void impossiblePoliciesAreRefused() {
        assertThrows(RdmaException.class, () -> new ReconnectPolicy(-1, Duration.ZERO, Duration.ZERO));
        assertThrows(RdmaException.class, () -> new ReconnectPolicy(1, Duration.ofSeconds(2), Duration.ofSeconds(1)));
        assertThrows(RdmaException.class, () -> new ReconnectPolicy(1, Duration.ofSeconds(-1), Duration.ZERO));
    }
}
