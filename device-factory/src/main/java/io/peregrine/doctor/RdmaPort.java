package io.peregrine.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A port of an RDMA device, as {@code /sys/class/infiniband} shows it. Source: kernel behaviour,
 * {@code Documentation/ABI/stable/sysfs-class-infiniband}.
 *
 * @param device name of the device
 * @param number number of the port, from 1
 * @param software whether the kernel plays the adapter (rxe, siw)
 * @param folder folder of the port
 * @param gids its identifiers
 */
record RdmaPort(String device, String number, boolean software, Path folder, List<Gid> gids) {

    /**
     * An entry of the table of identifiers.
     *
     * @param index place in the table
     * @param value eight groups of four hexadecimal digits
     * @param type {@code RoCE v2}, {@code IB/RoCE v1}
     * @param networkInterface name of the network interface, empty when not reported
     */
    record Gid(String index, String value, String type, String networkInterface) {}

    /** IPv4-mapped identifiers: 80 zero bits, 16 set bits, the address (RFC 4291, 2.5.5.2). */
    private static final String MAPPED_PREFIX = "0000:0000:0000:0000:0000:ffff:";

    private static final String NONE = "0000:0000:0000:0000:0000:0000:0000:0000";

    /** Every port of every device. */
    static List<RdmaPort> all(HostFiles host) {
        Path root = host.sys().resolve("class/infiniband");
        List<RdmaPort> ports = new ArrayList<>();
        for (String device : HostFiles.names(root)) {
            Path folder = root.resolve(device);
            boolean software = Files.exists(folder.resolve("parent")) || device.matches("(rxe|siw).*");
            for (String number : HostFiles.names(folder.resolve("ports"))) {
                Path port = folder.resolve("ports").resolve(number);
                ports.add(new RdmaPort(device, number, software, port, gids(port)));
            }
        }
        return List.copyOf(ports);
    }

    private static List<Gid> gids(Path port) {
        List<Gid> gids = new ArrayList<>();
        for (String index : HostFiles.names(port.resolve("gids"))) {
            Optional<String> value = HostFiles.text(port.resolve("gids").resolve(index));
            if (value.isPresent() && !value.get().equals(NONE)) {
                gids.add(new Gid(index, value.get(), attribute(port, "types", index), attribute(port, "ndevs", index)));
            }
        }
        return List.copyOf(gids);
    }

    private static String attribute(Path port, String kind, String index) {
        return HostFiles.text(port.resolve("gid_attrs").resolve(kind).resolve(index))
                .orElse("");
    }

    /** Folder of the device. */
    Path deviceFolder() {
        return folder.resolve("../..").normalize();
    }

    /** State, for example {@code 4: ACTIVE}; empty when not reported. */
    String state() {
        return HostFiles.text(folder.resolve("state")).orElse("");
    }

    boolean active() {
        return state().endsWith("ACTIVE");
    }

    /** {@code Ethernet} or {@code InfiniBand}; empty when not reported. */
    String linkLayer() {
        return HostFiles.text(folder.resolve("link_layer")).orElse("");
    }

    /** The network interfaces that the port has identifiers of. */
    TreeSet<String> networkInterfaces() {
        TreeSet<String> names = new TreeSet<>();
        for (Gid gid : gids) {
            if (!gid.networkInterface().isEmpty()) {
                names.add(gid.networkInterface());
            }
        }
        return names;
    }

    /** Whether the port is that of the interface of an address. */
    boolean serves(LocalAddress address) {
        return networkInterfaces().contains(address.networkInterface())
                || !gidsOf(address.address().getAddress()).isEmpty();
    }

    /** The identifiers of an IPv4 address. */
    List<Gid> gidsOf(byte[] address) {
        String wanted = MAPPED_PREFIX
                + String.format(Locale.ROOT, "%02x%02x:%02x%02x", address[0], address[1], address[2], address[3]);
        return gids.stream().filter(gid -> gid.value().equals(wanted)).toList();
    }

    @Override
    public String toString() {
        return device + " port " + number;
    }
}
