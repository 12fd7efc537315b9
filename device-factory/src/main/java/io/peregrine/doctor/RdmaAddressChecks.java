package io.peregrine.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What RDMA needs of one address of the host. */
public final class RdmaAddressChecks {
    /** What the kernel leaves for headers in a packet of the connection manager's path MTU (kernel behaviour). */
    private static final int HEADER_ALLOWANCE_BYTES = 96;

    private static final int MAX_PATH_MTU_BYTES = 4096;
    private static final int SMALLEST_PATH_MTU_BYTES = 256;
    private static final Pattern PFC_ON = Pattern.compile("\\b(\\d):on\\b");
    private static final Pattern PFC_LINE = Pattern.compile("prio-pfc[^\\n]*");

    private final HostFiles host;
    private final List<RdmaPort> ports;
    private final LocalAddress target;
    private final List<ProviderProbe.Attempt> attempts;
    private final ExternalTool tool;

    RdmaAddressChecks(
            HostFiles host,
            List<RdmaPort> ports,
            LocalAddress target,
            List<ProviderProbe.Attempt> attempts,
            ExternalTool tool) {
        this.host = host;
        this.ports = ports;
        this.target = target;
        this.attempts = attempts;
        this.tool = tool;
    }

    List<Finding> all() {
        return List.of(identifier(), mtu(), flowControl(), software(), offload(), provider());
    }

    private Optional<ProviderProbe.Attempt> attempt(String provider) {
        return attempts.stream()
                .filter(attempt -> attempt.provider().equals(provider))
                .findFirst();
    }

    private boolean works(String provider) {
        return attempt(provider).filter(ProviderProbe.Attempt::works).isPresent();
    }

    private List<RdmaPort> portsHere() {
        return ports.stream().filter(port -> port.serves(target)).toList();
    }

    private Finding identifier() {
        if (ports.isEmpty()) {
            return Finding.skip("RoCE v2 GID", target.toString(), "there is no RDMA device");
        }
        TreeSet<String> others = new TreeSet<>();
        for (RdmaPort port : ports) {
            for (RdmaPort.Gid gid : port.gidsOf(target.address().getAddress())) {
                if (gid.type().equals("RoCE v2")) {
                    return Finding.pass(
                            "RoCE v2 GID",
                            target.toString(),
                            "index " + gid.index() + " of " + port + ", " + gid.type());
                }
                others.add((gid.type().isEmpty() ? "unknown type" : gid.type()) + " at index " + gid.index() + " of "
                        + port);
            }
        }
        if (!others.isEmpty()) {
            return Finding.fail(
                    "RoCE v2 GID",
                    target.toString(),
                    "the address is there, but only as " + String.join(", ", others),
                    "set the adapter or its driver to RoCEv2, see docs/rdma.md");
        }
        if (portsHere().isEmpty()) {
            return Finding.warn(
                    "RoCE v2 GID",
                    target.toString(),
                    "no RDMA device belongs to this interface; there is "
                            + String.join(
                                    ", ",
                                    ports.stream().map(RdmaAddressChecks::place).toList()),
                    "give --interface, and RdmaInterface, the address of the adapter's interface");
        }
        return Finding.fail(
                "RoCE v2 GID",
                target.toString(),
                "the table of " + portsHere().get(0) + " does not have the address",
                "take the interface down and up (ip link set dev " + target.networkInterface()
                        + " down, up); in a container use the network of the host");
    }

    private static String place(RdmaPort port) {
        return port.device() + " ("
                + (port.networkInterfaces().isEmpty()
                        ? "no network interface"
                        : String.join(", ", port.networkInterfaces()))
                + ")";
    }

    private Finding mtu() {
        OptionalLong mtu = HostFiles.number(networkFolder().resolve("mtu"));
        if (mtu.isEmpty()) {
            return Finding.skip("MTU", target.toString(), networkFolder().resolve("mtu") + " cannot be read");
        }
        int path = pathMtuBytes(mtu.getAsLong());
        int active = attempts.stream()
                .filter(ProviderProbe.Attempt::works)
                .mapToInt(ProviderProbe.Attempt::activeMtuBytes)
                .findFirst()
                .orElse(path);
        String evidence = "MTU " + mtu.getAsLong() + " allows RoCE packets of " + path
                + (active == path ? "" : ", the port is set to " + active);
        String fix = "ip link set dev " + target.networkInterface()
                + " mtu 9000, on the camera and every switch between as well";
        if (path < SMALLEST_PATH_MTU_BYTES) {
            return Finding.fail("MTU", target.toString(), evidence, fix);
        }
        if (path < MAX_PATH_MTU_BYTES) {
            return Finding.warn("MTU", target.toString(), evidence + "; 4096 cost less per byte", fix);
        }
        return active < path
                ? Finding.warn(
                        "MTU",
                        target.toString(),
                        evidence,
                        "take the interface down and up (ip link set dev " + target.networkInterface() + " down, up)")
                : Finding.pass("MTU", target.toString(), evidence);
    }

