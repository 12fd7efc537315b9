package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/**
 * View of an Ethernet packet with IPv4 and UDP, without VLAN tag, IP options or fragments, which is what a flow rule
 * lets through. Every method takes the big-endian buffer and the index of the packet's first byte.
 *
 * <pre>
 *  0  6  destination MAC address         14  1  version and header length, 0x45
 *  6  6  source MAC address              16  2  length of the IP packet
 * 12  2  EtherType, 0x0800               20  2  flags and fragment offset
 * 34  2  source port                     23  1  protocol, 17
 * 36  2  destination port                26  4  source address
 * 38  2  length with the UDP header      30  4  destination address
 * 42  .. data
 * </pre>
 */
final class RawUdp {
    /** Bytes of the headers. */
    static final int HEADER_BYTES = 42;

    private static final int ETHERNET_BYTES = 14;
    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int IPV4_WITHOUT_OPTIONS = 0x08004500;
    private static final int TYPE_AND_VERSION_MASK = 0xFFFFFF00;
    private static final int FRAGMENT_MASK = 0x3FFF;
    private static final int PROTOCOL_UDP = 17;

    private RawUdp() {}

    /**
     * Bytes of data in a packet; -1 if it is not one of UDP that agrees with itself. Ethernet pads short packets.
     *
     * @param receivedBytes bytes of the packet with padding
     */
    static int dataBytes(ByteBuffer packet, int offset, int receivedBytes) {
        if (receivedBytes < HEADER_BYTES
                || (packet.getInt(offset + 12) & TYPE_AND_VERSION_MASK) != IPV4_WITHOUT_OPTIONS
                || (packet.getShort(offset + 20) & FRAGMENT_MASK) != 0
                || packet.get(offset + 23) != PROTOCOL_UDP) {
            return -1;
        }
        int ipBytes = Short.toUnsignedInt(packet.getShort(offset + 16));
        int udpBytes = Short.toUnsignedInt(packet.getShort(offset + 38));
        boolean agrees =
                udpBytes >= UDP_BYTES && ipBytes == IP_BYTES + udpBytes && ipBytes <= receivedBytes - ETHERNET_BYTES;
        return agrees ? udpBytes - UDP_BYTES : -1;
    }

    /** IPv4 address that a packet came from. */
    static int sourceAddress(ByteBuffer packet, int offset) {
        return packet.getInt(offset + 26);
    }

    /** UDP port that a packet came from. */
    static int sourcePort(ByteBuffer packet, int offset) {
        return Short.toUnsignedInt(packet.getShort(offset + 34));
    }
}
