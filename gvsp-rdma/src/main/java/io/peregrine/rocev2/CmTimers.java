package io.peregrine.rocev2;

import java.util.concurrent.TimeUnit;

/**
 * How long the connection manager waits, in nanoseconds.
 *
 * @param requestRetryNanos until a request to connect is sent again
 * @param replyRetryNanos until a reply is sent again
 * @param disconnectRetryNanos until a request to disconnect is sent again
 * @param maxRetries how often any of them is sent again before giving up
 * @param timeWaitNanos how long an ended connection is remembered for the messages that are still on their way
 * @param decisionNanos how long the application may think about a request before it is refused
 */
record CmTimers(
        long requestRetryNanos,
        long replyRetryNanos,
        long disconnectRetryNanos,
        int maxRetries,
        long timeWaitNanos,
        long decisionNanos) {

    /** Checks the ranges. */
    CmTimers {
        if (Math.min(Math.min(requestRetryNanos, replyRetryNanos), disconnectRetryNanos) <= 0
                || timeWaitNanos <= 0
                || decisionNanos <= 0
                || maxRetries < 0) {
            throw new IllegalArgumentException("Times must be positive, and retries not negative");
        }
    }

    /**
     * Half a second between tries, 15 retries. The time to remember is more than the 6.4 s between requests of Linux.
     */
    static CmTimers defaults() {
        long halfSecond = TimeUnit.MILLISECONDS.toNanos(500);
        return new CmTimers(
                halfSecond, halfSecond, halfSecond, 15, TimeUnit.SECONDS.toNanos(8), TimeUnit.SECONDS.toNanos(60));
    }
}
