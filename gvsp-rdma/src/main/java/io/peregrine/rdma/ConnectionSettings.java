package io.peregrine.rdma;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a connection works.
 *
 * @param completions where all its work completes
 * @param sharedReceives where it takes its receives from; empty for a separate receive queue
 * @param sendDepth most sends, writes and reads that may be posted at a time
 * @param receiveDepth most receives that may be posted at a time; 0 with a shared receive queue
 * @param ackTimeoutExponent the peer must acknowledge within 4.096 us times two to this power; 1 to 31
 * @param retryCount how often to send again what is not acknowledged, 0 to 7
 * @param rnrRetryCount how often to send again what the peer has no receive for, 0 to 6; 7 for any number
 * @param notReadyLimit how long to send again what the peer has no receive for, whatever the number; then the
 *     connection breaks with {@link Completion.Status#RECEIVER_NOT_READY}. Provider {@code software} only: an adapter
 *     knows nothing but the number, and with 7 does not end
 * @param maxReads most reads under way at a time, of either side; 0 to 255. The peer and the device may allow less
 */
public record ConnectionSettings(
        CompletionQueue completions,
        Optional<SharedReceiveQueue> sharedReceives,
        int sendDepth,
        int receiveDepth,
        int ackTimeoutExponent,
        int retryCount,
        int rnrRetryCount,
        Duration notReadyLimit,
        int maxReads) {
    /** About a quarter of a second. */
    public static final int DEFAULT_ACK_TIMEOUT_EXPONENT = 16;
    /** A minute: for a program that is stopped for long, not for one that is gone. */
    public static final Duration DEFAULT_NOT_READY_LIMIT = Duration.ofMinutes(1);
    /** Enough to have the next read asked for while the answers to one are on their way. */
    public static final int DEFAULT_MAX_READS = 4;

    /** Checks the ranges. */
    public ConnectionSettings {
        Objects.requireNonNull(completions, "completions");
        Objects.requireNonNull(sharedReceives, "sharedReceives");
        check("sendDepth", sendDepth, 1, 32768);
        check("receiveDepth", receiveDepth, sharedReceives.isPresent() ? 0 : 1, 32768);
        check("ackTimeoutExponent", ackTimeoutExponent, 1, 31);
        check("retryCount", retryCount, 0, 7);
        check("rnrRetryCount", rnrRetryCount, 0, 7);
        if (notReadyLimit.isNegative()) {
            throw new RdmaException("notReadyLimit is " + notReadyLimit + ": give a time that is not negative");
        }
        check("maxReads", maxReads, 0, 255);
    }

    /** A connection with a separate receive queue and the usual retries. */
    public static ConnectionSettings of(CompletionQueue completions, int sendDepth, int receiveDepth) {
        return new ConnectionSettings(
                completions,
                Optional.empty(),
                sendDepth,
                receiveDepth,
                DEFAULT_ACK_TIMEOUT_EXPONENT,
                7,
                7,
                DEFAULT_NOT_READY_LIMIT,
                DEFAULT_MAX_READS);
    }

    /** The same with a shared receive queue. */
    public ConnectionSettings withSharedReceives(SharedReceiveQueue queue) {
        return new ConnectionSettings(
                completions,
                Optional.of(queue),
                sendDepth,
                0,
                ackTimeoutExponent,
                retryCount,
                rnrRetryCount,
                notReadyLimit,
                maxReads);
    }

    /** The same with other retries. */
    public ConnectionSettings withRetries(int ackTimeout, int retries, int rnrRetries) {
        return new ConnectionSettings(
                completions,
                sharedReceives,
                sendDepth,
                receiveDepth,
                ackTimeout,
                retries,
                rnrRetries,
                notReadyLimit,
                maxReads);
    }

    /** The same with another limit to what the peer has no receive for. */
    public ConnectionSettings withNotReadyLimit(Duration limit) {
        return new ConnectionSettings(
                completions,
                sharedReceives,
                sendDepth,
                receiveDepth,
                ackTimeoutExponent,
                retryCount,
                rnrRetryCount,
                limit,
                maxReads);
    }

    /** The same with another number of reads at a time. */
    public ConnectionSettings withMaxReads(int reads) {
        return new ConnectionSettings(
                completions,
                sharedReceives,
                sendDepth,
                receiveDepth,
                ackTimeoutExponent,
                retryCount,
                rnrRetryCount,
                notReadyLimit,
                reads);
    }

    private static void check(String name, int value, int from, int to) {
        if (value < from || value > to) {
            throw new RdmaException(name + " is " + value + ": give " + from + " to " + to);
        }
    }
}
