package io.peregrine.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What RDMA needs of the ports of adapters. */
final class RdmaPortChecks {
    /** Counters of mlx5, bnxt_re, irdma and rxe that count lost or damaged packets, or of receives posted late. */
    private static final Pattern TROUBLE = Pattern.compile("out_of_sequence|out_of_seq_request|packet_seq_err"
            + "|rcvd_seq_err|local_ack_timeout_err|rnr_nak_retry_err|rcvd_rnr_err|send_rnr_err|retry_exceeded_err"
            + "|retry_rnr_exceeded_err|completer_retry_err|rx_icrc_encapsulated|duplicate_request|res_oos_drop_count"
            + "|to_retransmits|seq_err_naks_rcvd|rnr_naks_rcvd");

    private final HostFiles host;
    private final List<RdmaPort> ports;

    RdmaPortChecks(HostFiles host, List<RdmaPort> ports) {
        this.host = host;
        this.ports = ports;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        for (RdmaPort port : ports) {
            findings.add(state(port));
            findings.add(linkLayer(port));
            findings.add(defaultType(port));
            findings.add(trafficClass(port));
            findings.addAll(new RdmaAdapterChecks(port).all());
            findings.add(counters(port));
        }
        return findings;
    }

    private static boolean usable(RdmaPort port) {
        return port.active() && port.linkLayer().equals("Ethernet");
    }

    /** A port that is not used need not work. */
    private Finding unusable(String check, RdmaPort port, String evidence, String fix) {
        return ports.stream().anyMatch(RdmaPortChecks::usable)
                ? Finding.warn(check, port.toString(), evidence + "; another port is usable", fix)
                : Finding.fail(check, port.toString(), evidence, fix);
    }

    private Finding state(RdmaPort port) {
        if (port.active()) {
            return Finding.pass("port state", port.toString(), port.state());
        }
        String network = port.networkInterfaces().stream().findFirst().orElse("INTERFACE");
        return unusable(
                "port state",
                port,
                port.state().isEmpty() ? "not reported" : port.state(),
                "ip link set dev " + network + " up; check the cable and the other end (ip link show " + network + ")");
    }

    private Finding linkLayer(RdmaPort port) {
        if (port.linkLayer().equals("Ethernet")) {
            return Finding.pass("link layer", port.toString(), "Ethernet");
        }
        return unusable(
                "link layer",
                port,
                (port.linkLayer().isEmpty() ? "not reported" : port.linkLayer()) + ", and RoCE needs Ethernet",
                "set the port to Ethernet (ConnectX: mlxconfig -d " + port.device() + " set LINK_TYPE_P" + port.number()
                        + "=2, then restart)");
    }

    private Path manager(RdmaPort port) {
        return host.sys()
                .resolve("kernel/config/rdma_cm")
                .resolve(port.device())
                .resolve("ports")
                .resolve(port.number());
    }

    private Finding defaultType(RdmaPort port) {
        Optional<String> mode = HostFiles.text(manager(port).resolve("default_roce_mode"));
        if (mode.isEmpty()) {
            return Finding.skip(
                    "RoCE mode",
                    port.toString(),
                    "what the connection manager uses is shown after mkdir /sys/kernel/config/rdma_cm/" + port.device()
                            + " only; its own default is RoCE v2 where the adapter has it");
        }
        return mode.get().equals("RoCE v2")
                ? Finding.pass("RoCE mode", port.toString(), "the connection manager uses RoCE v2")
                : Finding.fail(
                        "RoCE mode",
                        port.toString(),
                        "the connection manager uses " + mode.get(),
                        "echo 'RoCE v2' >" + manager(port).resolve("default_roce_mode"));
    }

    private Finding trafficClass(RdmaPort port) {
        OptionalLong tos = HostFiles.number(manager(port).resolve("default_roce_tos"));
        if (tos.isEmpty() || tos.getAsLong() == 0) {
            return Finding.skip(
                    "DSCP, ECN",
                    port.toString(),
                    "no class is set for RoCE; needed only where switches hold back (PFC) or mark (ECN) by class");
        }
        long value = tos.getAsLong();
        return Finding.pass(
                "DSCP, ECN",
                port.toString(),
                "type of service " + value + ": DSCP " + (value >> 2) + ((value & 3) == 0 ? ", no ECN" : ", ECN"));
    }

    private static Finding counters(RdmaPort port) {
        Path folder = port.folder().resolve("hw_counters");
        Map<String, Long> trouble = new TreeMap<>();
        List<String> names = HostFiles.names(folder);
        for (String name : names) {
            if (TROUBLE.matcher(name).matches()) {
                HostFiles.number(folder.resolve(name)).ifPresent(value -> trouble.put(name, value));
            }
        }
        if (trouble.isEmpty()) {
            return Finding.skip("hardware counters", port.toString(), "the driver counts nothing of interest");
        }
        OptionalLong writes = HostFiles.number(folder.resolve("rx_write_requests"));
        trouble.values().removeIf(value -> value == 0);
        if (trouble.isEmpty()) {
            return Finding.pass(
                    "hardware counters",
                    port.toString(),
                    "no losses, retries or damaged packets"
                            + (writes.isPresent() ? "; rx_write_requests " + writes.getAsLong() : ""));
        }
        return Finding.warn(
                "hardware counters",
                port.toString(),
                "since the driver was loaded " + trouble,
                "if they grow while streaming, the way loses packets: MTU of switches, pause or PFC, cables");
    }
}
