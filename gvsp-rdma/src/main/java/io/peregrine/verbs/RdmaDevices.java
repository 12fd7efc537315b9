package io.peregrine.verbs;

import io.peregrine.rdma.RdmaUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The RDMA devices of this host, as the kernel shows them in {@code /sys/class/infiniband}. */
final class RdmaDevices {
    private static final Path SYSTEM = Path.of("/sys/class/infiniband");
    /** IPv4-mapped identifiers: 80 zero bits, 16 set bits, the address (RFC 4291, 2.5.5.2). */
    private static final String MAPPED_PREFIX = "0000:0000:0000:0000:0000:ffff:";

    private static final String ROCE_V2 = "RoCE v2";
    private static final String ACTIVE = "4: ACTIVE";

    private final Path root;

    RdmaDevices() {
        this(SYSTEM);
    }

    RdmaDevices(Path root) {
        this.root = root;
    }

    /**
     * One port of a device.
     *
     * @param device name of the device
     * @param number number of the port, from 1
     */
    record Port(String device, int number) {}

    /** Names of all devices, for people to read. */
    String names() {
        List<String> found = names(root);
        return found.isEmpty() ? "none" : String.join(", ", found);
    }

    /** The port that speaks RoCEv2 at an address. */
    Port at(Inet4Address address) {
        List<String> devices = names(root);
        if (devices.isEmpty()) {
            throw new RdmaUnavailableException("there is no RDMA device (" + root + " is empty or missing)");
        }
        String wanted = mapped(address);
        TreeSet<String> others = new TreeSet<>();
        TreeSet<String> otherTypes = new TreeSet<>();
        for (String device : devices) {
            for (String number : names(root.resolve(device).resolve("ports"))) {
                Path port = root.resolve(device).resolve("ports").resolve(number);
                for (String index : names(port.resolve("gids"))) {
                    String gid = text(port.resolve("gids").resolve(index));
                    if (!gid.startsWith(MAPPED_PREFIX)) {
                        continue;
                    }
                    String type = text(port.resolve("gid_attrs/types").resolve(index));
                    if (!gid.equals(wanted)) {
                        others.add(dotted(gid) + " (" + device + ")");
                    } else if (type.equals(ROCE_V2)) {
                        return active(port, new Port(device, Integer.parseInt(number)));
                    } else {
                        otherTypes.add(type + " of " + device);
                    }
                }
            }
        }
        for (String device : devices) {
            // Identifiers of iWARP are no addresses.
            if (isIwarp(device) && interfaces(device).contains(interfaceOf(address))) {
                throw new RdmaUnavailableException(iwarp(device));
            }
        }
        if (!otherTypes.isEmpty()) {
            throw new RdmaUnavailableException("the RDMA device of " + address.getHostAddress()
                    + " does not speak RoCE v2 there, only " + String.join(", ", otherTypes));
        }
        throw new RdmaUnavailableException("no RDMA device has the address " + address.getHostAddress() + "; there is "
                + (others.isEmpty()
                        ? String.join(
                                        ", ",
                                        devices.stream()
                                                .map(device -> isIwarp(device) ? device + " (iWARP)" : device)
                                                .toList())
                                + " without IPv4 address"
                        : String.join(", ", others)));
    }

    /** Whether a device speaks iWARP, RDMA over TCP: node type 4 (RNIC) of the kernel. */
    boolean isIwarp(String device) {
        return text(root.resolve(device).resolve("node_type")).startsWith("4:");
    }

    /** Why an iWARP device is of no use. */
    static String iwarp(String device) {
        return device + " is an iWARP adapter (RDMA over TCP), and cameras speak RoCEv2. Some, such as Intel E810, can"
                + " be switched to RoCEv2: see docs/rdma.md";
    }

    private Set<String> interfaces(String device) {
        TreeSet<String> found = new TreeSet<>();
        for (String number : names(root.resolve(device).resolve("ports"))) {
            Path entries = root.resolve(device).resolve("ports").resolve(number).resolve("gid_attrs/ndevs");
            names(entries).forEach(index -> found.add(text(entries.resolve(index))));
        }
        // Older kernels show the interface beside the adapter only.
        found.addAll(names(root.resolve(device).resolve("device/net")));
        return found;
    }

    private static String interfaceOf(Inet4Address address) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found == null ? "" : found.getName();
        } catch (SocketException e) {
            return "";
        }
    }

    private static Port active(Path path, Port port) {
        String state = text(path.resolve("state"));
        if (!state.equals(ACTIVE)) {
            throw new RdmaUnavailableException("port " + port.number() + " of " + port.device() + " is not active but '"
                    + state + "': is its network interface up?");
        }
        return port;
    }

    /** The counters that the driver keeps for a port, by name. */
    Map<String, Long> counters(Port port) {
        Path folder = root.resolve(port.device()).resolve("ports/" + port.number() + "/hw_counters");
        Map<String, Long> counters = new TreeMap<>();
        for (String name : names(folder)) {
            String value = text(folder.resolve(name));
            if (!name.equals("lifespan") && value.matches("\\d{1,20}")) {
                counters.put(name, Long.parseUnsignedLong(value));
            }
        }
        return counters;
    }

    private static String mapped(Inet4Address address) {
        byte[] octets = address.getAddress();
        return String.format(
                Locale.ROOT, "%s%02x%02x:%02x%02x", MAPPED_PREFIX, octets[0], octets[1], octets[2], octets[3]);
    }

    private static String dotted(String gid) {
        String hex = gid.substring(MAPPED_PREFIX.length()).replace(":", "");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i + 1 < hex.length(); i += 2) {
            text.append(i == 0 ? "" : ".").append(Integer.parseInt(hex.substring(i, i + 2), 16));
        }
        return text.toString();
    }

    private static List<String> names(Path folder) {
        List<String> names = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                entries.forEach(entry -> names.add(entry.getFileName().toString()));
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot list " + folder, e);
            }
        }
        names.sort(String::compareTo);
        return names;
    }

    /** Content of a file; the kernel refuses to tell the type of an empty entry. */
    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
