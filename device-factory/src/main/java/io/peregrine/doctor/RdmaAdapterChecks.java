package io.peregrine.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The adapter of an RDMA port: what it speaks, its firmware, its PCIe link. Source: kernel documentation
 * ({@code ABI/stable/sysfs-class-infiniband}, {@code ABI/testing/sysfs-bus-pci}), release notes of NVIDIA's firmware.
 */
final class RdmaAdapterChecks {
    /** Of {@code node_type}: RDMA over TCP. */
    static final String IWARP = "4";

    private static final Pattern FIRMWARE = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.\\d{1,5}");
    private static final Pattern SPEED = Pattern.compile("(\\d{1,3}(?:\\.\\d)?) GT/s.*");
    private static final Pattern RATE = Pattern.compile("(\\d{1,4}(?:\\.\\d)?) Gb/sec.*");
    /** From here on 128 of 130 bits are data, before 8 of 10. */
    private static final double PCIE_3_GIGATRANSFERS = 8;

    /**
     * Adapters by the first number of their firmware, and the second number of the last firmware, or of a long-term
     * release of 2022 where there are later ones.
     */
    private static final Map<Integer, Family> FAMILIES = Map.of(
            2, new Family("ConnectX-3", 42),
            12, new Family("ConnectX-4", 28),
            14, new Family("ConnectX-4 Lx", 32),
            16, new Family("ConnectX-5", 35),
            20, new Family("ConnectX-6", 35),
            22, new Family("ConnectX-6 Dx", 35),
            26, new Family("ConnectX-6 Lx", 35),
            28, new Family("ConnectX-7", 35));

    /**
     * Adapters with the same firmware.
     *
     * @param name what they are sold as
     * @param release second number of a firmware that is new enough
     */
    private record Family(String name, int release) {}

    private final RdmaPort port;
    private final Path device;

    RdmaAdapterChecks(RdmaPort port) {
        this.port = port;
        device = port.deviceFolder().resolve("device");
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        findings.add(transport());
        if (!port.software()) {
            findings.add(firmware());
            findings.add(bus());
            findings.add(busAgainstPort());
        }
        return findings;
    }

    private Finding transport() {
        String subject = port.toString();
        Optional<String> type = HostFiles.text(port.deviceFolder().resolve("node_type"));
        if (type.isEmpty()) {
            return Finding.skip("RDMA transport", subject, port.deviceFolder() + " does not report it");
        }
        if (!type.get().startsWith(IWARP)) {
            return Finding.pass("RDMA transport", subject, "RoCE or InfiniBand (node type " + type.get() + ")");
        }
        return Finding.warn(
                "RDMA transport",
                subject,
                "iWARP, RDMA over TCP: cameras speak RoCEv2 only",
                "E810: devlink dev param set pci/ADDRESS name enable_roce value true cmode driverinit, and"
                        + " devlink dev reload; adapters with iWARP only: provider software, or another adapter");
    }

    private Finding firmware() {
        String subject = port.toString();
        Optional<String> version = HostFiles.text(port.deviceFolder().resolve("fw_ver"));
        Matcher numbers = FIRMWARE.matcher(version.orElse(""));
        Family family = numbers.matches() && isNvidia() ? FAMILIES.get(Integer.parseInt(numbers.group(1))) : null;
        if (family == null) {
            return Finding.skip(
                    "firmware", subject, version.orElse("version not reported") + ": not known what is new enough");
        }
        String evidence = family.name + ", " + version.get();
        return Integer.parseInt(numbers.group(2)) >= family.release
                ? Finding.pass("firmware", subject, evidence)
                : Finding.warn(
                        "firmware",
                        subject,
                        evidence + ": older than " + numbers.group(1) + "." + family.release,
                        "update it with mlxfwmanager of the maker's tools; cards of computer makers: with theirs");
    }

    private boolean isNvidia() {
        return HostFiles.text(device.resolve("vendor")).orElse("0x15b3").equals("0x15b3");
    }

    private Finding bus() {
        Optional<String> speed = HostFiles.text(device.resolve("current_link_speed"));
        Optional<String> fastest = HostFiles.text(device.resolve("max_link_speed"));
        OptionalLong width = HostFiles.number(device.resolve("current_link_width"));
        OptionalLong widest = HostFiles.number(device.resolve("max_link_width"));
        if (speed.isEmpty() || fastest.isEmpty() || width.isEmpty() || widest.isEmpty()) {
            return Finding.skip("PCIe link", port.toString(), "not reported");
        }
        String evidence = speed.get() + " x" + width.getAsLong();
        return speed.equals(fastest) && width.getAsLong() >= widest.getAsLong()
                ? Finding.pass("PCIe link", port.toString(), evidence)
                : Finding.warn(
                        "PCIe link",
                        port.toString(),
                        evidence + ", and the adapter can " + fastest.get() + " x" + widest.getAsLong(),
                        "put the adapter into a slot with more lanes if frames need it");
    }

    /** A link that is as fast as the adapter can may still be slower than its Ethernet port. */
    private Finding busAgainstPort() {
        Matcher speed = SPEED.matcher(
                HostFiles.text(device.resolve("current_link_speed")).orElse(""));
        OptionalLong width = HostFiles.number(device.resolve("current_link_width"));
        Matcher rate =
                RATE.matcher(HostFiles.text(port.folder().resolve("rate")).orElse(""));
        if (!speed.matches() || width.isEmpty() || !rate.matches()) {
            return Finding.skip("PCIe capacity", port.toString(), "speed of the slot or of the port is not reported");
        }
        double transfers = Double.parseDouble(speed.group(1));
        double coding = transfers >= PCIE_3_GIGATRANSFERS ? 128.0 / 130 : 0.8;
        double slot = transfers * coding * width.getAsLong();
        double ethernet = Double.parseDouble(rate.group(1));
        String evidence = String.format(Locale.ROOT, "slot %.1f Gbit/s, port %.0f Gbit/s", slot, ethernet);
        return slot >= ethernet
                ? Finding.pass("PCIe capacity", port.toString(), evidence)
                : Finding.warn(
                        "PCIe capacity",
                        port.toString(),
                        evidence,
                        "use a faster or wider slot, or limit the cameras to less than the slot takes");
    }
}
