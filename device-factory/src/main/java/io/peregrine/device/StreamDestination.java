package io.peregrine.device;

import io.peregrine.gvcp.Privilege;
import io.peregrine.gvsp.MulticastGroup;
import io.peregrine.stream.StreamException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a controller lets a device send to.
 *
 * @param group a group; empty for this host alone
 * @param joined whether the controller receives the stream itself
 * @param unconditional whether the device goes on sending when it loses its controller
 */
record StreamDestination(Optional<MulticastGroup> group, boolean joined, boolean unconditional) {
    private static final Pattern GROUP = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3})(?::(\\d{1,5}))?");

    static StreamDestination of(ParameterValues values, Privilege privilege) {
        StreamDestination destination = new StreamDestination(
                values.nonEmpty(OpenParameter.STREAM_DESTINATION).map(StreamDestination::group),
                values.flag(OpenParameter.MULTICAST_JOIN),
                values.flag(OpenParameter.UNCONDITIONAL_STREAMING));
        if (destination.group.isEmpty() && !destination.joined) {
            throw new DeviceException("MulticastJoin=0 needs a StreamDestination: this host is the only receiver");
        }
        if (privilege == Privilege.MONITOR && (destination.group.isPresent() || destination.unconditional)) {
            throw new DeviceException("StreamDestination and UnconditionalStreaming are for who controls the device:"
                    + " AccessMode=ReadOnly receives what the controller has set up");
        }
        return destination;
    }

    private static MulticastGroup group(String text) {
        Matcher matcher = GROUP.matcher(text);
        if (!matcher.matches()) {
            throw OpenParameter.STREAM_DESTINATION.refused(text);
        }
        try {
            return new MulticastGroup(
                    LocalInterface.ipv4(matcher.group(1)),
                    matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2)));
        } catch (StreamException e) {
            throw new DeviceException("StreamDestination: " + e.getMessage(), e);
        }
    }
}
