package io.peregrine.doctor;

import io.peregrine.doctor.ShellCommand.Template;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the adapter of an interface hands packets over: its ring, how it gathers packets for an interrupt, which
 * processors are interrupted, and which are near. Source: ethtool, and kernel documentation
 * ({@code ABI/testing/sysfs-class-net}, {@code core-api/irq/irq-affinity}, {@code admin-guide/mm/numaperf}).
 */
final class AdapterChecks {
    private static final long RING_PACKETS = 2048;
    private static final long LARGE_RING_PACKETS = 4096;
    /** Longer, and missing packets are asked for late, and bursts fill the ring. */
    private static final long LONG_GATHERING_MICROS = 500;

    private static final long USUAL_GATHERING_MICROS = 50;
    private static final int MAX_INTERRUPTS = 1024;
    private static final Pattern RING = Pattern.compile("(?m)^RX:\\s+(\\d{1,9})$");
    private static final Pattern ADAPTIVE = Pattern.compile("(?m)^Adaptive RX: on\\b");

    private final HostFiles host;
    private final ExternalTool tool;
    private final String name;
    private final Path folder;

    AdapterChecks(HostFiles host, ExternalTool tool, String name) {
        this.host = host;
        this.tool = tool;
        this.name = name;
        folder = host.sys().resolve("class/net").resolve(name);
    }

    List<Finding> all() {
        return List.of(ring(), coalescing(), interrupts(), numa());
    }

    private Finding ring() {
        Optional<String> output = tool.output("ethtool", "-g", name);
        List<Long> sizes = new ArrayList<>();
        output.ifPresent(text -> {
            Matcher matcher = RING.matcher(text);
            while (matcher.find()) {
                sizes.add(Long.parseLong(matcher.group(1)));
            }
        });
        if (sizes.size() != 2) {
            return Finding.skip("ring", name, "ethtool -g " + name + " reports no sizes");
        }
        long most = sizes.get(0);
        long present = sizes.get(1);
        long wanted = Math.min(most, LARGE_RING_PACKETS);
        String evidence = present + " of " + most + " packets";
        return present >= Math.min(most, RING_PACKETS)
                ? Finding.pass("ring", name, evidence)
                : Finding.warn("ring", name, evidence, "ethtool -G " + name + " rx " + wanted)
                        .by(Template.RING, name, wanted);
    }

    private Finding coalescing() {
        String output = tool.output("ethtool", "-c", name).orElse("");
        OptionalLong micros = field(output, "rx-usecs");
        OptionalLong packets = field(output, "rx-frames");
        if (ADAPTIVE.matcher(output).find()) {
            return Finding.pass("coalescing", name, "by the rate of packets");
        }
        if (micros.isEmpty()) {
            return Finding.skip("coalescing", name, "ethtool -c " + name + " does not report it");
        }
        String evidence =
                micros.getAsLong() + " us" + (packets.isPresent() ? " or " + packets.getAsLong() + " packets" : "");
        boolean each = micros.getAsLong() == 0 && packets.orElse(0) <= 1;
        if (!each && micros.getAsLong() <= LONG_GATHERING_MICROS) {
            return Finding.pass("coalescing", name, evidence);
        }
        return Finding.warn(
                        "coalescing",
                        name,
                        evidence
                                + (each
                                        ? ": an interrupt for every packet"
                                        : ": bursts fill the ring, and missing packets are asked for late"),
                        "ethtool -C " + name + " rx-usecs " + USUAL_GATHERING_MICROS)
                .by(Template.COALESCING, name, USUAL_GATHERING_MICROS);
    }

