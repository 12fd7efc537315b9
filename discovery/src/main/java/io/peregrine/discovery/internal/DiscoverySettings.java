package io.peregrine.discovery.internal;

import io.peregrine.gvcp.Gvcp;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Where to look for devices.
 *
 * @param interfaces names or IPv4 addresses of the network interfaces to search; empty for all that are up, except
 *     loopback
 * @param unicast devices to ask directly, in any subnet
 * @param broadcast search the interfaces by broadcast; if not, only the direct addresses are asked
 * @param port where devices listen that are found by broadcast
 */
public record DiscoverySettings(List<String> interfaces, List<InetSocketAddress> unicast, boolean broadcast, int port) {
    private static final DiscoverySettings DEFAULTS = new DiscoverySettings(List.of(), List.of(), true, Gvcp.PORT);

    /** Copies the lists and checks the port. */
    public DiscoverySettings {
        interfaces = List.copyOf(interfaces);
        unicast = List.copyOf(unicast);
        if (port < 1 || port > 0xFFFF) {
            throw new IllegalArgumentException("a port is in 1..65535, not " + port);
        }
    }

    /**
     * All interfaces that are up, except loopback, by broadcast to port 3956.
     *
     * @return the settings
     */
    public static DiscoverySettings defaults() {
        return DEFAULTS;
    }

    /**
     * The same with other interfaces.
     *
     * @param value names or IPv4 addresses; loopback is searched if it is among them
     * @return the settings
     */
    public DiscoverySettings withInterfaces(List<String> value) {
        return new DiscoverySettings(value, unicast, broadcast, port);
    }

    /**
     * The same with devices to ask directly.
     *
     * @param value addresses and ports
     * @return the settings
     */
    public DiscoverySettings withUnicast(List<InetSocketAddress> value) {
        return new DiscoverySettings(interfaces, value, broadcast, port);
    }

    /**
     * The same with one more device to ask directly, at the port of the settings.
     *
     * @param value its address
     * @return the settings
     */
    public DiscoverySettings withUnicast(InetAddress value) {
        List<InetSocketAddress> more = new ArrayList<>(unicast);
        more.add(new InetSocketAddress(value, port));
        return withUnicast(more);
    }

    /**
     * The same with broadcast on or off.
     *
     * @param value true to search by broadcast
     * @return the settings
     */
    public DiscoverySettings withBroadcast(boolean value) {
        return new DiscoverySettings(interfaces, unicast, value, port);
    }

    /**
     * The same with another port.
     *
     * @param value where devices listen that are found by broadcast
     * @return the settings
     */
    public DiscoverySettings withPort(int value) {
        return new DiscoverySettings(interfaces, unicast, broadcast, value);
    }
}
