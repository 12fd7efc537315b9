package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * MAC addresses that packets are sent to, from what the kernel of Linux knows ({@code /proc/net/route},
 * {@code /proc/net/arp}). It asks a host for its MAC address when a socket sends to it.
 */
final class Neighbours {
    private static final int ROUTE_UP = 1;
    private static final int ROUTE_GATEWAY = 2;
    private static final int ROUTE_REJECT = 0x200;
    private static final int NEIGHBOUR_COMPLETE = 2;

    private final Path folder;
    private final String interfaceName;

    /**
     * Answers for an interface.
     *
     * @param folder {@code /proc/net}, or one like it
     * @param interfaceName interface that packets leave by
     */
    Neighbours(Path folder, String interfaceName) {
        this.folder = folder;
        this.interfaceName = interfaceName;
    }

    /**
     * A MAC address, or the reason why there is none.
     *
     * @param mac 6 bytes, empty if unknown
     * @param problem why it is unknown
     */
    record Answer(Optional<byte[]> mac, String problem) {
        private static Answer of(byte[] mac) {
            return new Answer(Optional.of(mac), "");
        }

        private static Answer none(String problem) {
            return new Answer(Optional.empty(), problem);
        }
    }

    /** The MAC address that packets to a host or group have. */
    Answer find(InetAddress destination) {
        byte[] address = destination.getAddress();
        if (destination.isMulticastAddress()) {
            // RFC 1112, 6.4: 01-00-5E and the lowest 23 bits of the group.
            return Answer.of(new byte[] {1, 0, 0x5E, (byte) (address[1] & 0x7F), address[2], address[3]});
        }
        try {
            Optional<Route> route = route(ByteBuffer.wrap(address).getInt());
            if (route.isEmpty() || route.get().reject) {
                return Answer.none("there is no route to " + destination.getHostAddress());
            }
            if (!route.get().device.equals(interfaceName)) {
                return Answer.none("the route to " + destination.getHostAddress() + " leads over " + route.get().device
                        + ", not " + interfaceName);
            }
            int gateway = route.get().gateway;
            return neighbour(gateway == 0 ? destination : Location.address(gateway));
        } catch (IOException | RuntimeException e) {
            return Answer.none("the neighbours of this host are unknown: " + e.getMessage());
        }
    }

    private record Route(String device, int gateway, int mask, int metric, boolean reject) {
        private boolean betterThan(Optional<Route> other) {
            return other.isEmpty()
                    || Integer.compareUnsigned(mask, other.get().mask) > 0
                    || (mask == other.get().mask && metric < other.get().metric);
        }
    }

    /**
     * Iface, Destination, Gateway, Flags, RefCnt, Use, Metric, Mask; addresses in hexadecimal as the host stores them.
     */
    private Optional<Route> route(int address) throws IOException {
        Optional<Route> best = Optional.empty();
        for (String[] fields : table("route")) {
            int flags = Integer.parseInt(fields[3], 16);
            int mask = number(fields[7]);
            Route route = new Route(
                    fields[0],
                    (flags & ROUTE_GATEWAY) == 0 ? 0 : number(fields[2]),
                    mask,
                    Integer.parseInt(fields[6]),
                    (flags & ROUTE_REJECT) != 0);
            if ((flags & ROUTE_UP) != 0 && (address & mask) == number(fields[1]) && route.betterThan(best)) {
                best = Optional.of(route);
            }
        }
        return best;
    }

    /** IP address, HW type, Flags, HW address, Mask, Device. */
    private Answer neighbour(InetAddress next) throws IOException {
        for (String[] fields : table("arp")) {
            if (fields[0].equals(next.getHostAddress())
                    && fields[5].equals(interfaceName)
                    && (Integer.decode(fields[2]) & NEIGHBOUR_COMPLETE) != 0) {
                byte[] mac = new byte[6];
                ByteBuffer.allocate(8)
                        .putLong(0, Long.parseLong(fields[3].replace(":", ""), 16))
                        .get(2, mac);
                return Answer.of(mac);
            }
        }
        return Answer.none("the MAC address of " + next.getHostAddress() + " is not known yet");
    }

    private List<String[]> table(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name)).stream()
                .skip(1)
                .map(line -> line.trim().split("\\s+"))
                .toList();
    }

    private static int number(String hexadecimal) {
        int value = Integer.parseUnsignedInt(hexadecimal, 16);
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }
}
