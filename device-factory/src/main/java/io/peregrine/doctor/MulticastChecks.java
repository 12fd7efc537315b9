package io.peregrine.doctor;

import io.peregrine.doctor.ShellCommand.Template;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What groups need of a host: interfaces that take them, memberships, and bridges that do not cut them off. Source:
 * kernel behaviour, {@code net/ipv4/igmp.c} and {@code Documentation/networking/bridge}.
 */
final class MulticastChecks {
    private static final long IFF_MULTICAST = 0x1000;
    private static final int MAX_GROUPS_TOLD = 8;
    private static final Pattern INTERFACE = Pattern.compile("^\\d+\\s+(\\S+?)\\s*:\\s*\\d+\\s+V([123])\\s*$");
    private static final Pattern GROUP = Pattern.compile("^\\s+([0-9A-F]{8})\\s.*$");

    private final HostFiles host;

    MulticastChecks(HostFiles host) {
        this.host = host;
    }

    private Path folder(String name) {
        return host.sys().resolve("class/net").resolve(name);
    }

    /** Whether an interface takes part, and in which groups. */
    Finding membership(String name) {
        Optional<Long> flags = HostFiles.text(folder(name).resolve("flags"))
                .filter(text -> text.matches("0x[0-9a-fA-F]{1,8}"))
                .map(text -> Long.parseLong(text.substring(2), 16));
        if (flags.filter(bits -> (bits & IFF_MULTICAST) == 0).isPresent()) {
            return Finding.warn(
                            "multicast",
                            name,
                            "switched off: no group of cameras comes in",
                            "ip link set dev " + name + " multicast on")
                    .by(Template.MULTICAST, name, 1);
        }
        String version = "";
        List<String> groups = new ArrayList<>();
        String owner = "";
        for (String line : HostFiles.text(host.proc().resolve("net/igmp"))
                .orElse("")
                .lines()
                .toList()) {
            Matcher header = INTERFACE.matcher(line);
            Matcher group = GROUP.matcher(line);
            if (header.matches()) {
                owner = header.group(1);
                version = owner.equals(name) ? header.group(2) : version;
            } else if (group.matches() && owner.equals(name)) {
                groups.add(HostFiles.address(group.group(1)));
            }
        }
        if (version.isEmpty()) {
            return Finding.skip("multicast", name, host.proc().resolve("net/igmp") + " does not name it");
        }
        String listed = String.join(", ", groups.subList(0, Math.min(groups.size(), MAX_GROUPS_TOLD)));
        return Finding.pass(
                "multicast",
                name,
                "answers IGMP version " + version + ", member of " + groups.size() + " groups"
                        + (groups.isEmpty() ? "" : ": " + listed)
                        + (groups.size() > MAX_GROUPS_TOLD ? ", ..." : ""));
    }

    /** Bridges of this host that pass a group on only where somebody was heard to want it. */
    List<Finding> snooping(Collection<String> interfaces) {
        TreeSet<String> bridges = new TreeSet<>();
        for (String name : interfaces) {
            bridges.add(name);
            HostFiles.text(folder(name).resolve("master/uevent"))
                    .flatMap(text -> {
                        Matcher line =
                                Pattern.compile("(?m)^INTERFACE=([^/\\s]+)$").matcher(text);
                        return line.find() ? Optional.of(line.group(1)) : Optional.empty();
                    })
                    .ifPresent(bridges::add);
        }
        List<Finding> findings = new ArrayList<>();
        for (String bridge : bridges) {
            OptionalLong snooping = HostFiles.number(folder(bridge).resolve("bridge/multicast_snooping"));
            OptionalLong querier = HostFiles.number(folder(bridge).resolve("bridge/multicast_querier"));
            if (snooping.isEmpty()) {
                continue;
            }
            if (snooping.getAsLong() == 0 || querier.orElse(0) != 0) {
                findings.add(Finding.pass(
                        "IGMP snooping",
                        bridge,
                        snooping.getAsLong() == 0 ? "off: groups go everywhere" : "on, and the bridge asks itself"));
            } else {
                findings.add(Finding.warn(
                                "IGMP snooping",
                                bridge,
                                "on, and the bridge does not ask who listens: groups are cut off after minutes unless"
                                        + " another host asks",
                                "ip link set dev " + bridge + " type bridge mcast_querier 1")
                        .by(Template.QUERIER, bridge, 1));
            }
        }
        return findings.isEmpty()
                ? List.of(Finding.skip(
                        "IGMP snooping",
                        "",
                        "no bridge in this host; switches cannot be asked: where they snoop, one must be a querier"))
                : findings;
    }
}
