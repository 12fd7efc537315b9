package io.peregrine.distribution;

import io.aeron.Subscription;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Addresses and ports of this host. */
final class LocalEndpoint {
    /** No packet is sent there. */
    private static final int ANY_PORT = 9;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private LocalEndpoint() {}

    /** Address of this host on the way to another. */
    static InetAddress towards(InetAddress other) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(other, ANY_PORT));
            return socket.getLocalAddress();
        } catch (SocketException | UncheckedIOException e) {
            throw new DistributionException("There is no way to " + other.getHostAddress() + ": check the network", e);
        }
    }

    /** Where a subscription that was given port 0 is bound. */
    static InetSocketAddress await(Subscription subscription) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < PATIENCE_NANOS && !subscription.isClosed()) {
            List<String> bound = subscription.localSocketAddresses();
            if (!bound.isEmpty()) {
                String text = bound.get(0);
                int colon = text.lastIndexOf(':');
                return InetSocketAddress.createUnresolved(
                        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
        throw new DistributionException("The media driver does not open " + subscription.channel()
                + ": check that a UDP port is free, and Aeron's ErrorStat");
    }

    /** Channel of a subscription that was given port 0, with the port where it is bound. */
    static String resolved(Subscription subscription) {
        InetSocketAddress bound = await(subscription);
        return "aeron:udp?endpoint=" + bound.getHostString() + ":" + bound.getPort();
    }

    /** The address of a source as Aeron names it, such as 10.0.0.7:40123; empty text for shared memory. */
    static String addressOf(String source) {
        int colon = source.lastIndexOf(':');
        return colon < 0 || source.startsWith("aeron") ? "" : source.substring(source.indexOf('/') + 1, colon);
    }
}
