package io.peregrine.traffic;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A UDP datagram over IPv4 as it was captured.
 *
 * @param source IPv4 address of the sender
 * @param sourcePort its port
 * @param destination IPv4 address of the receiver
 * @param destinationPort its port
 * @param data what was captured of the payload, from index 0 to the limit; big-endian
 * @param lengthBytes bytes that the payload had
 */
record Datagram(int source, int sourcePort, int destination, int destinationPort, ByteBuffer data, int lengthBytes) {
    private static final int LINK_NULL = 0;
    private static final int LINK_ETHERNET = 1;
    private static final int LINK_RAW_OPENBSD = 12;
    private static final int LINK_RAW = 101;
    private static final int LINK_LOOP = 108;
    private static final int LINK_LINUX_COOKED = 113;
    private static final int LINK_IPV4 = 228;
    private static final int LINK_LINUX_COOKED_2 = 276;

    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int MAX_TAGS = 4;
    private static final int IP_LEAST_BYTES = 20;
    private static final int UDP_HEADER_BYTES = 8;
    private static final int PROTOCOL_UDP = 17;

    /** Where the IP header of a packet begins; negative if it has none, or not of version 4. */
    static int ipOffset(int linkType, ByteBuffer packet) {
        return switch (linkType) {
            case LINK_ETHERNET -> afterTags(packet, 12);
            case LINK_RAW, LINK_RAW_OPENBSD, LINK_IPV4 -> 0;
            case LINK_NULL, LINK_LOOP -> 4;
            case LINK_LINUX_COOKED -> afterTags(packet, 14);
            case LINK_LINUX_COOKED_2 ->
                packet.limit() >= 20 && Short.toUnsignedInt(packet.getShort(0)) == ETHERTYPE_IPV4 ? 20 : -1;
            default -> -1;
        };
    }

    /** Tags of virtual networks stand between the addresses and the type of what follows. */
    private static int afterTags(ByteBuffer packet, int typeOffset) {
        int at = typeOffset;
        for (int tags = 0; tags <= MAX_TAGS && at + 2 <= packet.limit(); tags++) {
            switch (Short.toUnsignedInt(packet.getShort(at))) {
                case ETHERTYPE_IPV4 -> {
                    return at + 2;
                }
                case 0x8100, 0x88A8, 0x9100 -> at += 4;
                default -> {
                    return -1;
                }
            }
        }
        return -1;
    }

    /** Whether the packet begins with the MAC addresses of receiver and sender. */
    static boolean hasMacAddresses(int linkType, ByteBuffer packet) {
        return linkType == LINK_ETHERNET && packet.limit() >= 12;
    }

    /**
     * Takes a packet apart.
     *
     * @param packet what was captured
     * @param ip where the IP header begins
     * @return empty if it is no whole UDP datagram over IPv4
     */
    static Optional<Datagram> parse(ByteBuffer packet, int ip) {
        int captured = packet.limit() - ip;
        if (ip < 0 || captured < IP_LEAST_BYTES || (packet.get(ip) >> 4 & 0xF) != 4) {
            return Optional.empty();
        }
        int headerBytes = (packet.get(ip) & 0xF) * 4;
        int total = Short.toUnsignedInt(packet.getShort(ip + 2));
        boolean fragment = (packet.getShort(ip + 6) & 0x3FFF) != 0;
        if (headerBytes < IP_LEAST_BYTES
                || fragment
                || packet.get(ip + 9) != PROTOCOL_UDP
                || total < headerBytes + UDP_HEADER_BYTES
                || captured < headerBytes + UDP_HEADER_BYTES) {
            return Optional.empty();
        }
        int udp = ip + headerBytes;
        int udpBytes = Short.toUnsignedInt(packet.getShort(udp + 4));
        if (udpBytes < UDP_HEADER_BYTES || udpBytes > total - headerBytes) {
            return Optional.empty();
        }
        int dataBytes = Math.min(udpBytes, captured - headerBytes) - UDP_HEADER_BYTES;
        return Optional.of(new Datagram(
                packet.getInt(ip + 12),
                Short.toUnsignedInt(packet.getShort(udp)),
                packet.getInt(ip + 16),
                Short.toUnsignedInt(packet.getShort(udp + 2)),
                packet.slice(udp + UDP_HEADER_BYTES, dataBytes),
                udpBytes - UDP_HEADER_BYTES));
    }
}
