package io.peregrine.virtualcamera;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The address of a device in the network, as its registers hold it.
 *
 * @param ip address
 * @param mask subnet mask
 * @param gateway default gateway, 0 for none
 */
record Location(int ip, int mask, int gateway) {
    private static final int FIRST_LINK_LOCAL = 0xA9FE0100;
    private static final int LINK_LOCAL_COUNT = 0xFE00;
    private static final int LINK_LOCAL_MASK = 0xFFFF0000;

    /**
     * The link-local address that follows from a MAC address (RFC 3927, 2.1, without probes for others that have it).
     */
    static Location linkLocal(int macLow) {
        return new Location(FIRST_LINK_LOCAL + Integer.remainderUnsigned(macLow, LINK_LOCAL_COUNT), LINK_LOCAL_MASK, 0);
    }

    /**
     * Whether a device can have it: a contiguous mask, and neither a multicast, the network's nor the broadcast
     * address.
     */
    boolean possible() {
        int host = ip & ~mask;
        boolean contiguous = (mask | (mask - 1)) == -1;
        boolean ends = mask != -1 && mask != -2 && (host == 0 || host == ~mask);
        return contiguous && !ends && ip != 0 && (ip >>> 28) < 0xE;
    }

    boolean contains(InetAddress address) {
        return ((bits(address) ^ ip) & mask) == 0;
    }

    InetAddress address() {
        return address(ip);
    }

    static int bits(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    static InetAddress address(int bits) {
        try {
            return InetAddress.getByAddress(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bits).array());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an IPv4 address", e);
        }
    }

    @Override
    public String toString() {
        return address().getHostAddress() + "/" + Integer.bitCount(mask);
    }
}
