package io.peregrine.rdmatest;

import io.peregrine.stream.StreamException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * What one test transfers. Immutable.
 *
 * @param transfer how
 * @param direction which side sends; of no meaning for round trips, which the client begins
 * @param messageBytes bytes of a message, 1 to {@link #MAX_MESSAGE_BYTES}
 * @param depth messages under way at a time, 1 to {@link #MAX_DEPTH}; all of them have at most
 *     {@link #MAX_WINDOW_BYTES}
 * @param duration how long to send, up to an hour; zero when {@code count} ends the test
 * @param count messages to send; 0 when {@code duration} ends the test
 */
public record TestPlan(
        Transfer transfer, Direction direction, int messageBytes, int depth, Duration duration, long count) {
    /** Largest message. */
    public static final int MAX_MESSAGE_BYTES = 16 << 20;
    /** Most messages under way. */
    public static final int MAX_DEPTH = 128;
    /** Most bytes under way. */
    public static final int MAX_WINDOW_BYTES = 64 << 20;
    /** Longest test, also of one that is ended by a count. */
    static final Duration MAX_DURATION = Duration.ofHours(1);

    private static final int SETTLING_PART = 5;

    /** How bytes are transferred. */
    public enum Transfer {
        /** A message there and back again, one at a time. */
        PING,
        /** Messages into receives that the other side posted, as a stream with {@code RdmaMode=send}. */
        SEND,
        /** RDMA writes into the other side's memory, as a stream with {@code RdmaMode=write}. */
        WRITE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Which side sends. */
    public enum Direction {
        /** The client sends to the server. */
        TO_SERVER,
        /** The server sends to the client. */
        FROM_SERVER
    }

    /**
     * Checks the ranges.
     *
     * @throws StreamException if a value is out of its range
     */
    public TestPlan {
        Objects.requireNonNull(transfer, "transfer");
        Objects.requireNonNull(direction, "direction");
        check("message bytes", messageBytes, 1, MAX_MESSAGE_BYTES);
        check("messages under way", depth, 1, MAX_DEPTH);
        check("bytes under way", (long) depth * messageBytes, 1, MAX_WINDOW_BYTES);
        if (duration.isNegative() || duration.compareTo(MAX_DURATION) > 0) {
            throw new StreamException("A test of " + duration.toSeconds() + " s is not possible: give up to an hour");
        }
        check("messages", count, duration.isZero() ? 1 : 0, duration.isZero() ? Long.MAX_VALUE : 0);
    }

    /** A test that ends after a time, with as many messages under way as are useful. */
    public static TestPlan lasting(Transfer transfer, Direction direction, int messageBytes, Duration duration) {
        return new TestPlan(transfer, direction, messageBytes, usefulDepth(messageBytes), duration, 0);
    }

    /** A test that ends after a number of messages. */
    public static TestPlan counting(Transfer transfer, Direction direction, int messageBytes, long count) {
        return new TestPlan(transfer, direction, messageBytes, usefulDepth(messageBytes), Duration.ZERO, count);
    }

    private static int usefulDepth(int messageBytes) {
        check("message bytes", messageBytes, 1, MAX_MESSAGE_BYTES);
        return Math.min(MAX_DEPTH, MAX_WINDOW_BYTES / messageBytes);
    }

    private static void check(String what, long value, long from, long to) {
        if (value < from || value > to) {
            throw new StreamException(
                    value + " " + what + " are not possible in a test: " + from + " to " + to + " are");
        }
    }

    /** What is not measured at the start of a timed test, since Java compiles its code then. */
    long settlingNanos() {
        return duration.toNanos() / SETTLING_PART;
    }

    /** Whether these messages, begun that long ago, are all. */
    boolean over(long messages, long elapsedNanos) {
        return count > 0 ? messages >= count : elapsedNanos >= duration.toNanos();
    }

    /** When a test that has not ended has failed. */
    long limitNanos(Duration timeout) {
        return (count > 0 ? MAX_DURATION : duration).toNanos() + timeout.toNanos();
    }
}
