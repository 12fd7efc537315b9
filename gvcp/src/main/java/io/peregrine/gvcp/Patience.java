package io.peregrine.gvcp;

import java.time.Duration;
import java.util.Optional;

/**
 * How long one command may take.
 *
 * @param timeout how long each attempt waits
 * @param attempts how often it is sent at most
 * @param pendingLimit how long the device may put off the answer by PENDING_ACK, all in all
 * @param limit by when the thread that sends it has to be done; empty if it has no such limit
 */
record Patience(Duration timeout, int attempts, Duration pendingLimit, Optional<TimeLimit> limit) {
    private static final int LAST_ATTEMPTS = 2;

    static Patience of(GvcpSettings settings, Optional<TimeLimit> limit) {
        return new Patience(settings.timeout(), settings.attempts(), settings.pendingLimit(), limit);
    }

    /** The same for the last command of a closing channel. */
    static Patience last(GvcpSettings settings) {
        return new Patience(
                settings.timeout(),
                Math.min(LAST_ATTEMPTS, settings.attempts()),
                settings.pendingLimit(),
                Optional.empty());
    }
}
