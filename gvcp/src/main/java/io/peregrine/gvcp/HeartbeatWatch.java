package io.peregrine.gvcp;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a heartbeat asks, how often, and what the answers mean. Immutable; neither sends nor waits itself.
 *
 * @param device name of the device, for messages
 * @param granted bits of the privilege register that the device granted; 0 for a monitor
 * @param self this application as the device sees it, through address translation; empty if the device does not report
 *     it
 * @param timeout the device's heartbeat timeout
 */
record HeartbeatWatch(String device, int granted, Optional<InetSocketAddress> self, Duration timeout) {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);
    private static final long MIN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int BEATS_PER_TIMEOUT = 3;

    /** The timeout that the device's register holds; 0 stands for the standard's default. */
    static Duration timeoutOf(int registerValue) {
        return registerValue == 0 ? DEFAULT_TIMEOUT : Duration.ofMillis(Integer.toUnsignedLong(registerValue));
    }

    HeartbeatWatch withTimeout(Duration value) {
        return new HeartbeatWatch(device, granted, self, value);
    }

    /** Time from one beat to the next. */
    long periodNanos() {
        return Math.max(MIN_PERIOD_NANOS, patienceNanos() / BEATS_PER_TIMEOUT);
    }

    /** Silence after which the device is lost: with a long timeout, too, its loss shows soon. */
    private long patienceNanos() {
        return timeout.compareTo(DEFAULT_TIMEOUT) < 0 ? timeout.toNanos() : DEFAULT_TIMEOUT.toNanos();
    }

    /** The registers to read with each beat. */
    int[] registers() {
        return self.isPresent()
                ? new int[] {
                    BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE,
                    BootstrapRegister.PRIMARY_APPLICATION_PORT,
                    BootstrapRegister.PRIMARY_APPLICATION_IP_ADDRESS
                }
                : new int[] {BootstrapRegister.CONTROL_CHANNEL_PRIVILEGE};
    }

    /** Judges the values of {@link #registers}: why control is lost, or empty if it is not. */
    Optional<ConnectionLostException> onValues(int[] values) {
        if (granted == 0) {
            return Optional.empty();
        }
        if ((values[0] & granted) == 0) {
            return Optional.of(new ConnectionLostException(String.format(
                    Locale.ROOT, "control of %s was lost: its privilege register reads 0x%08X", device, values[0])));
        }
        Optional<InetSocketAddress> holder =
                values.length == 1 ? Optional.empty() : PrimaryApplication.of(values[1], values[2]);
        return holder.equals(self)
                ? Optional.empty()
                : Optional.of(new ConnectionLostException("control of " + device + " was lost: "
                        + holder.map(other -> ControlSocket.name(other) + " holds it")
                                .orElse("no application holds it")));
    }

    /**
     * Judges a beat that failed.
     *
     * @param failure how
     * @param silentNanos time since the device last answered any command
     * @return why the device is lost, or empty if it may still answer
     */
    Optional<ConnectionLostException> onFailure(GvcpException failure, long silentNanos) {
        if (failure instanceof AccessDeniedException) {
            return Optional.of(new ConnectionLostException(
                    "control of " + device + " was lost: another application holds it exclusively", failure));
        }
        long patience = patienceNanos();
        return silentNanos >= patience
                ? Optional.of(new ConnectionLostException(
                        device + " was lost: no answer for " + TimeUnit.NANOSECONDS.toMillis(patience) + " ms",
                        failure))
                : Optional.empty();
    }
}
