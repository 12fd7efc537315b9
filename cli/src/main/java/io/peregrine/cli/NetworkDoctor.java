package io.peregrine.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Examines what receiving frames over UDP needs of a host. Changes nothing and sends nothing. */
final class NetworkDoctor {
    /** What a stream asks the system for. */
    private static final long SOCKET_BUFFER_BYTES = 32L << 20;

    private static final long BACKLOG_PACKETS = 3000;
    private static final long BUDGET_PACKETS = 600;
    private static final long JUMBO_BYTES = 8000;
    private static final long GIGABIT = 1000;
    private static final long RING_PACKETS = 2048;
    /** One packet of this many is what a healthy host loses at most. */
    private static final long LOSS_SHARE = 100_000;

    private final HostFiles host;
    private final List<LocalAddress> addresses;
    private final ExternalTool tool;

    NetworkDoctor(HostFiles host, List<LocalAddress> addresses, ExternalTool tool) {
        this.host = host;
        this.addresses = List.copyOf(addresses);
        this.tool = tool;
    }

    List<Finding> examine() {
        Set<String> interfaces = new TreeSet<>();
        addresses.stream()
                .filter(address -> !address.address().isLoopbackAddress())
                .forEach(address -> interfaces.add(address.networkInterface()));
        List<Finding> findings = new ArrayList<>();
        if (interfaces.isEmpty()) {
            findings.add(Finding.warn(
                    "interface",
                    "",
                    "no interface but loopback has an IPv4 address",
                    "give one an address: ip address add 192.168.1.2/24 dev INTERFACE"));
        }
        for (String name : interfaces) {
            findings.add(link(name));
            findings.add(mtu(name));
            findings.add(ring(name));
            findings.add(reversePath(name));
        }
        findings.addAll(subnets());
        findings.add(limit(
                "receive buffer",
                "net.core.rmem_max",
                "sys/net/core/rmem_max",
                SOCKET_BUFFER_BYTES,
                "bursts are lost while the receiver is held up"));
        findings.add(limit(
                "backlog",
                "net.core.netdev_max_backlog",
                "sys/net/core/netdev_max_backlog",
                BACKLOG_PACKETS,
                "the kernel drops bursts before the socket"));
        findings.add(limit(
                "budget",
                "net.core.netdev_budget",
                "sys/net/core/netdev_budget",
                BUDGET_PACKETS,
                "the kernel leaves packets in the adapter"));
        findings.add(backlogDrops());
        findings.add(socketDrops());
        findings.add(firewall());
        findings.add(governor());
        return findings;
    }

    private Path networkFolder(String name) {
        return host.sys().resolve("class/net").resolve(name);
    }

    private Finding link(String name) {
        Path folder = networkFolder(name);
        if (Files.isDirectory(folder.resolve("wireless")) || Files.isDirectory(folder.resolve("phy80211"))) {
            return Finding.warn(
                    "link",
                    name,
                    "Wi-Fi",
                    "use an interface with a cable: -Dperegrine.discovery.interfaces=OTHER keeps cameras off this one");
        }
        String state = HostFiles.text(folder.resolve("operstate")).orElse("unknown");
        OptionalLong speed = HostFiles.number(folder.resolve("speed"));
        String duplex = HostFiles.text(folder.resolve("duplex")).orElse("");
        if (state.equals("down")) {
            return Finding.warn("link", name, "down", "plug in the cable, or: ip link set " + name + " up");
        }
        if (speed.isEmpty()) {
            return Finding.skip("link", name, state + ", and does not tell its speed, as a virtual one");
        }
        String evidence = speed.getAsLong() + " Mbit/s" + (duplex.isEmpty() ? "" : ", " + duplex + " duplex");
        if (speed.getAsLong() < GIGABIT || duplex.equals("half")) {
            return Finding.warn(
                    "link", name, evidence, "look at cable and switch; then: ethtool -s " + name + " autoneg on");
        }
        return Finding.pass("link", name, evidence);
    }

