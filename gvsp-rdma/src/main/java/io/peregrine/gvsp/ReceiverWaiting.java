package io.peregrine.gvsp;

import io.peregrine.stream.StreamException;
import java.time.Duration;

/**
 * How a receiver waits for packets. Waking a thread costs as much as receiving dozens of packets, so that between the
 * first and the last packet of a burst it does not wait for the next one but lets some gather.
 *
 * @param pause longest time for packets to gather, at most 100 ms; less where the socket's buffer would fill. Zero
 *     wakes the thread for every packet
 * @param busyPoll how long the kernel asks the adapter for packets before the thread sleeps (SO_BUSY_POLL), at most 100
 *     ms; zero leaves it as the system has it. Only for a receiver with a socket; more than the system allows
 *     (net.core.busy_read) needs CAP_NET_ADMIN and is not set without it
 */
public record ReceiverWaiting(Duration pause, Duration busyPoll) {
    // Before the default, which is checked against it.
    private static final Duration LONGEST = Duration.ofMillis(100);

    /** Up to 2 ms for packets to gather, no polling. */
    public static final ReceiverWaiting DEFAULT = new ReceiverWaiting(Duration.ofMillis(2), Duration.ZERO);

    /** Checks the times. */
    public ReceiverWaiting {
        check("pause", pause);
        check("busyPoll", busyPoll);
    }

    private static void check(String name, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new StreamException(name + " must be between zero and " + LONGEST + ", not " + value);
        }
    }
}
