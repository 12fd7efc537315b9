package io.peregrine.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code PacketReceiver=verbs} needs of an adapter. Source: docs/kernel-bypass.md, kernel documentation. */
final class RawPacketChecks {
    private static final String CHECK = "raw packets";
    private static final int CAP_NET_RAW = 13;
    private static final Pattern EFFECTIVE = Pattern.compile("(?m)^CapEff:\\s+([0-9a-f]{1,16})$");
    private static final Pattern DRIVER = Pattern.compile("(?m)^DRIVER=(\\S+)$");

    private final HostFiles host;
    private final List<RdmaPort> ports;
    private final LocalAddress target;
    private final Optional<ProviderProbe.Attempt> attempt;

    RawPacketChecks(
            HostFiles host, List<RdmaPort> ports, LocalAddress target, Optional<ProviderProbe.Attempt> attempt) {
        this.host = host;
        this.ports = ports.stream()
                .filter(port -> port.serves(target) && !port.software())
                .toList();
        this.target = target;
        this.attempt = attempt;
    }

    List<Finding> all() {
        if (ports.isEmpty()) {
            return List.of(
                    Finding.skip(CHECK, target.toString(), "no adapter with verbs: PacketReceiver=verbs needs one"));
        }
        return List.of(rights(), steering(), queue());
    }

    private Finding rights() {
        Matcher mask = EFFECTIVE.matcher(
                HostFiles.text(host.proc().resolve("self/status")).orElse(""));
        boolean raw = mask.find() && (Long.parseUnsignedLong(mask.group(1), 16) >>> CAP_NET_RAW & 1) == 1;
        return raw
                ? Finding.pass("raw packet rights", target.toString(), "CAP_NET_RAW")
                : Finding.warn(
                        "raw packet rights",
                        target.toString(),
                        "this program lacks CAP_NET_RAW, which PacketReceiver=verbs and ring need",
                        "setcap cap_net_raw+ep $(readlink -f $(command -v java)); containers: --cap-add NET_RAW");
    }

    /** The kernel shows the options of the driver only; what the adapter itself has, the queue shows. */
    private Finding steering() {
        RdmaPort port = ports.get(0);
        Path device = port.deviceFolder().resolve("device");
        Matcher driver = DRIVER.matcher(HostFiles.text(device.resolve("uevent")).orElse(""));
        String name = driver.find() ? driver.group(1) : "";
        if (name.startsWith("mlx5")) {
            return Finding.pass("flow steering", port.toString(), "driver " + name + " has it");
        }
        if (!name.startsWith("mlx4")) {
            return Finding.skip(
                    "flow steering",
                    port.toString(),
                    name.isEmpty() ? "the driver is not reported" : "not known of the driver " + name);
        }
        Optional<String> option =
                HostFiles.text(host.sys().resolve("module/mlx4_core/parameters/log_num_mgm_entry_size"));
        String evidence = "mlx4_core has log_num_mgm_entry_size=" + option.orElse("(not reported)");
        return option.filter(value -> value.startsWith("-")).isPresent()
                ? Finding.pass("flow steering", port.toString(), evidence)
                : Finding.warn(
                        "flow steering",
                        port.toString(),
                        evidence + ": no flow steering, so PacketReceiver=verbs does not work",
                        "'options mlx4_core log_num_mgm_entry_size=-1' in /etc/modprobe.d/mlx4.conf, then restart the"
                                + " driver; see docs/connectx.md");
    }

    private Finding queue() {
        if (attempt.isEmpty()) {
            return Finding.skip(CHECK, target.toString(), "no queue was opened");
        }
        String refusal = attempt.get().refusal();
        if (refusal.isEmpty()) {
            return Finding.pass(
                    CHECK, target.toString(), "a queue with a flow rule was opened: PacketReceiver=verbs works");
        }
        return Finding.warn(
                CHECK,
                target.toString(),
                "PacketReceiver=verbs does not work: " + refusal,
                Files.exists(host.sys().resolve("module/mlx4_core"))
                        ? "see docs/connectx.md for ConnectX-3, and the lines before"
                        : "see the lines before; other receivers work");
    }
}
