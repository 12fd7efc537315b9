package io.peregrine.gvcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Timeouts of a control channel, and how it takes and keeps control.
 *
 * @param timeout how long to wait for an answer before a command is repeated
 * @param attempts how often a command is sent at most
 * @param pendingLimit how long a device may put off an answer by PENDING_ACK, all in all
 * @param heartbeatTimeout what to write to the device's heartbeat timeout when taking control; empty leaves it
 * @param heartbeatDisabled whether to ask the device not to drop its controller for silence, where it can
 * @param switchoverKey key with which control is taken over from an application that allows it, 16 bits
 * @param localAddress the host's address and port to use, port 0 for any; empty lets the route to the device decide
 * @param typeOfService type of service of commands (DSCP times 4), 0 to 255; 0 leaves it to the system
 */
public record GvcpSettings(
        Duration timeout,
        int attempts,
        Duration pendingLimit,
        Optional<Duration> heartbeatTimeout,
        boolean heartbeatDisabled,
        OptionalInt switchoverKey,
        Optional<InetSocketAddress> localAddress,
        int typeOfService) {
    private static final int MAX_TYPE_OF_SERVICE = 255;

    private static final GvcpSettings DEFAULTS = new GvcpSettings(
            Duration.ofMillis(250),
            4,
            Duration.ofSeconds(60),
            Optional.empty(),
            false,
            OptionalInt.empty(),
            Optional.empty(),
            0);

    /** Checks the values. */
    public GvcpSettings {
        requirePositive("timeout", timeout);
        requirePositive("pendingLimit", pendingLimit);
        heartbeatTimeout.ifPresent(value -> requirePositive("heartbeatTimeout", value));
        switchoverKey.ifPresent(GvcpSettings::requireKey);
        Objects.requireNonNull(localAddress, "localAddress");
        if (typeOfService < 0 || typeOfService > MAX_TYPE_OF_SERVICE) {
            throw new IllegalArgumentException("typeOfService must be 0 to 255, not " + typeOfService);
        }
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be 1 or more, not " + attempts);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }

    static void requireKey(int key) {
        if (key < 0 || key > BootstrapRegister.CONTROL_SWITCHOVER_KEY_MASK) {
            throw new IllegalArgumentException("a switchover key has 16 bits: " + key + " is not 0 to 65535");
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
        return new GvcpSettings(
                value,
                attempts,
                pendingLimit,
                heartbeatTimeout,
                heartbeatDisabled,
                switchoverKey,
                localAddress,
                typeOfService);
    }

    /**
     * The same with another number of attempts.
     *
     * @param value how often a command is sent at most
     * @return the settings
     */
    public GvcpSettings withAttempts(int value) {
        return new GvcpSettings(
                timeout,
                value,
                pendingLimit,
                heartbeatTimeout,
                heartbeatDisabled,
                switchoverKey,
                localAddress,
                typeOfService);
    }

    /**
     * The same with another limit for pending answers.
     *
     * @param value how long a device may put off an answer, all in all
     * @return the settings
     */
    public GvcpSettings withPendingLimit(Duration value) {
        return new GvcpSettings(
                timeout,
                attempts,
                value,
                heartbeatTimeout,
                heartbeatDisabled,
                switchoverKey,
                localAddress,
                typeOfService);
    }

    /**
     * The same with a heartbeat timeout to set in the device.
     *
     * @param value time without a command after which the device drops its controller
     * @return the settings
     */
    public GvcpSettings withHeartbeatTimeout(Duration value) {
        return new GvcpSettings(
                timeout,
                attempts,
                pendingLimit,
                Optional.of(value),
                heartbeatDisabled,
                switchoverKey,
                localAddress,
                typeOfService);
    }

    /**
     * The same, with a device that does not drop its controller for silence, where it supports that (GVCP capability,
     * bit heartbeat disable). Such a device keeps a dead controller until it is restarted.
     *
     * @param value whether to ask for it
     * @return the settings
     */
    public GvcpSettings withHeartbeatDisabled(boolean value) {
        return new GvcpSettings(
                timeout, attempts, pendingLimit, heartbeatTimeout, value, switchoverKey, localAddress, typeOfService);
    }

    /**
     * The same with a key with which control is taken over from an application that allows it.
     *
     * @param value 16 bits
     * @return the settings
     */
    public GvcpSettings withSwitchoverKey(int value) {
        return new GvcpSettings(
                timeout,
                attempts,
                pendingLimit,
                heartbeatTimeout,
                heartbeatDisabled,
                OptionalInt.of(value),
                localAddress,
                typeOfService);
    }

    /**
     * The same with a fixed local address.
     *
     * @param value the host's address to use
     * @return the settings
     */
    public GvcpSettings withLocalAddress(InetAddress value) {
        return withLocalAddress(new InetSocketAddress(value, 0));
    }

    /**
     * The same with a fixed local address and port, by which a device knows its controller again.
     *
     * @param value the host's address and port to use
     * @return the settings
     */
    public GvcpSettings withLocalAddress(InetSocketAddress value) {
        return new GvcpSettings(
                timeout,
                attempts,
                pendingLimit,
                heartbeatTimeout,
                heartbeatDisabled,
                switchoverKey,
                Optional.of(value),
                typeOfService);
    }

    /**
     * The same with another type of service of commands. Linux takes the priority of the socket from it, too.
     *
     * @param value DSCP times 4, 0 to 255; 0 leaves it to the system
     * @return the settings
     */
    public GvcpSettings withTypeOfService(int value) {
        return new GvcpSettings(
                timeout,
                attempts,
                pendingLimit,
                heartbeatTimeout,
                heartbeatDisabled,
                switchoverKey,
                localAddress,
                value);
    }
}
