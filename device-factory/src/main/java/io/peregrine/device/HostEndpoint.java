package io.peregrine.device;

import io.peregrine.gvcp.Privilege;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Where on this host the packets of a device arrive, and what is announced to the device. They differ behind address
 * translation, where ports have to be known beforehand.
 *
 * @param streamInterface name or address of the interface that streams arrive at; empty for the one that leads to the
 *     device
 * @param streamPort UDP port of stream 0, the next for stream 1, and so on; 0 for free ones
 * @param messagePort UDP port that events arrive at; 0 for a free one
 * @param announced address announced to the device; empty for that of the interface
 */
record HostEndpoint(
        Optional<String> streamInterface, int streamPort, int messagePort, Optional<Inet4Address> announced) {
    private static final int LAST_PORT = 65535;

    static HostEndpoint of(
            ParameterValues values, VerbsReception reception, StreamDestination destination, Privilege privilege) {
        HostEndpoint endpoint = new HostEndpoint(
                values.nonEmpty(OpenParameter.STREAM_INTERFACE).or(reception::streamInterface),
                values.integer(OpenParameter.STREAM_HOST_PORT),
                values.integer(OpenParameter.MESSAGE_HOST_PORT),
                values.nonEmpty(OpenParameter.ANNOUNCED_ADDRESS).map(HostEndpoint::announced));
        endpoint.streamAddress();
        if (endpoint.streamPort != 0 && endpoint.streamPort == endpoint.messagePort) {
            throw new DeviceException(
                    "StreamHostPort and MessageHostPort are both " + endpoint.streamPort + ": give a port to each");
        }
        if (endpoint.streamPort != 0 && destination.group().isPresent()) {
            throw new DeviceException("StreamHostPort is for a stream to this host alone: give the port of a group with"
                    + " StreamDestination, such as 239.192.0.1:5000");
        }
        if (privilege == Privilege.MONITOR
                && (endpoint.streamPort != 0 || endpoint.messagePort != 0 || endpoint.announced.isPresent())) {
            throw new DeviceException(
                    "StreamHostPort, MessageHostPort and AnnouncedAddress are for who controls the device:"
                            + " AccessMode=ReadOnly receives what the controller has set up");
        }
        return endpoint;
    }

    private static Inet4Address announced(String text) {
        try {
            Inet4Address address = LocalInterface.ipv4(text);
            if (!address.isAnyLocalAddress() && !address.isMulticastAddress()) {
                return address;
            }
        } catch (DeviceException e) {
            throw new DeviceException("AnnouncedAddress: " + e.getMessage(), e);
        }
        throw OpenParameter.ANNOUNCED_ADDRESS.refused(text);
    }

    /** Default settings of a stream that arrives here. */
    GvspSettings settings(ControlChannel control, InetAddress device, int index) {
        // Looked up again: the interface may have got another address.
        InetAddress local = streamAddress().map(InetAddress.class::cast).orElseGet(control::localAddress);
        return GvspSettings.defaults(local, device).withLocalPort(streamPort(index));
    }

    /** Empty for the interface that leads to the device. */
    private Optional<Inet4Address> streamAddress() {
        return streamInterface.map(text -> LocalInterface.address("StreamInterface", text));
    }

    private int streamPort(int index) {
        if (streamPort == 0) {
            return 0;
        }
        if (streamPort + index > LAST_PORT) {
            throw new DeviceException("StreamHostPort is " + streamPort + ", which leaves no port for stream " + index
                    + ": give at most " + (LAST_PORT - index));
        }
        return streamPort + index;
    }

    /** The destination that is set in the device. */
    InetAddress told(GvspSource receiver) {
        InetAddress destination = receiver.destination().getAddress();
        return destination.isMulticastAddress() || announced.isEmpty() ? destination : announced.get();
    }
}