    private Finding mtu(String name) {
        OptionalLong mtu = HostFiles.number(networkFolder(name).resolve("mtu"));
        if (mtu.isEmpty()) {
            return Finding.skip("MTU", name, "not told");
        }
        String evidence = mtu.getAsLong() + " bytes";
        return mtu.getAsLong() >= JUMBO_BYTES
                ? Finding.pass("MTU", name, evidence)
                : Finding.warn(
                        "MTU",
                        name,
                        evidence + ": six times the packets of jumbo frames",
                        "ip link set " + name + " mtu 9000, when camera and switch can do that as well");
    }

    private Finding ring(String name) {
        Optional<String> output = tool.output("ethtool", "-g", name);
        List<Long> sizes = new ArrayList<>();
        output.ifPresent(text -> {
            Matcher matcher = Pattern.compile("(?m)^RX:\\s+(\\d{1,9})$").matcher(text);
            while (matcher.find()) {
                sizes.add(Long.parseLong(matcher.group(1)));
            }
        });
        if (sizes.size() != 2) {
            return Finding.skip("ring", name, "ethtool -g " + name + " tells no sizes");
        }
        long most = sizes.get(0);
        long present = sizes.get(1);
        String evidence = present + " of " + most + " packets";
        return present >= Math.min(most, RING_PACKETS)
                ? Finding.pass("ring", name, evidence)
                : Finding.warn("ring", name, evidence, "ethtool -G " + name + " rx " + Math.min(most, 4096));
    }

    /** The kernel takes the stricter of both. */
    private Finding reversePath(String name) {
        Path folder = host.proc().resolve("sys/net/ipv4/conf");
        OptionalLong all = HostFiles.number(folder.resolve("all/rp_filter"));
        OptionalLong own = HostFiles.number(folder.resolve(name).resolve("rp_filter"));
        if (all.isEmpty() && own.isEmpty()) {
            return Finding.skip("rp_filter", name, folder + " does not tell it");
        }
        long value = Math.max(all.orElse(0), own.orElse(0));
        return value == 1
                ? Finding.warn(
                        "rp_filter",
                        name,
                        "strict: answers of cameras on a foreign subnet are dropped",
                        "sysctl -w net.ipv4.conf." + name + ".rp_filter=2")
                : Finding.pass("rp_filter", name, value == 0 ? "off" : "loose");
    }

    private List<Finding> subnets() {
        Map<String, Set<String>> owners = new LinkedHashMap<>();
        String table = HostFiles.text(host.proc().resolve("net/route")).orElse("");
        table.lines().skip(1).forEach(line -> {
            String[] cells = line.trim().split("\\s+", -1);
            boolean direct = cells.length > 7
                    && cells[1].matches("[0-9A-F]{8}")
                    && cells[2].equals("00000000")
                    && cells[7].matches("[0-9A-F]{8}")
                    && !cells[7].equals("00000000");
            if (direct) {
                String subnet = address(cells[1]) + "/" + Long.bitCount(Long.parseLong(cells[7], 16));
                owners.computeIfAbsent(subnet, key -> new LinkedHashSet<>()).add(cells[0]);
            }
        });
        if (owners.isEmpty()) {
            return List.of(Finding.skip("subnets", "", host.proc().resolve("net/route") + " tells no subnet"));
        }
        List<Finding> findings = new ArrayList<>();
        owners.forEach((subnet, names) -> {
            if (names.size() > 1) {
                findings.add(Finding.fail(
                        "subnets",
                        subnet,
                        "on " + String.join(" and ", names)
                                + ": packets leave by one of them, whichever the camera is on",
                        "give each interface a subnet of its own"));
            }
        });
        return findings.isEmpty()
                ? List.of(Finding.pass("subnets", "", "each on one interface: " + String.join(", ", owners.keySet())))
                : findings;
    }

    /** Little-endian words. */
    private static String address(String hex) {
        long word = Long.parseLong(hex, 16);
        return (word & 0xFF) + "." + (word >> 8 & 0xFF) + "." + (word >> 16 & 0xFF) + "." + (word >> 24);
    }

    private Finding limit(String check, String subject, String file, long enough, String otherwise) {
        OptionalLong value = HostFiles.number(host.proc().resolve(file));
        if (value.isEmpty()) {
            return Finding.skip(check, subject, host.proc().resolve(file) + " does not tell it");
        }
        return value.getAsLong() >= enough
                ? Finding.pass(check, subject, Long.toString(value.getAsLong()))
                : Finding.warn(
                        check,
                        subject,
                        value.getAsLong() + ", " + enough + " is enough: " + otherwise,
                        "sysctl -w " + subject + "=" + enough);
    }

