package io.peregrine.device;

import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.MulticastGroup;
import java.net.Inet4Address;

/**
 * What somebody else has set up on a stream channel, as its registers tell: SCDA, SCP, SCPS and SCCFG.
 *
 * @param address where the device sends to
 * @param port UDP port that it sends to; 0 when the channel is closed
 * @param packetSizeBytes packet size with IP, UDP and GVSP headers
 * @param configuration SCCFG, or 0 for a device without it
 */
record StreamInProgress(Inet4Address address, int port, int packetSizeBytes, int configuration) {

    /**
     * Reads the registers.
     *
     * @param registers address of the first register of the channel
     * @param hasConfiguration whether the device has SCCFG
     */
    static StreamInProgress read(ControlChannel control, int registers, boolean hasConfiguration) {
        return new StreamInProgress(
                AddressConfiguration.ofBits(control.readRegister(registers + StreamChannelRegister.SCDA)),
                control.readRegister(registers + StreamChannelRegister.SCP) & StreamChannelRegister.SCP_HOST_PORT_MASK,
                control.readRegister(registers + StreamChannelRegister.SCPS)
                        & StreamChannelRegister.SCPS_PACKET_SIZE_MASK,
                hasConfiguration ? control.readRegister(registers + StreamChannelRegister.SCCFG) : 0);
    }

    boolean genDc() {
        return (configuration & StreamChannelRegister.SCCFG_GENDC) != 0;
    }

    boolean multiPart() {
        return (configuration & StreamChannelRegister.SCCFG_MULTI_PART) != 0;
    }

    /** Whether the device goes on by itself, perhaps for a controller that is gone. */
    boolean unconditional() {
        return port != 0 && (configuration & StreamChannelRegister.SCCFG_UNCONDITIONAL_STREAMING) != 0;
    }

    /**
     * The group that the device sends to.
     *
     * @throws DeviceException if it sends nothing, or to one host only
     */
    MulticastGroup group() {
        if (port == 0 || address.isAnyLocalAddress()) {
            throw new DeviceException("The device does not stream, and AccessMode=ReadOnly cannot make it: start the"
                    + " stream of the controller first");
        }
        if (!MulticastGroup.valid(address)) {
            throw new DeviceException("The device streams to " + address.getHostAddress() + ":" + port
                    + " alone: the controller must be opened with StreamDestination=239.192.0.1, or another group,"
                    + " for AccessMode=ReadOnly to receive the stream too");
        }
        return new MulticastGroup(address, port);
    }
}
