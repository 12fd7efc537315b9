package io.peregrine.device;

import io.peregrine.gvcp.GvcpSettings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumSet;
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
 * @param heartbeatTimeout the timeout to write to the device; empty leaves it as it is
 * @param heartbeatDisabled whether the device is asked to do without
 * @param openTimeout how long everything together may take that is asked of a device until it is open
 * @param largestDescriptionBytes what a description of the features has at most, packed or unpacked
 * @param switchoverKey key with which control is taken over from an application that allows it
 * @param typeOfService of packets to the device; 0 leaves it to the system
 */
record ControlParameters(
        boolean reconnect,
        boolean restore,
        Duration reconnectLimit,
        Optional<Duration> heartbeatTimeout,
        boolean heartbeatDisabled,
        Duration openTimeout,
        int largestDescriptionBytes,
        OptionalInt switchoverKey,
        int typeOfService) {
    static final OpenParameter CLASS_OF_SERVICE = new OpenParameter(
            "ClassOfService",
            "peregrine.control.classOfService",
            ValueType.integer(0, 255),
            "0",
            "",
            EnumSet.of(StreamingMode.Protocol.GVSP, StreamingMode.Protocol.RDMA),
            "Type of service of packets to the device, of GVCP and of RDMA, and by RDMA also of those from it: DSCP"
                    + " times 4, such as 104 for DSCP 26; 0 leaves it to the system");

    /** As long as somebody may look at a line of code. */
    static final Duration DEBUGGER_TIMEOUT = Duration.ofMinutes(5);

    static ControlParameters of(ParameterValues values) {
        return of(values, debuggable(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    }

    static ControlParameters of(ParameterValues values, boolean debuggable) {
        String heartbeat = values.text(OpenParameter.HEARTBEAT_TIMEOUT).toLowerCase(Locale.ROOT);
        boolean disabled = heartbeat.equals("off");
        Optional<Duration> timeout = switch (heartbeat) {
            case "auto" -> debuggable ? Optional.of(DEBUGGER_TIMEOUT) : Optional.empty();
            // For devices that cannot do without.
            case "off" -> Optional.of(DEBUGGER_TIMEOUT);
            default -> Optional.of(values.duration(OpenParameter.HEARTBEAT_TIMEOUT));
        };
        return new ControlParameters(
                values.flag(OpenParameter.RECONNECT),
                values.word(OpenParameter.RESTORE).equals("settings"),
                values.duration(OpenParameter.RECONNECT_TIMEOUT),
                timeout,
                disabled,
                values.duration(OpenParameter.OPEN_TIMEOUT),
                values.integer(OpenParameter.MAX_DESCRIPTION),
                values.optionalInteger(OpenParameter.SWITCHOVER_KEY),
                values.integer(CLASS_OF_SERVICE));
    }

    /** Whether what is set has to be remembered. */
    boolean restoresSettings() {
        return reconnect && restore;
    }

    /** Whether this JVM was started so that a debugger can stop it. */
    static boolean debuggable(List<String> jvmArguments) {
        return jvmArguments.stream()
                .anyMatch(argument -> argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp"));
    }

    /** For the control channel. */
    GvcpSettings channel() {
        GvcpSettings channel =
                GvcpSettings.defaults().withHeartbeatDisabled(heartbeatDisabled).withTypeOfService(typeOfService);
        if (heartbeatTimeout.isPresent()) {
            channel = channel.withHeartbeatTimeout(heartbeatTimeout.get());
        }
        return switchoverKey.isPresent() ? channel.withSwitchoverKey(switchoverKey.getAsInt()) : channel;
    }
}
