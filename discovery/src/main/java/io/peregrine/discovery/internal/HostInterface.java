package io.peregrine.discovery.internal;

import io.peregrine.discovery.AddressConfiguration;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An IPv4 address of a network interface of this host.
 *
 * @param name name of the interface
 * @param address the address
 * @param prefixLength bits of the address that name the subnet
 * @param loopback the interface connects this host to itself only
 */
record HostInterface(String name, InetAddress address, int prefixLength, boolean loopback) {
    private static final int LAST_PREFIX_WITH_BROADCAST = 30;

    /** Every IPv4 address of every interface that is up. */
    static List<HostInterface> all() {
        List<HostInterface> found = new ArrayList<>();
        try {
            for (NetworkInterface candidate : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (!candidate.isUp()) {
                    continue;
                }
                for (InterfaceAddress entry : candidate.getInterfaceAddresses()) {
                    if (entry.getAddress() instanceof Inet4Address) {
                        found.add(new HostInterface(
                                candidate.getName(),
                                entry.getAddress(),
                                entry.getNetworkPrefixLength(),
                                candidate.isLoopback()));
                    }
                }
            }
        } catch (SocketException e) {
            throw new DiscoveryException("the network interfaces of this host cannot be listed", e);
        }
        return found;
    }

    /** Those asked for by name or address; if none is, all but loopback. */
    static List<HostInterface> select(List<HostInterface> present, List<String> wanted) {
        if (wanted.isEmpty()) {
            return present.stream().filter(i -> !i.loopback).collect(Collectors.toList());
        }
        List<HostInterface> selected = new ArrayList<>();
        for (String text : wanted) {
            List<HostInterface> matching = present.stream()
                    .filter(i ->
                            i.name.equals(text) || i.address.getHostAddress().equals(text))
                    .collect(Collectors.toList());
            if (matching.isEmpty()) {
                throw new DiscoveryException("no network interface \"" + text + "\" with an IPv4 address; there are "
                        + present.stream()
                                .map(i -> i.name + " (" + i.address.getHostAddress() + ")")
                                .collect(Collectors.joining(", ")));
            }
            matching.stream().filter(i -> !selected.contains(i)).forEach(selected::add);
        }
        return selected;
    }

    /** The subnet mask as a register holds it. */
    int mask() {
        return prefixLength == 0 ? 0 : -1 << (Integer.SIZE - prefixLength);
    }

    /** Whether an address belongs to the subnet. */
    boolean contains(InetAddress other) {
        return (AddressConfiguration.bits(address) & mask()) == (AddressConfiguration.bits(other) & mask());
    }

    /** The address that reaches all of the subnet. */
    Optional<InetAddress> directedBroadcast() {
        if (prefixLength > LAST_PREFIX_WITH_BROADCAST) {
            return Optional.empty();
        }
        int broadcast = AddressConfiguration.bits(address) | ~mask();
        return Optional.of(AddressConfiguration.ofBits(broadcast));
    }

    /** This host's address on the route to another. */
    static Optional<InetAddress> routeTo(InetSocketAddress target) {
        try (DatagramChannel probe = DatagramChannel.open(StandardProtocolFamily.INET)) {
            probe.connect(target);
            return Optional.of(((InetSocketAddress) probe.getLocalAddress()).getAddress());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
