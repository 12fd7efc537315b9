package io.peregrine.gvsp;

import io.peregrine.stream.StreamException;
import java.time.Duration;

/**
 * How a receiver waits for packets. Waking a thread costs as much as receiving dozens of packets, so that between the
 * first and the last packet of a frame it does not wait for the next one but lets some gather.
 *
 * @param pause longest time for packets to gather, at most 100 ms; less where the socket's buffer would fill. Zero
 *     wakes the thread for every packet
 * @param busyPoll how long the kernel asks the adapter for packets before the thread sleeps (SO_BUSY_POLL), at most 100
 *     ms; zero leaves it as the system has it. Only for a receiver with a socket; more than the system allows
 *     (net.core.busy_read) needs CAP_NET_ADMIN and is not set without it
 * @param promptEnd whether no packets gather shortly before the end of a frame, as the last frames show when that is,
 *     and none between frames
 * @param spin whether the receiver looks for packets again and again, without sleeping, where it would wait for the
 *     next packet of a frame. Occupies a processor; between frames it sleeps
 */
public record ReceiverWaiting(Duration pause, Duration busyPoll, boolean promptEnd, boolean spin) {
    // Before the constants, which are checked against it.
    private static final Duration LONGEST = Duration.ofMillis(100);

    /** Up to 2 ms for packets to gather, but not at the end of a frame. */
    public static final ReceiverWaiting DEFAULT = new ReceiverWaiting(Duration.ofMillis(2), Duration.ZERO, true, false);

    /** Never sleeps while a frame arrives: frames are ready soonest, and a processor is always busy. */
    public static final ReceiverWaiting LOW_LATENCY =
            DEFAULT.withPause(Duration.ZERO).withSpin(true);

    /** Up to 2 ms for packets to gather, at the end of a frame too: fewest wake-ups. */
    public static final ReceiverWaiting THROUGHPUT = DEFAULT.withPromptEnd(false);

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

    /** The same with another longest pause. */
    public ReceiverWaiting withPause(Duration value) {
        return new ReceiverWaiting(value, busyPoll, promptEnd, spin);
    }

    /** The same with another time of busy polling. */
    public ReceiverWaiting withBusyPoll(Duration value) {
        return new ReceiverWaiting(pause, value, promptEnd, spin);
    }

    /** The same with packets gathering at the end of a frame, or not. */
    public ReceiverWaiting withPromptEnd(boolean value) {
        return new ReceiverWaiting(pause, busyPoll, value, spin);
    }

    /** The same with or without spinning. */
    public ReceiverWaiting withSpin(boolean value) {
        return new ReceiverWaiting(pause, busyPoll, promptEnd, value);
    }
}
