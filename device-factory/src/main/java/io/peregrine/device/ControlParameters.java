package io.peregrine.device;

import io.peregrine.gvcp.GvcpSettings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a device is taken and kept under control.
 *
 * @param reconnect whether a device that was lost is looked for and taken again
 * @param restore whether what was set is set again in a device that came back; otherwise its own settings are the truth
 * @param reconnectLimit how long it is looked for; zero for as long as it takes
 * @param heartbeatTimeout what the device is told; empty leaves it as it is
 * @param heartbeatDisabled whether the device is asked to do without
 * @param openTimeout how long everything together may take that is asked of a device until it is open
 * @param largestDescriptionBytes what a description of the features has at most, packed or unpacked
 * @param switchoverKey key with which control is taken over from an application that allows it
 */
record ControlParameters(
        boolean reconnect,
        boolean restore,
        Duration reconnectLimit,
        Optional<Duration> heartbeatTimeout,
        boolean heartbeatDisabled,
        Duration openTimeout,
        int largestDescriptionBytes,
        OptionalInt switchoverKey) {

    /** As long as somebody may look at a line of code. */
    static final Duration DEBUGGER_TIMEOUT = Duration.ofMinutes(5);

    private static final long MOST_DESCRIPTION_BYTES = 64 << 20;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(500);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    static ControlParameters of(PeregrineSettings settings) {
        return of(settings, debuggable(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    }

    static ControlParameters of(PeregrineSettings settings, boolean debuggable) {
        String text = settings.value(PeregrineSettings.HEARTBEAT_TIMEOUT).orElse("");
        boolean disabled = false;
        Optional<Duration> timeout = Optional.empty();
        switch (text.toLowerCase(Locale.ROOT)) {
            case "auto" -> timeout = debuggable ? Optional.of(DEBUGGER_TIMEOUT) : Optional.empty();
            case "off" -> {
                disabled = true;
                // For devices that cannot do without.
                timeout = Optional.of(DEBUGGER_TIMEOUT);
            }
            default -> {
                Duration given = settings.duration(PeregrineSettings.HEARTBEAT_TIMEOUT);
                if (given.compareTo(SHORTEST_TIMEOUT) < 0 || given.compareTo(LONGEST_TIMEOUT) > 0) {
                    throw new DeviceException("HeartbeatTimeout is " + text + ": give auto, off, or 500ms to 1440min");
                }
                timeout = Optional.of(given);
            }
        }
        return new ControlParameters(
                settings.flag(PeregrineSettings.RECONNECT),
                restore(settings),
                settings.duration(PeregrineSettings.RECONNECT_TIMEOUT),
                timeout,
                disabled,
                openTimeout(settings),
                largestDescription(settings),
                key(settings));
    }

    private static Duration openTimeout(PeregrineSettings settings) {
        Duration limit = settings.duration(PeregrineSettings.OPEN_TIMEOUT);
        if (limit.isZero() || limit.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new DeviceException("OpenTimeout is "
                    + settings.value(PeregrineSettings.OPEN_TIMEOUT).orElse("") + ": give 1ms to 1440min");
        }
        return limit;
    }

    private static int largestDescription(PeregrineSettings settings) {
        long bytes = settings.number(PeregrineSettings.LARGEST_DESCRIPTION);
        if (bytes < 1 || bytes > MOST_DESCRIPTION_BYTES) {
            throw new DeviceException("LargestDescription is " + bytes + ": give 1 to " + MOST_DESCRIPTION_BYTES);
        }
        return (int) bytes;
    }

    private static boolean restore(PeregrineSettings settings) {
        String text = settings.value(PeregrineSettings.RESTORE).orElse("");
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "settings" -> true;
            case "none" -> false;
            default -> throw new DeviceException("Restore is '" + text + "': give settings or none");
        };
    }

    /** Whether what is set has to be remembered. */
    boolean restoresSettings() {
        return reconnect && restore;
    }

    private static OptionalInt key(PeregrineSettings settings) {
        String text = settings.value(PeregrineSettings.SWITCHOVER_KEY).orElse("");
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        long key = settings.number(PeregrineSettings.SWITCHOVER_KEY);
        if (key > 0xFFFF) {
            throw new DeviceException("SwitchoverKey is " + text + ": give 0 to 65535");
        }
        return OptionalInt.of((int) key);
    }

    /** Whether this JVM was started so that a debugger can stop it. */
    static boolean debuggable(List<String> jvmArguments) {
        return jvmArguments.stream()
                .anyMatch(argument -> argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp"));
    }

    /** For the control channel. */
    GvcpSettings channel() {
        GvcpSettings channel = GvcpSettings.defaults().withHeartbeatDisabled(heartbeatDisabled);
        if (heartbeatTimeout.isPresent()) {
            channel = channel.withHeartbeatTimeout(heartbeatTimeout.get());
        }
        return switchoverKey.isPresent() ? channel.withSwitchoverKey(switchoverKey.getAsInt()) : channel;
    }
}