    private static OptionalLong field(String output, String field) {
        Matcher matcher =
                Pattern.compile("(?m)^" + field + ":\\s+(\\d{1,9})\\s*$").matcher(output);
        return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    // ---- Processors

    private Finding interrupts() {
        Set<Integer> own = ownInterrupts();
        BitSet used = new BitSet();
        for (int interrupt : own) {
            Path settings = host.proc().resolve("irq").resolve(Integer.toString(interrupt));
            HostFiles.text(settings.resolve("effective_affinity_list"))
                    .or(() -> HostFiles.text(settings.resolve("smp_affinity_list")))
                    .flatMap(CpuList::parse)
                    .ifPresent(used::or);
        }
        if (used.isEmpty()) {
            return Finding.skip("interrupts", name, "none is listed for it, as for a virtual one");
        }
        BitSet online = HostFiles.text(host.sys().resolve("devices/system/cpu/online"))
                .flatMap(CpuList::parse)
                .orElse(used);
        long queues = HostFiles.names(folder.resolve("queues")).stream()
                .filter(queue -> queue.startsWith("rx-"))
                .count();
        String evidence = count(queues, "receive queue") + ", " + count(own.size(), "interrupt") + " on CPU "
                + CpuList.text(used)
                + (tool.output("pidof", "irqbalance").isPresent() ? ", spread by irqbalance" : "");
        Optional<BitSet> near = near();
        if (near.isPresent() && !used.intersects(near.get())) {
            return spread(
                    evidence + ", far from the adapter, which is near " + CpuList.text(near.get()), own, near.get());
        }
        if (own.size() > 1 && used.cardinality() == 1 && online.cardinality() > 1) {
            return spread(evidence + ", which all cameras share", own, near.orElse(online));
        }
        return Finding.pass("interrupts", name, evidence);
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private Finding spread(String evidence, Set<Integer> interrupts, BitSet cpus) {
        Finding finding = Finding.warn(
                "interrupts",
                name,
                evidence,
                "start irqbalance, or lead each to a CPU of " + CpuList.text(cpus)
                        + ": echo CPU >/proc/irq/NUMBER/smp_affinity_list");
        int cpu = -1;
        for (int interrupt : interrupts) {
            cpu = cpus.nextSetBit(cpu + 1);
            if (cpu < 0) {
                cpu = cpus.nextSetBit(0);
            }
            finding = finding.by(Template.INTERRUPT, Integer.toString(interrupt), cpu);
        }
        return finding;
    }

    /** Those of its device that a driver takes, and those that bear its name. */
    private Set<Integer> ownInterrupts() {
        Set<Integer> own = new TreeSet<>();
        // A virtio device has those of the bus device that it is on.
        boolean virtio = HostFiles.text(folder.resolve("device/uevent"))
                .filter(text -> text.contains("DRIVER=virtio_net"))
                .isPresent();
        List<String> ofDevice = HostFiles.names(folder.resolve(virtio ? "device/../msi_irqs" : "device/msi_irqs"));
        for (String number : HostFiles.names(host.proc().resolve("irq"))) {
            if (!number.matches("\\d{1,6}") || own.size() >= MAX_INTERRUPTS) {
                continue;
            }
            Path settings = host.proc().resolve("irq").resolve(number);
            // A driver that takes an interrupt has a folder in it.
            boolean taken = HostFiles.names(settings).stream()
                    .filter(entry -> ofDevice.contains(number) || entry.equals(name) || entry.startsWith(name + "-"))
                    .anyMatch(entry -> Files.isDirectory(settings.resolve(entry)));
            if (taken) {
                own.add(Integer.parseInt(number));
            }
        }
        return own;
    }

    /** The processors at the adapter's memory; empty where all are equally near, or unknown. */
    private Optional<BitSet> near() {
        Path nodes = host.sys().resolve("devices/system/node");
        boolean several = HostFiles.text(nodes.resolve("online"))
                .flatMap(CpuList::parse)
                .filter(online -> online.cardinality() > 1)
                .isPresent();
        OptionalLong node = HostFiles.number(folder.resolve("device/numa_node"));
        return several && node.isPresent()
                ? HostFiles.text(nodes.resolve("node" + node.getAsLong()).resolve("cpulist"))
                        .flatMap(CpuList::parse)
                : Optional.empty();
    }

    private Finding numa() {
        Optional<BitSet> online =
                HostFiles.text(host.sys().resolve("devices/system/node/online")).flatMap(CpuList::parse);
        if (online.filter(nodes -> nodes.cardinality() == 1).isPresent()) {
            return Finding.pass("NUMA", name, "one node, all CPUs are equally near");
        }
        Optional<BitSet> near = near();
        Optional<BitSet> allowed = HostFiles.text(host.proc().resolve("self/status"))
                .flatMap(text -> {
                    Matcher line = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)$")
                            .matcher(text);
                    return line.find() ? CpuList.parse(line.group(1)) : Optional.empty();
                });
        if (near.isEmpty() || allowed.isEmpty()) {
            return Finding.skip("NUMA", name, "the kernel does not report its node");
        }
        long node = HostFiles.number(folder.resolve("device/numa_node")).orElse(0);
        String evidence = "at node " + node + " with CPU " + CpuList.text(near.get()) + ", this program may run on "
                + CpuList.text(allowed.get());
        BitSet far = (BitSet) allowed.get().clone();
        far.andNot(near.get());
        return far.isEmpty()
                ? Finding.pass("NUMA", name, evidence)
                : Finding.warn(
                        "NUMA",
                        name,
                        evidence,
                        "numactl --cpunodebind=" + node + " --membind=" + node
                                + " PROGRAM, or the parameter ReceiverCpus with some of these CPUs");
    }
}
