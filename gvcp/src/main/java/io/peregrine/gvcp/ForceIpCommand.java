package io.peregrine.gvcp;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * FORCEIP_CMD: gives a device, named by its MAC address, an IP address until it restarts.
 *
 * @param requestId id of the request
 * @param acknowledge the device is to answer
 * @param broadcastAcknowledge the device may answer by broadcast
 * @param mac which device
 * @param address its new IPv4 address; 0.0.0.0 lets it start its own configuration again
 * @param subnetMask its new subnet mask
 * @param gateway its new default gateway
 */
public record ForceIpCommand(
        int requestId,
        boolean acknowledge,
        boolean broadcastAcknowledge,
        MacAddress mac,
        InetAddress address,
        InetAddress subnetMask,
        InetAddress gateway)
        implements GvcpCommand {
    private static final int LENGTH_BYTES = 56;
    private static final int MAC_OFFSET = 2;
    private static final int ADDRESS_OFFSET = 20;
    private static final int MASK_OFFSET = 36;
    private static final int GATEWAY_OFFSET = 52;

    /** Checks the addresses. */
    public ForceIpCommand {
        Wire.requireIpv4(address);
        Wire.requireIpv4(subnetMask);
        Wire.requireIpv4(gateway);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static ForceIpCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.FORCE_IP);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireLength(Gvcp.FORCE_IP, payload, LENGTH_BYTES);
        return new ForceIpCommand(
                header.requestId(),
                header.has(Gvcp.FLAG_ACKNOWLEDGE),
                header.has(Gvcp.FLAG_BROADCAST_ACKNOWLEDGE),
                Wire.mac(payload, MAC_OFFSET),
                Wire.address(payload, ADDRESS_OFFSET),
                Wire.address(payload, MASK_OFFSET),
                Wire.address(payload, GATEWAY_OFFSET));
    }

    @Override
    public byte[] encode() {
        int flags = (acknowledge ? Gvcp.FLAG_ACKNOWLEDGE : 0)
                | (broadcastAcknowledge ? Gvcp.FLAG_BROADCAST_ACKNOWLEDGE : 0);
        ByteBuffer packet = Wire.command(flags, Gvcp.FORCE_IP, LENGTH_BYTES, requestId);
        ByteBuffer payload = packet.slice();
        Wire.putMac(payload, MAC_OFFSET, mac);
        Wire.putAddress(payload, ADDRESS_OFFSET, address);
        Wire.putAddress(payload, MASK_OFFSET, subnetMask);
        Wire.putAddress(payload, GATEWAY_OFFSET, gateway);
        return Wire.bytes(packet);
    }
}
