package io.peregrine.doctor;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the adapter treats the class of service of RoCE packets: whether it looks at it, which traffic class (ETS) has
 * it, and whether that one is held back (PFC) instead of losing packets. Source: dcb(8), dcb-ets(8), dcb-pfc(8), and
 * the output of mlnx_qos.
 */
final class TrafficClassChecks {
    private static final String TRUST = "trust of DSCP";
    private static final String ETS = "ETS";
    private static final int PRIORITIES = 8;
    private static final Pattern TRUST_STATE = Pattern.compile("(?m)^Priority trust state: (\\w+)");
    private static final Pattern DSCP_PRIORITY = Pattern.compile("\\b(\\d{1,2}|[A-Z]\\w*):(\\d)\\b");

    private final HostFiles host;
    private final List<RdmaPort> ports;
    private final LocalAddress target;
    private final ExternalTool tool;
    private final String network;

    TrafficClassChecks(HostFiles host, List<RdmaPort> ports, LocalAddress target, ExternalTool tool) {
        this.host = host;
        this.ports = ports.stream()
                .filter(port -> port.serves(target) && !port.software())
                .toList();
        this.target = target;
        this.tool = tool;
        network = target.networkInterface();
    }

    /** Nothing where packets of RoCE have no class of service: then one traffic class has all. */
    List<Finding> all() {
        if (ports.isEmpty()
                || !Files.exists(
                        host.sys().resolve("class/net").resolve(network).resolve("device"))) {
            return List.of();
        }
        OptionalLong service = service();
        if (service.isEmpty()) {
            return List.of();
        }
        int dscp = (int) (service.getAsLong() >> 2 & 0x3F);
        Optional<String> qos = tool.output("mlnx_qos", "-i", network);
        Optional<String> app = tool.output("dcb", "app", "show", "dev", network, "dscp-prio");
        // By default, eight values each share a priority.
        int priority = app.flatMap(text -> mapped(text, dscp)).orElse(dscp >> 3);
        return List.of(trust(dscp, qos, app), ets(priority), flowControl(priority));
    }

    /** Type of service of RoCE packets: of the connection manager, or of all connections of the adapter. */
    private OptionalLong service() {
        for (RdmaPort port : ports) {
            OptionalLong manager = HostFiles.number(host.sys()
                    .resolve("kernel/config/rdma_cm")
                    .resolve(port.device())
                    .resolve("ports")
                    .resolve(port.number())
                    .resolve("default_roce_tos"));
            if (manager.isPresent() && manager.getAsLong() > 0) {
                return manager;
            }
            Optional<String> all = HostFiles.text(
                    port.deviceFolder().resolve("tc").resolve(port.number()).resolve("traffic_class"));
            Matcher number = Pattern.compile("Global tclass=(\\d{1,3})").matcher(all.orElse(""));
            if (number.find()) {
                return OptionalLong.of(Long.parseLong(number.group(1)));
            }
        }
        return OptionalLong.empty();
    }

    private Finding trust(int dscp, Optional<String> qos, Optional<String> app) {
        Matcher state = TRUST_STATE.matcher(qos.orElse(""));
        if (state.find()) {
            return state.group(1).equals("dscp")
                    ? Finding.pass(TRUST, target.toString(), "the adapter sorts packets by DSCP")
                    : Finding.warn(
                            TRUST,
                            target.toString(),
                            "the adapter sorts packets by " + state.group(1) + ", so that DSCP " + dscp
                                    + " has no effect",
                            "mlnx_qos -i " + network + " --trust dscp");
        }
        if (app.filter(text -> text.contains("dscp-prio")).isPresent()) {
            return Finding.pass(TRUST, target.toString(), "the adapter has a table of DSCP (dcb app)");
        }
        return Finding.skip(TRUST, target.toString(), "neither mlnx_qos nor 'dcb app show' reports it");
    }

    /** The priority that a table gives to a DSCP by number; names, such as AF31, are left to the default. */
    private static Optional<Integer> mapped(String table, int dscp) {
        Matcher entry = DSCP_PRIORITY.matcher(table);
        while (entry.find()) {
            if (entry.group(1).equals(Integer.toString(dscp))) {
                return Optional.of(Integer.parseInt(entry.group(2)));
            }
        }
        return Optional.empty();
    }

    private Finding ets(int priority) {
        String output = tool.output("dcb", "ets", "show", "dev", network).orElse("");
        Optional<String> trafficClass = entry(output, "prio-tc", priority);
        if (trafficClass.isEmpty()) {
            return Finding.skip(
                    ETS,
                    target.toString(),
                    "'dcb ets show dev " + network + "' does not report which traffic class priority " + priority
                            + " has");
        }
        int number = Integer.parseInt(trafficClass.get());
        String algorithm = entry(output, "tc-tsa", number).orElse("unknown");
        String share = entry(output, "tc-bw", number).orElse("0");
        String evidence = "priority " + priority + " has traffic class " + number + ", " + algorithm
                + (algorithm.equals("ets") ? ", " + share + " %" : "");
        return algorithm.equals("ets") && share.equals("0")
                ? Finding.warn(
                        ETS,
                        target.toString(),
                        evidence + ": it is sent when nothing else is",
                        "dcb ets set dev " + network + " tc-bw " + number + ":50, and less for others; or tc-tsa "
                                + number + ":strict")
                : Finding.pass(ETS, target.toString(), evidence);
    }

    private Finding flowControl(int priority) {
        Optional<String> output = tool.output("dcb", "pfc", "show", "dev", network);
        Set<Integer> on = new TreeSet<>();
        for (int i = 0; i < PRIORITIES; i++) {
            if (entry(output.orElse(""), "prio-pfc", i).filter("on"::equals).isPresent()) {
                on.add(i);
            }
        }
        if (on.isEmpty()) {
            return Finding.skip("PFC of the class", target.toString(), "PFC is off or not reported");
        }
        return on.contains(priority)
                ? Finding.pass("PFC of the class", target.toString(), "on for priority " + priority)
                : Finding.warn(
                        "PFC of the class",
                        target.toString(),
                        "RoCE has priority " + priority + ", and PFC is on for " + on,
                        "dcb pfc set dev " + network + " prio-pfc " + priority + ":on, in switch and camera as well");
    }

    /** The value of a number in a line such as {@code prio-tc 0:0 1:0}. */
    private static Optional<String> entry(String output, String line, int number) {
        Matcher found =
                Pattern.compile("(?m)(?:^|\\s)" + line + "((?:\\s+\\d:\\w+)+)").matcher(output);
        if (!found.find()) {
            return Optional.empty();
        }
        Matcher value = Pattern.compile("\\b" + number + ":(\\w+)").matcher(found.group(1));
        return value.find() ? Optional.of(value.group(1)) : Optional.empty();
    }
}
