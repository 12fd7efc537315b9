package io.peregrine.doctor;

import io.peregrine.doctor.ShellCommand.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * What came and what was dropped on the way to the programs, at one moment, since the host started. Source: kernel
 * behaviour, {@code Documentation/networking/statistics} and {@code net/core/net-procfs.c}.
 *
 * @param kernel of the queues between driver and protocols; more is how often time ran out
 * @param sockets of all UDP sockets
 * @param adapters by interface; more is how many packets had a wrong checksum of the cable
 */
record DropCounters(Optional<Count> kernel, Optional<Count> sockets, Map<String, Optional<Count>> adapters) {
    /** One packet of this many is what a healthy host loses at most. */
    private static final long LOSS_SHARE = 100_000;

    private static final long LARGE_BACKLOG = 30_000;

    /** What one place counted. */
    record Count(long arrived, long dropped, long more) {
        private Count since(Count before) {
            return new Count(
                    Math.max(0, arrived - before.arrived),
                    Math.max(0, dropped - before.dropped),
                    Math.max(0, more - before.more));
        }

        private boolean lossy() {
            return dropped > arrived / LOSS_SHARE;
        }
    }

    static DropCounters read(HostFiles host, Collection<String> interfaces) {
        Map<String, Optional<Count>> adapters = new LinkedHashMap<>();
        interfaces.forEach(name -> adapters.put(name, adapter(host, name)));
        return new DropCounters(kernel(host), sockets(host), adapters);
    }

    /** One line a processor: packets, dropped, times that the budget was used up. */
    private static Optional<Count> kernel(HostFiles host) {
        return HostFiles.text(host.proc().resolve("net/softnet_stat")).map(table -> {
            long packets = 0;
            long dropped = 0;
            long squeezed = 0;
            for (String line : table.lines().toList()) {
                String[] cells = line.trim().split("\\s+", -1);
                if (cells.length >= 3 && line.matches("[0-9a-f\\s]+") && longest(cells) <= 8) {
                    packets += Long.parseLong(cells[0], 16);
                    dropped += Long.parseLong(cells[1], 16);
                    squeezed += Long.parseLong(cells[2], 16);
                }
            }
            return new Count(packets, dropped, squeezed);
        });
    }

    private static int longest(String[] cells) {
        return Math.max(cells[0].length(), Math.max(cells[1].length(), cells[2].length()));
    }

    private static Optional<Count> sockets(HostFiles host) {
        List<String> lines = HostFiles.text(host.proc().resolve("net/snmp"))
                .map(text ->
                        text.lines().filter(line -> line.startsWith("Udp: ")).toList())
                .orElse(List.of());
        if (lines.size() != 2) {
            return Optional.empty();
        }
        List<String> names = List.of(lines.get(0).trim().split("\\s+", -1));
        List<String> values = List.of(lines.get(1).trim().split("\\s+", -1));
        long dropped = counter(names, values, "RcvbufErrors");
        return Optional.of(new Count(counter(names, values, "InDatagrams") + dropped, dropped, 0));
    }

    private static long counter(List<String> names, List<String> values, String name) {
        int index = names.indexOf(name);
        return index > 0 && index < values.size() && values.get(index).matches("\\d{1,18}")
                ? Long.parseLong(values.get(index))
                : 0;
    }

    private static Optional<Count> adapter(HostFiles host, String name) {
        OptionalLong packets = statistic(host, name, "rx_packets");
        if (packets.isEmpty()) {
            return Optional.empty();
        }
        long missed = statistic(host, name, "rx_missed_errors").orElse(0);
        long overrun = statistic(host, name, "rx_fifo_errors").orElse(0);
        long damaged = statistic(host, name, "rx_crc_errors").orElse(0);
        // Drivers count a packet that found no place under one name, the other, or both.
        long dropped = Math.max(missed, overrun) + damaged;
        return Optional.of(new Count(packets.getAsLong() + dropped, dropped, damaged));
    }

    private static OptionalLong statistic(HostFiles host, String name, String counter) {
        return HostFiles.number(host.sys()
                .resolve("class/net")
                .resolve(name)
                .resolve("statistics")
                .resolve(counter));
    }

    /** Where packets are dropped, and what to do about it. */
    private record Place(String check, String subject, String what, String fix, UnaryOperator<Finding> mend) {}

    /** What was dropped between two moments, and before. */
    List<Finding> since(DropCounters before, Duration period) {
        List<Finding> findings = new ArrayList<>();
        adapters.forEach((name, now) -> {
            boolean damaged =
                    now.filter(count -> count.more * 2 > count.dropped).isPresent();
            Place place = new Place(
                    "adapter drops",
                    name,
                    "packets",
                    damaged
                            ? "cables or plugs damage packets: change them"
                            : "the adapter had no place: ethtool -G " + name + " rx 4096, and see interrupts",
                    UnaryOperator.identity());
            findings.add(finding(place, before.adapters.getOrDefault(name, Optional.empty()), now, period));
        });
        Place backlog = new Place(
                "kernel drops",
                "",
                "packets"
                        + kernel.map(count -> " (out of time " + count.more + " times)")
                                .orElse(""),
                "sysctl -w net.core.netdev_max_backlog=" + LARGE_BACKLOG + ", and see interrupts",
                finding -> finding.by(Template.SYSCTL, "net/core/netdev_max_backlog", LARGE_BACKLOG));
        findings.add(finding(backlog, before.kernel, kernel, period));
        Place buffers = new Place(
                "socket drops",
                "",
                "datagrams of all programs",
                "sysctl -w net.core.rmem_max=" + NetworkDoctor.SOCKET_BUFFER_BYTES + ", and see docs/tuning.md",
                finding -> finding.by(Template.SYSCTL, "net/core/rmem_max", NetworkDoctor.SOCKET_BUFFER_BYTES));
        findings.add(finding(buffers, before.sockets, sockets, period));
        return List.copyOf(findings);
    }

    private static Finding finding(Place place, Optional<Count> before, Optional<Count> now, Duration period) {
        if (before.isEmpty() || now.isEmpty()) {
            return Finding.skip(place.check, place.subject, "the kernel does not count them here");
        }
        Count present = now.get().since(before.get());
        Count total = now.get();
        String evidence = total.dropped + " of " + total.arrived + " " + place.what + " since the host started";
        if (!period.isZero()) {
            evidence = present.dropped + " of " + present.arrived + " in " + period.toMillis() / 1000.0 + " s, "
                    + evidence;
        }
        return present.dropped == 0 && !total.lossy()
                ? Finding.pass(place.check, place.subject, evidence)
                : place.mend.apply(Finding.warn(place.check, place.subject, evidence, place.fix));
    }
}
