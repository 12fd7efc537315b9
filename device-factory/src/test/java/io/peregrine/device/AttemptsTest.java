package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private long now = -5;
    private Duration paused = Duration.ZERO;
    private int attempts;
    private final Attempts tried = new Attempts(() -> now, this::pass);

    private void pass(long nanos) {
        paused = paused.plusNanos(nanos);
        now += nanos;
    }

    private String absent(Duration taken) {
        attempts++;
        now += taken.toNanos();
        throw new DeviceNotFoundException("attempt " + attempts);
    }

    @Test
    void attemptsThatAreRefusedAtOnceAreFiftyMillisecondsApart() {
        assertThrows(DeviceNotFoundException.class, () -> tried.find(() -> absent(Duration.ZERO), TIMEOUT));
        assertEquals(21, attempts);
    }

    @Test
    void anAttemptThatWaitedForAnAnswerIsRepeatedAtOnce() {
        assertThrows(DeviceNotFoundException.class, () -> tried.find(() -> absent(Duration.ofMillis(200)), TIMEOUT));
        assertEquals(Duration.ZERO, paused);
    }

    @Test
    void aDeviceThatIsThereIsReturnedWithoutAPause() {
        assertEquals("there", tried.find(() -> "there", TIMEOUT));
        assertEquals(Duration.ZERO, paused);
    }

    @Test
    void aTimeoutMayBeForEver() {
        assertEquals("there", tried.find(() -> "there", ChronoUnit.FOREVER.getDuration()));
    }

    @Test
    void theReasonIsThatOfTheLastAttempt() {
        DeviceNotFoundException e = assertThrows(
                DeviceNotFoundException.class, () -> tried.find(() -> absent(Duration.ofMillis(300)), TIMEOUT));
        assertEquals("attempt 4", e.getMessage());
    }
}
