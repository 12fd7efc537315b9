package io.peregrine.virtualcamera;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** Sends packets that fit the path to their destination, and counts those that do not. */
final class PathOutput {
    static final int UDP_HEADERS = 28;

    private static final int LOOPBACK_MTU = 65536;
    private static final int DEFAULT_MTU = 1500;

    private final InetAddress bindAddress;
    private final PacketOutput output;
    private final Counters counters;
    private int maxUdpPayload = Integer.MAX_VALUE;

    PathOutput(InetAddress bindAddress, PacketOutput output, Counters counters) {
        this.bindAddress = bindAddress;
        this.output = output;
        this.counters = counters;
    }

    /** Limits packets to the MTU towards a destination if they must not be fragmented. Used by the sending thread. */
    void limit(InetAddress destination, boolean doNotFragment) {
        maxUdpPayload = doNotFragment ? mtuTowards(destination) - UDP_HEADERS : Integer.MAX_VALUE;
    }

    /** Whether a packet can be sent; counts it if not. */
    boolean fits(int udpPayloadBytes) {
        if (udpPayloadBytes > maxUdpPayload) {
            counters.sendFailures.increment();
            return false;
        }
        return true;
    }

    void send(ByteBuffer packet, InetSocketAddress destination) {
        if (fits(packet.remaining())) {
            output.send(packet, destination);
        }
    }

    /** Sends a packet of the given size, headers included, with block id 0. Any thread. */
    void sendTestPacket(InetSocketAddress destination, int packetSizeBytes, boolean doNotFragment) {
        if (doNotFragment && packetSizeBytes > mtuTowards(destination.getAddress())) {
            counters.sendFailures.increment();
            return;
        }
        ByteBuffer test = ByteBuffer.allocate(packetSizeBytes - UDP_HEADERS);
        // The header, standard or extended, stays zero: block id 0 marks a test packet.
        for (int i = 20; i < test.capacity(); i++) {
            test.put(i, (byte) i);
        }
        output.send(test, destination);
    }

    private int mtuTowards(InetAddress destination) {
        try {
            NetworkInterface toItself = NetworkInterface.getByInetAddress(destination);
            if (toItself != null || destination.isLoopbackAddress()) {
                return LOOPBACK_MTU;
            }
            NetworkInterface out = NetworkInterface.getByInetAddress(bindAddress);
            return out == null ? DEFAULT_MTU : out.getMTU();
        } catch (SocketException e) {
            return DEFAULT_MTU;
        }
    }
}
