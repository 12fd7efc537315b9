package io.peregrine.doctor;

import io.peregrine.doctor.ShellCommand.Template;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import java.util.regex.Pattern;

/** Examines what receiving frames over UDP needs of a host. Changes nothing and sends nothing. */
public final class NetworkDoctor {
    /** What a stream asks the system for. */
    static final long SOCKET_BUFFER_BYTES = 64L << 20;

    private static final long BACKLOG_PACKETS = 3000;
    private static final long BUDGET_PACKETS = 600;
    private static final long JUMBO_BYTES = 8000;
    private static final long GIGABIT = 1000;
    private static final long JUMBO_MTU_BYTES = 9000;

    private final HostFiles host;
    private final List<LocalAddress> addresses;
    private final ExternalTool tool;
    private final Pause pause;

    /** One that examines a host by what is given. */
    public NetworkDoctor(HostFiles host, List<LocalAddress> addresses, ExternalTool tool, Pause pause) {
        this.host = host;
        this.addresses = List.copyOf(addresses);
        this.tool = tool;
        this.pause = pause;
    }

    /** One that examines this host. */
    public static NetworkDoctor ofSystem() {
        return new NetworkDoctor(HostFiles.system(), LocalAddress.all(), ExternalTool.ofSystem(), Pause.ofSystem());
    }

    /**
     * Examines the host.
     *
     * @param period how long counters of dropped packets are watched; zero for what they are
     */
    public List<Finding> examine(Duration period) {
        Set<String> interfaces = new TreeSet<>();
        addresses.stream()
                .filter(address -> !address.address().isLoopbackAddress())
                .forEach(address -> interfaces.add(address.networkInterface()));
        DropCounters before = DropCounters.read(host, interfaces);
        if (!period.isZero()) {
            pause.last(period);
        }
        DropCounters after = DropCounters.read(host, interfaces);
        MulticastChecks multicast = new MulticastChecks(host);
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
            findings.addAll(new AdapterChecks(host, tool, name).all());
            findings.add(reversePath(name));
            findings.add(multicast.membership(name));
        }
        findings.addAll(subnets());
        findings.addAll(multicast.snooping(interfaces));
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
        findings.addAll(after.since(before, period));
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
            return Finding.warn("link", name, "down", "plug in the cable, or: ip link set " + name + " up")
                    .by(Template.LINK_UP, name, 0);
        }
        if (speed.isEmpty()) {
            return Finding.skip("link", name, state + ", and does not report its speed, as a virtual one");
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
            return Finding.skip("MTU", name, "not reported");
        }
        String evidence = mtu.getAsLong() + " bytes";
        return mtu.getAsLong() >= JUMBO_BYTES
                ? Finding.pass("MTU", name, evidence)
                : Finding.warn(
                                "MTU",
                                name,
                                evidence + ": six times the packets of jumbo frames",
                                "ip link set " + name + " mtu " + JUMBO_MTU_BYTES
                                        + ", when camera and switch can do that as well")
                        .by(Template.MTU, name, JUMBO_MTU_BYTES);
    }

    /** The kernel takes the stricter of both. */
    private Finding reversePath(String name) {
        Path folder = host.proc().resolve("sys/net/ipv4/conf");
        OptionalLong all = HostFiles.number(folder.resolve("all/rp_filter"));
        OptionalLong own = HostFiles.number(folder.resolve(name).resolve("rp_filter"));
        if (all.isEmpty() && own.isEmpty()) {
            return Finding.skip("rp_filter", name, folder + " does not report it");
        }
        long value = Math.max(all.orElse(0), own.orElse(0));
        return value == 1
                ? Finding.warn(
                                "rp_filter",
                                name,
                                "strict: answers of cameras on a foreign subnet are dropped",
                                "sysctl -w net/ipv4/conf/" + name + "/rp_filter=2")
                        .by(Template.SYSCTL, "net/ipv4/conf/" + name + "/rp_filter", 2)
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
                String subnet = HostFiles.address(cells[1]) + "/" + Long.bitCount(Long.parseLong(cells[7], 16));
                owners.computeIfAbsent(subnet, key -> new LinkedHashSet<>()).add(cells[0]);
            }
        });
        if (owners.isEmpty()) {
            return List.of(Finding.skip("subnets", "", host.proc().resolve("net/route") + " has no subnet"));
        }
        List<Finding> findings = new ArrayList<>();
        owners.forEach((subnet, names) -> {
            if (names.size() > 1) {
                findings.add(Finding.fail(
                        "subnets",
                        subnet,
                        "on " + String.join(" and ", names)
                                + ": packets leave by one of them, whichever the camera is on",
                        "give each interface its own subnet"));
            }
        });
        return findings.isEmpty()
                ? List.of(Finding.pass("subnets", "", "each on one interface: " + String.join(", ", owners.keySet())))
                : findings;
    }

    private Finding limit(String check, String subject, String file, long enough, String otherwise) {
        OptionalLong value = HostFiles.number(host.proc().resolve(file));
        if (value.isEmpty()) {
            return Finding.skip(check, subject, host.proc().resolve(file) + " does not report it");
        }
        return value.getAsLong() >= enough
                ? Finding.pass(check, subject, Long.toString(value.getAsLong()))
                : Finding.warn(
                                check,
                                subject,
                                value.getAsLong() + ", " + enough + " is enough: " + otherwise,
                                "sysctl -w " + subject + "=" + enough)
                        .by(Template.SYSCTL, subject.replace('.', '/'), enough);
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
                    ? Finding.warn("firewall", "", "nftables drop what no rule admits", fix)
                    : Finding.pass("firewall", "", "nftables admit what no rule drops");
        }
        Optional<String> old = tool.output("iptables", "-S", "INPUT");
        if (old.isPresent()) {
            return old.get().contains("-P INPUT DROP")
                    ? Finding.warn("firewall", "", "iptables drop what no rule admits", fix)
                    : Finding.pass("firewall", "", "iptables admit what no rule drops");
        }
        return Finding.skip("firewall", "", "neither nft nor iptables shows its rules to this user");
    }

    private Finding governor() {
        Optional<String> governor =
                HostFiles.text(host.sys().resolve("devices/system/cpu/cpu0/cpufreq/scaling_governor"));
        if (governor.isEmpty()) {
            return Finding.skip("CPU frequency", "", "the kernel does not govern it");
        }
        return governor.get().toLowerCase(Locale.ROOT).equals("powersave")
                ? Finding.warn(
                                "CPU frequency",
                                "",
                                "governor powersave",
                                "cpupower frequency-set --governor performance")
                        .by(Template.GOVERNOR, "performance", 0)
                : Finding.pass("CPU frequency", "", "governor " + governor.get());
    }
}