    /** The largest path MTU that the kernel's connection manager uses on an interface; 0 when none fits. */
    public static int pathMtuBytes(long interfaceMtuBytes) {
        for (int bytes = MAX_PATH_MTU_BYTES; bytes >= SMALLEST_PATH_MTU_BYTES; bytes /= 2) {
            if (bytes <= interfaceMtuBytes - HEADER_ALLOWANCE_BYTES) {
                return bytes;
            }
        }
        return 0;
    }

    private Path networkFolder() {
        return host.sys().resolve("class/net").resolve(target.networkInterface());
    }

    private Finding flowControl() {
        String network = target.networkInterface();
        if (!Files.exists(networkFolder().resolve("device"))) {
            return Finding.skip("pause, PFC", target.toString(), network + " is no hardware");
        }
        Optional<String> priorities =
                tool.output("dcb", "pfc", "show", "dev", network).map(text -> priorities(text));
        if (priorities.filter(list -> !list.isEmpty()).isPresent()) {
            return Finding.pass("pause, PFC", target.toString(), "PFC on for priority " + priorities.get());
        }
        Optional<String> pause = tool.output("ethtool", "-a", network);
        if (pause.filter(text -> on(text, "RX") && on(text, "TX")).isPresent()) {
            return Finding.pass("pause, PFC", target.toString(), "global pause on");
        }
        if (pause.isEmpty() && priorities.isEmpty()) {
            return Finding.skip("pause, PFC", target.toString(), "neither 'ethtool -a' nor 'dcb pfc' told anything");
        }
        return Finding.warn(
                "pause, PFC",
                target.toString(),
                "off" + (pause.isEmpty() ? " (PFC; pause is not known without ethtool)" : ""),
                "one cable: ethtool -A " + network + " rx on tx on; switches: PFC for the class of RoCE; not needed"
                        + " where nothing is lost");
    }

    private static String priorities(String text) {
        Matcher line = PFC_LINE.matcher(text);
        List<String> on = new ArrayList<>();
        if (line.find()) {
            Matcher priority = PFC_ON.matcher(line.group());
            while (priority.find()) {
                on.add(priority.group(1));
            }
        }
        return String.join(", ", on);
    }

    private static boolean on(String text, String direction) {
        return Pattern.compile("(?m)^" + direction + ":\\s+on\\b").matcher(text).find();
    }

    /** Checksums cover the IP identification, which only an option that Java 17 lacks makes predictable. */
    private Finding software() {
        Optional<ProviderProbe.Attempt> software = attempt("software");
        if (software.isEmpty()) {
            return Finding.skip("software RoCE", target.toString(), "the provider software could not be asked");
        }
        if (software.get().works()) {
            return Finding.pass(
                    "software RoCE", target.toString(), "can send without fragmenting and with identification 0");
        }
        String refusal = software.get().refusal();
        if (works("verbs") || refusal.contains("4791")) {
            return Finding.skip("software RoCE", target.toString(), refusal);
        }
        return Finding.warn("software RoCE", target.toString(), refusal, "see docs/rdma.md, 'When it does not work'");
    }

    private Finding offload() {
        Optional<RdmaPort> adapter =
                portsHere().stream().filter(port -> !port.software()).findFirst();
        if (adapter.isEmpty()) {
            return Finding.pass("port offload", target.toString(), "no adapter takes packets to port 4791 by itself");
        }
        return works("verbs")
                ? Finding.pass("port offload", target.toString(), "the provider verbs has " + adapter.get())
                : Finding.warn(
                        "port offload",
                        target.toString(),
                        adapter.get() + " may take packets to port 4791 by itself, so that the provider software gets"
                                + " none",
                        "make the provider verbs work on this interface, or use one without RDMA adapter");
    }

    private Finding provider() {
        for (ProviderProbe.Attempt attempt : attempts) {
            if (!attempt.works()) {
                continue;
            }
            if (attempt.provider().equals("verbs") || portsHere().isEmpty()) {
                return Finding.pass(
                        "provider",
                        target.toString(),
                        attempt.provider() + " (" + attempt.device() + ", path MTU up to " + attempt.activeMtuBytes()
                                + ")" + refusals());
            }
            return Finding.fail(
                    "provider",
                    target.toString(),
                    "there is " + portsHere().get(0) + ", but only " + attempt.provider() + " works" + refusals(),
                    "see what failed above, and docs/rdma.md, 'When it does not work'");
        }
        return Finding.fail(
                "provider",
                target.toString(),
                "none works" + refusals(),
                "see what failed above, and docs/rdma.md, 'When it does not work'");
    }

    private String refusals() {
        StringBuilder text = new StringBuilder();
        for (ProviderProbe.Attempt attempt : attempts) {
            if (!attempt.works()) {
                text.append("; no ").append(attempt.provider()).append(": ").append(attempt.refusal());
            }
        }
        return text.toString();
    }
}
