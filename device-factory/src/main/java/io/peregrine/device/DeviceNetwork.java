package io.peregrine.device;

import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The link between this host and a device: addresses, bandwidth, packet size. Thread-safe.
 *
 * @see Device#network()
 */
public final class DeviceNetwork {
    private final DeviceContext device;
    private final DeviceConnection connection;
    private final List<? extends StreamPort> streams;

    DeviceNetwork(DeviceContext device, DeviceConnection connection, List<? extends StreamPort> streams) {
        this.device = device;
        this.connection = connection;
        this.streams = streams;
    }

    /** The local address that the route to the device uses, on which streams are received. */
    public InetAddress localAddress() {
        return connection.localAddress();
    }

    /**
     * How the device gets its IP address, and its user-defined name.
     *
     * @throws DeviceException if this is a recording
     */
    public AddressSettings addressSettings() {
        if (connection.control().isEmpty()) {
            throw new DeviceException("A recording has no address: open the camera itself");
        }
        return new AddressSettings(() -> connection.control().orElseThrow());
    }

    /**
     * What a stream of this device needs of its link, for {@link Bandwidth#plan}. The packet size is that of the last
     * start of the stream; before the first start it is the size that the device is set to, which a start with
     * {@code PacketSize=negotiate} may raise: start the stream once to plan with the negotiated size.
     *
     * @param index number of the stream channel, from 0
     * @param framesPerSecond frame rate; that of the feature AcquisitionFrameRate if there is one and this is 0
     * @throws DeviceException if the device is a recording, or the rate is not known
     */
    public Bandwidth.Stream bandwidth(int index, double framesPerSecond) {
        double rate = framesPerSecond;
        if (rate == 0) {
            NodeMap nodes = device.nodes();
            rate = nodes.find("AcquisitionFrameRate").filter(Node::readable).isPresent()
                    ? nodes.floating("AcquisitionFrameRate").value()
                    : 0;
        }
        return stream(index).bandwidth(rate);
    }

    /**
     * Sets the delay that the device makes after each packet of a stream (register SCPD, feature GevSCPD), as
     * {@link Bandwidth#plan} gives it.
     *
     * @param index number of the stream channel, from 0
     * @param ticks delay in ticks of the device's clock, 0 to 4294967295
     * @throws DeviceException if the device is a recording, or refuses the delay
     */
    public void packetDelay(int index, long ticks) {
        stream(index).packetDelay(ticks);
    }

    /**
     * Finds the largest packets of a stream that arrive here: the device sends test packets; each one that gets lost
     * takes half a second. The stream must not run; its registers are restored afterwards.
     *
     * @param index number of the stream channel, from 0
     * @throws DeviceException if the device is a recording or not under control, or the stream runs
     */
    public PacketPath probePath(int index) {
        stream(index);
        return PathProbe.run(device, connection.control().orElseThrow(), index);
    }

    private StreamPort stream(int index) {
        if (index < 0 || index >= streams.size()) {
            throw new DeviceException(
                    "There is no stream " + index + ": the device has " + streams.size() + " stream channels");
        }
        if (connection.control().isEmpty()) {
            throw new DeviceException("A recording takes nothing of a link");
        }
        return streams.get(index);
    }

    /**
     * How large packets of a device may be to arrive at this host, as test packets that may not be fragmented showed.
     * Sizes are in bytes with the headers of IP, UDP and GVSP, as the register SCPS counts them (GigE Vision 2.2,
     * stream channel registers).
     *
     * @param interfaceMtuBytes MTU of the interface of this host
     * @param smallestTriedBytes the smallest packet that was asked for
     * @param largestTriedBytes the largest packet that was asked for: as large as interface and register allow
     * @param largestBytes the largest packet that arrived; empty when none did
     * @param deviceLimit whether the device itself makes no larger packets than {@code largestBytes}
     */
    public record PacketPath(
            int interfaceMtuBytes,
            int smallestTriedBytes,
            int largestTriedBytes,
            OptionalInt largestBytes,
            boolean deviceLimit) {
        /** Makes a path. */
        public PacketPath {
            Objects.requireNonNull(largestBytes, "largestBytes");
        }

        /** Whether the largest packet that was asked for arrived. */
        public boolean complete() {
            return largestBytes.isPresent() && largestBytes.getAsInt() == largestTriedBytes;
        }
    }
}
