package io.peregrine.virtualcamera;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The headers of UDP packets of one stream: Ethernet II, IPv4 (RFC 791) without options and never fragmented, UDP (RFC
 * 768) without a checksum, as GigE Vision allows.
 *
 * <pre>
 *  0  6  destination MAC address         22  1  time to live
 *  6  6  source MAC address              23  1  protocol, 17
 * 12  2  EtherType, 0x0800               24  2  checksum of the IPv4 header
 * 14  1  version and header length       26  4  source address
 * 15  1  type of service                 30  4  destination address
 * 16  2  length of the IPv4 packet       34  2  source port
 * 18  2  identification                  36  2  destination port
 * 20  2  flags: do not fragment          38  2  length of the UDP packet
 *                                        40  2  checksum: none
 * </pre>
 */
final class UdpFrame {
    /** Bytes of the headers. */
    static final int BYTES = 42;

    private static final int IP = 14;
    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int IP_LENGTH = 16;
    private static final int IP_CHECKSUM = 24;
    private static final int UDP_LENGTH = 38;

    private final ByteBuffer headers = ByteBuffer.allocate(BYTES);
    /** Of the words of the IPv4 header, without length and checksum. */
    private final int sum;

    /**
     * Makes the headers.
     *
     * @param sourceMac 6 bytes
     * @param destinationMac 6 bytes
     * @param source IPv4 address and port
     * @param destination IPv4 address and port
     * @param timeToLive routers that packets may pass, and one more
     */
    UdpFrame(
            byte[] sourceMac,
            byte[] destinationMac,
            InetSocketAddress source,
            InetSocketAddress destination,
            int timeToLive) {
        headers.put(destinationMac).put(sourceMac).putShort((short) 0x0800);
        headers.putShort((short) 0x4500).putShort((short) 0).putShort((short) 0).putShort((short) 0x4000);
        headers.put((byte) timeToLive).put((byte) 17).putShort((short) 0);
        headers.put(source.getAddress().getAddress())
                .put(destination.getAddress().getAddress());
        headers.putShort((short) source.getPort()).putShort((short) destination.getPort());
        int words = 0;
        for (int at = IP; at < IP + IP_BYTES; at += 2) {
            words += Short.toUnsignedInt(headers.getShort(at));
        }
        sum = words;
    }

    /**
     * Writes the headers of a packet.
     *
     * @param target big-endian buffer
     * @param at index of the first byte
     * @param dataBytes bytes of data after the headers
     */
    void write(ByteBuffer target, int at, int dataBytes) {
        int length = IP_BYTES + UDP_BYTES + dataBytes;
        int words = sum + length;
        words = (words & 0xFFFF) + (words >>> 16);
        words = (words & 0xFFFF) + (words >>> 16);
        target.put(at, headers, 0, BYTES);
        target.putShort(at + IP_LENGTH, (short) length);
        target.putShort(at + IP_CHECKSUM, (short) ~words);
        target.putShort(at + UDP_LENGTH, (short) (UDP_BYTES + dataBytes));
    }
}
