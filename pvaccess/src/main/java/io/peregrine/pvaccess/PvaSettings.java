package io.peregrine.pvaccess;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;

/**
 * What a {@link PvaPublisher} offers, and to whom.
 *
 * @param prefix what the names of its process variables begin with, for example {@code CAM} for {@code CAM:Pva1:Image}
 * @param address local address to listen on; loopback by default
 * @param port TCP port; 0 for any free one
 * @param searchPort UDP port of searches by name; 0 for any free one
 * @param components names of components to offer, for example {@code Intensity}; empty for all
 * @param maxClients most connections at a time; further ones are closed at once
 * @param memoryBytes most memory for sending, of all connections; each takes that of the largest frame
 */
public record PvaSettings(
        String prefix,
        InetAddress address,
        int port,
        int searchPort,
        List<String> components,
        int maxClients,
        long memoryBytes) {
    /** The usual TCP port of pvAccess. */
    public static final int DEFAULT_PORT = 5075;
    /** The usual UDP port of searches. */
    public static final int DEFAULT_SEARCH_PORT = 5076;

    private static final int DEFAULT_MAX_CLIENTS = 16;
    private static final int HEAP_PART = 4;
    private static final int MAX_PORT = 65535;

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if there is no prefix, a port is not possible, or nothing could be sent
     */
    public PvaSettings {
        Objects.requireNonNull(address, "address");
        if (prefix.isBlank() || prefix.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("'" + prefix + "' cannot begin the name of a process variable");
        }
        if (port < 0 || port > MAX_PORT || searchPort < 0 || searchPort > MAX_PORT) {
            throw new IllegalArgumentException("Ports are between 0 and " + MAX_PORT);
        }
        if (maxClients < 1 || memoryBytes < 1) {
            throw new IllegalArgumentException("At least one client, and memory for it, are needed");
        }
        components = List.copyOf(components);
    }

    /** All components, on the usual ports of loopback, for up to 16 clients and a quarter of the heap. */
    public static PvaSettings of(String prefix) {
        return new PvaSettings(
                prefix,
                InetAddress.getLoopbackAddress(),
                DEFAULT_PORT,
                DEFAULT_SEARCH_PORT,
                List.of(),
                DEFAULT_MAX_CLIENTS,
                Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /** Others may connect to this address. */
    public PvaSettings withAddress(InetAddress other) {
        return new PvaSettings(prefix, other, port, searchPort, components, maxClients, memoryBytes);
    }

    /** Custom ports. */
    public PvaSettings withPorts(int tcp, int search) {
        return new PvaSettings(prefix, address, tcp, search, components, maxClients, memoryBytes);
    }

    /** Only some components. */
    public PvaSettings withComponents(List<String> names) {
        return new PvaSettings(prefix, address, port, searchPort, names, maxClients, memoryBytes);
    }

    /** Custom limits. */
    public PvaSettings withLimits(int clients, long bytes) {
        return new PvaSettings(prefix, address, port, searchPort, components, clients, bytes);
    }
}
