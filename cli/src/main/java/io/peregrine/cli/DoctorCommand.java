package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.cli.Finding.Verdict;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Examines the host. */
@Command(
        name = "doctor",
        description =
                "Examines what this host lacks for streaming, and says how to get it. Changes nothing. Exit code 1"
                        + " when something fails; warnings are no failure.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String IPV4 = OCTET + "(\\." + OCTET + "){3}";

    private final Supplier<RdmaDoctor> rdmaDoctor;

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    /** The only group is examined whether it is named or not. */
    @SuppressWarnings("UnusedVariable")
    @Option(names = "--rdma", description = "What RDMA needs; so far the only group, and examined by default")
    private boolean rdma;

    @Option(
            names = "--interface",
            paramLabel = "ADDRESS",
            description = "IPv4 address of the interface to examine; by default those with an RDMA device, or all but"
                    + " loopback where there is none")
    private Optional<String> interfaceAddress = Optional.empty();

    /** For picocli. */
    DoctorCommand() {
        this(() -> new RdmaDoctor(
                HostFiles.system(), LocalAddress.all(), ProviderProbe.ofLibrary(), ExternalTool.ofSystem()));
    }

    DoctorCommand(Supplier<RdmaDoctor> rdmaDoctor) {
        this.rdmaDoctor = rdmaDoctor;
    }

    @Override
    public Integer call() {
        List<Finding> findings = rdmaDoctor.get().examine(interfaceAddress.map(this::parse));
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            counts.put(verdict, 0);
        }
        findings.forEach(finding -> counts.merge(finding.verdict(), 1, Integer::sum));
        if (output.json()) {
            output.print(json(findings, counts));
        } else {
            print(findings, counts);
        }
        return counts.get(Verdict.FAIL) == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private Inet4Address parse(String text) {
        try {
            // Only literals: a name would be looked up.
            if (text.matches(IPV4) && InetAddress.getByName(text) instanceof Inet4Address address) {
                return address;
            }
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), text + " is no IPv4 address", e);
        }
        throw new ParameterException(spec.commandLine(), text + " is no IPv4 address");
    }

    private static ObjectNode json(List<Finding> findings, Map<Verdict, Integer> counts) {
        ObjectNode root = Output.object();
        counts.forEach((verdict, count) -> root.put(verdict.name().toLowerCase(Locale.ROOT), count));
        ArrayNode array = root.putArray("findings");
        for (Finding finding : findings) {
            array.addObject()
                    .put("group", "rdma")
                    .put("check", finding.check())
                    .put("subject", finding.subject())
                    .put("verdict", finding.verdict().name())
                    .put("evidence", finding.evidence())
                    .put("fix", finding.fix());
        }
        return root;
    }

    private void print(List<Finding> findings, Map<Verdict, Integer> counts) {
        for (Finding finding : findings) {
            output.out()
                    .printf(
                            "%s  %-17s %s%s%n",
                            finding.verdict(),
                            finding.check(),
                            finding.subject().isEmpty() ? "" : finding.subject() + ": ",
                            finding.evidence());
            if (!finding.fix().isEmpty()) {
                output.out().printf("      %-17s -> %s%n", "", finding.fix());
            }
        }
        output.out()
                .printf(
                        "%n%d passed, %d skipped, %d to be improved, %d failed%n",
                        counts.get(Verdict.PASS),
                        counts.get(Verdict.SKIP),
                        counts.get(Verdict.WARN),
                        counts.get(Verdict.FAIL));
        output.out().flush();
    }
}
