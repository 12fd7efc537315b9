package io.peregrine.gvcp;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How patient a control channel is.
 *
 * @param timeout how long to wait for an answer before a command is repeated
 * @param attempts how often a command is sent at most
 * @param pendingLimit how long a device may put off an answer by PENDING_ACK, all in all
 * @param heartbeatTimeout what to write to the device's heartbeat timeout when taking control; empty leaves it
 * @param localAddress the host's address to use; empty lets the route to the device decide
 */
public record GvcpSettings(
        Duration timeout,
        int attempts,
        Duration pendingLimit,
        Optional<Duration> heartbeatTimeout,
        Optional<InetAddress> localAddress) {
    private static final GvcpSettings DEFAULTS =
            new GvcpSettings(Duration.ofMillis(250), 4, Duration.ofSeconds(60), Optional.empty(), Optional.empty());

    /** Checks the values. */
    public GvcpSettings {
        requirePositive("timeout", timeout);
        requirePositive("pendingLimit", pendingLimit);
        heartbeatTimeout.ifPresent(value -> requirePositive("heartbeatTimeout", value));
        Objects.requireNonNull(localAddress, "localAddress");
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be 1 or more, not " + attempts);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }

    /**
     * Values that fit a local network: four tries of 250 ms.
     *
     * @return the settings
     */
    public static GvcpSettings defaults() {
        return DEFAULTS;
    }

    /**
     * The same with another timeout.
     *
     * @param value how long to wait for an answer before a command is repeated
     * @return the settings
     */
    public GvcpSettings withTimeout(Duration value) {
        return new GvcpSettings(value, attempts, pendingLimit, heartbeatTimeout, localAddress);
    }

    /**
     * The same with another number of attempts.
     *
     * @param value how often a command is sent at most
     * @return the settings
     */
    public GvcpSettings withAttempts(int value) {
        return new GvcpSettings(timeout, value, pendingLimit, heartbeatTimeout, localAddress);
    }

    /**
     * The same with another limit for pending answers.
     *
     * @param value how long a device may put off an answer, all in all
     * @return the settings
     */
    public GvcpSettings withPendingLimit(Duration value) {
        return new GvcpSettings(timeout, attempts, value, heartbeatTimeout, localAddress);
    }

    /**
     * The same with a heartbeat timeout to set in the device.
     *
     * @param value time without a command after which the device drops its controller
     * @return the settings
     */
    public GvcpSettings withHeartbeatTimeout(Duration value) {
        return new GvcpSettings(timeout, attempts, pendingLimit, Optional.of(value), localAddress);
    }

    /**
     * The same with a fixed local address.
     *
     * @param value the host's address to use
     * @return the settings
     */
    public GvcpSettings withLocalAddress(InetAddress value) {
        return new GvcpSettings(timeout, attempts, pendingLimit, heartbeatTimeout, Optional.of(value));
    }
}