    /** One line a processor: packets, dropped, times that the budget was used up. */
    private Finding backlogDrops() {
        Optional<String> table = HostFiles.text(host.proc().resolve("net/softnet_stat"));
        if (table.isEmpty()) {
            return Finding.skip("kernel drops", "", host.proc().resolve("net/softnet_stat") + " is not there");
        }
        long packets = 0;
        long dropped = 0;
        long squeezed = 0;
        for (String line : table.get().lines().toList()) {
            String[] cells = line.trim().split("\\s+", -1);
            if (cells.length >= 3 && line.matches("[0-9a-f\\s]+") && cells[0].length() <= 8) {
                packets += Long.parseLong(cells[0], 16);
                dropped += Long.parseLong(cells[1], 16);
                squeezed += Long.parseLong(cells[2], 16);
            }
        }
        String evidence =
                dropped + " of " + packets + " packets since the host started, out of time " + squeezed + " times";
        return dropped > packets / LOSS_SHARE
                ? Finding.warn("kernel drops", "", evidence, "sysctl -w net.core.netdev_max_backlog=30000")
                : Finding.pass("kernel drops", "", evidence);
    }

    private Finding socketDrops() {
        List<String> lines = HostFiles.text(host.proc().resolve("net/snmp"))
                .map(text ->
                        text.lines().filter(line -> line.startsWith("Udp: ")).toList())
                .orElse(List.of());
        if (lines.size() != 2) {
            return Finding.skip("socket drops", "", host.proc().resolve("net/snmp") + " does not tell them");
        }
        List<String> names = List.of(lines.get(0).trim().split("\\s+", -1));
        List<String> values = List.of(lines.get(1).trim().split("\\s+", -1));
        long received = counter(names, values, "InDatagrams");
        long dropped = counter(names, values, "RcvbufErrors");
        String evidence = dropped + " of " + (received + dropped) + " datagrams since the host started, all programs";
        return dropped > received / LOSS_SHARE
                ? Finding.warn(
                        "socket drops",
                        "",
                        evidence,
                        "sysctl -w net.core.rmem_max=" + SOCKET_BUFFER_BYTES + ", and see docs/tuning.md")
                : Finding.pass("socket drops", "", evidence);
    }

    private static long counter(List<String> names, List<String> values, String name) {
        int index = names.indexOf(name);
        return index > 0 && index < values.size() && values.get(index).matches("\\d{1,18}")
                ? Long.parseLong(values.get(index))
                : 0;
    }

    private Finding firewall() {
        Optional<String> rules = tool.output("nft", "list", "ruleset");
        String fix = "nft add rule inet filter input iifname INTERFACE udp sport 3956 accept, and let UDP from the"
                + " cameras in; firewalld: put the interface into the zone trusted; ufw: ufw allow in on INTERFACE";
        if (rules.isPresent()) {
            boolean drops = Pattern.compile("hook input [^}]*?policy drop")
                    .matcher(rules.get())
                    .find();
            return drops
                    ? Finding.warn("firewall", "", "nftables drop what no rule lets in", fix)
                    : Finding.pass("firewall", "", "nftables let in what no rule drops");
        }
        Optional<String> old = tool.output("iptables", "-S", "INPUT");
        if (old.isPresent()) {
            return old.get().contains("-P INPUT DROP")
                    ? Finding.warn("firewall", "", "iptables drop what no rule lets in", fix)
                    : Finding.pass("firewall", "", "iptables let in what no rule drops");
        }
        return Finding.skip("firewall", "", "neither nft nor iptables tells its rules to this user");
    }

    private Finding governor() {
        Optional<String> governor =
                HostFiles.text(host.sys().resolve("devices/system/cpu/cpu0/cpufreq/scaling_governor"));
        if (governor.isEmpty()) {
            return Finding.skip("CPU frequency", "", "the kernel does not govern it");
        }
        return governor.get().toLowerCase(Locale.ROOT).equals("powersave")
                ? Finding.warn(
                        "CPU frequency", "", "governor powersave", "cpupower frequency-set --governor performance")
                : Finding.pass("CPU frequency", "", "governor " + governor.get());
    }
}
