package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/**
 * DISCOVERY_CMD: who is there?
 *
 * @param requestId id of the request
 * @param broadcastAcknowledge the device may answer by broadcast, needed if it sits on a foreign subnet
 */
public record DiscoveryCommand(int requestId, boolean broadcastAcknowledge) implements GvcpCommand {
    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static DiscoveryCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.DISCOVERY);
        header.payload(datagram);
        return new DiscoveryCommand(header.requestId(), header.has(Gvcp.FLAG_BROADCAST_ACKNOWLEDGE));
    }

    @Override
    public byte[] encode() {
        int flags = Gvcp.FLAG_ACKNOWLEDGE | (broadcastAcknowledge ? Gvcp.FLAG_BROADCAST_ACKNOWLEDGE : 0);
        return Wire.bytes(Wire.command(flags, Gvcp.DISCOVERY, 0, requestId));
    }
}
