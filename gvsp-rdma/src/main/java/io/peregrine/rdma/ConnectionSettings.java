package io.peregrine.rdma;

import java.util.Objects;
import java.util.Optional;

/**
 * How a connection works.
 *
 * @param completions where all its work completes
 * @param sharedReceives where it takes its receives from; empty for a receive queue of its own
 * @param sendDepth most sends and writes that may be posted at a time
 * @param receiveDepth most receives that may be posted at a time; 0 with a shared receive queue
 * @param ackTimeoutExponent the peer must acknowledge within 4.096 us times two to this power; 1 to 31
 * @param retryCount how often to send again what is not acknowledged, 0 to 7
 * @param rnrRetryCount how often to send again what the peer has no receive for, 0 to 6; 7 for ever
 */
public record ConnectionSettings(
        CompletionQueue completions,
        Optional<SharedReceiveQueue> sharedReceives,
        int sendDepth,
        int receiveDepth,
        int ackTimeoutExponent,
        int retryCount,
        int rnrRetryCount) {
    /** About a quarter of a second. */
    public static final int DEFAULT_ACK_TIMEOUT_EXPONENT = 16;

    /** Checks the ranges. */
    public ConnectionSettings {
        Objects.requireNonNull(completions, "completions");
        Objects.requireNonNull(sharedReceives, "sharedReceives");
        check("sendDepth", sendDepth, 1, 32768);
        check("receiveDepth", receiveDepth, sharedReceives.isPresent() ? 0 : 1, 32768);
        check("ackTimeoutExponent", ackTimeoutExponent, 1, 31);
        check("retryCount", retryCount, 0, 7);
        check("rnrRetryCount", rnrRetryCount, 0, 7);
    }

    /** A connection with a receive queue of its own and the usual retries. */
    public static ConnectionSettings of(CompletionQueue completions, int sendDepth, int receiveDepth) {
        return new ConnectionSettings(
                completions, Optional.empty(), sendDepth, receiveDepth, DEFAULT_ACK_TIMEOUT_EXPONENT, 7, 7);
    }

    /** The same with a shared receive queue instead of its own. */
    public ConnectionSettings withSharedReceives(SharedReceiveQueue queue) {
        return new ConnectionSettings(
                completions, Optional.of(queue), sendDepth, 0, ackTimeoutExponent, retryCount, rnrRetryCount);
    }

    /** The same with other retries. */
    public ConnectionSettings withRetries(int ackTimeout, int retries, int rnrRetries) {
        return new ConnectionSettings(
                completions, sharedReceives, sendDepth, receiveDepth, ackTimeout, retries, rnrRetries);
    }

    private static void check(String name, int value, int from, int to) {
        if (value < from || value > to) {
            throw new RdmaException(name + " is " + value + ": give " + from + " to " + to);
        }
    }
}
