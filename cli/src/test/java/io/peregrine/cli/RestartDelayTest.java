package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestartDelayTest {
    private static final int KILLED = 137;
    private static final int FAILED = 1;
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final RestartDelay delay = new RestartDelay();

    private Optional<Long> after(int status, Duration lived) {
        return delay.after(status, lived).map(Duration::toMillis);
    }

    @Test
    void whatFailsAtOnceFailsAgain() {
        assertEquals(Optional.empty(), after(FAILED, MOMENT));
    }

    @Test
    void whatWasKilledIsStartedAgain() {
        assertEquals(Optional.of(250L), after(KILLED, MOMENT));
    }

    @Test
    void whatHasWorkedIsStartedAgainAlsoWhenItFails() {
        assertEquals(Optional.of(250L), after(FAILED, RestartDelay.WORKING));
        assertEquals(Optional.of(500L), after(FAILED, MOMENT));
    }

    @Test
    void theWaitDoublesUpToEightSeconds() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            waits.add(after(KILLED, MOMENT).orElseThrow());
        }
        assertEquals(List.of(250L, 500L, 1000L, 2000L, 4000L, 8000L, 8000L), waits);
    }

    @Test
    void theWaitIsShortAgainAfterARunThatWorked() {
        after(KILLED, MOMENT);
        after(KILLED, MOMENT);
        assertEquals(Optional.of(250L), after(KILLED, Duration.ofMinutes(5)));
    }
}
