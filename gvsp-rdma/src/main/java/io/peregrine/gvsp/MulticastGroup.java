package io.peregrine.gvsp;

import io.peregrine.stream.StreamException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Objects;

/**
 * Where a device sends a stream that several hosts receive.
 *
 * @param address IPv4 address of the group: 224.0.0.0/4 without 224.0.0.0/24, which routers never pass on and which is
 *     kept for protocols of the network itself (RFC 5771)
 * @param port UDP port of the stream; 0 takes a free one of this host, which is written into the device
 * @param anySource whether the host joins the group for all who send to it (IGMPv2 and older networks) instead of the
 *     device alone; packets of others are thrown away either way, but only those that the system lets through are
 *     counted
 */
public record MulticastGroup(Inet4Address address, int port, boolean anySource) {
    private static final int MULTICAST_MASK = 0xF0;
    private static final int MULTICAST = 0xE0;

    /** Checks the values. */
    public MulticastGroup {
        Objects.requireNonNull(address, "address");
        if (!valid(address)) {
            throw new StreamException(address.getHostAddress()
                    + " is no group for a stream: give 224.0.1.0 to 239.255.255.255, such as 239.192.0.1");
        }
        if (port < 0 || port > 65535) {
            throw new StreamException("Port " + port + " is not possible: give 1 to 65535, or 0 for a free one");
        }
    }

    /** A group that is joined for the device alone where the system can. */
    public MulticastGroup(Inet4Address address, int port) {
        this(address, port, false);
    }

    /** Whether an address is that of a group which a stream can be sent to. */
    public static boolean valid(Inet4Address address) {
        byte[] bytes = address.getAddress();
        boolean local = bytes[0] == (byte) MULTICAST && bytes[1] == 0 && bytes[2] == 0;
        return (bytes[0] & MULTICAST_MASK) == MULTICAST && !local;
    }

    /** The same group for all who send to it. */
    public MulticastGroup fromAnySource() {
        return new MulticastGroup(address, port, true);
    }

    /** The interface that has an address. */
    static NetworkInterface interfaceOf(InetAddress local) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(local);
            // All of 127.0.0.0/8 belongs to it, but it has one address.
            if (found == null && local.isLoopbackAddress()) {
                found = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            }
            if (found != null) {
                return found;
            }
        } catch (SocketException e) {
            throw new StreamException("Cannot find the interface of " + local.getHostAddress(), e);
        }
        throw new StreamException("No interface of this host has the address " + local.getHostAddress());
    }

    @Override
    public String toString() {
        return address.getHostAddress() + ":" + port;
    }
}
